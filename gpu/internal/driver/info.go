package driver

import (
	"fmt"
	"sync"
)

// minMajor is the least major compute capability of a usable GPU: 8.0, Ampere.
const minMajor = 8

// Info describes a GPU. Memory sizes are in bytes.
type Info struct {
	Ordinal             int // among the visible GPUs
	Name                string
	UUID                string // as nvidia-smi writes it
	TotalMemory         uint64
	FreeMemory          uint64 // with the process's context
	SMs                 int
	Major, Minor        int // compute capability
	DriverVersion       int // CUDA version that the driver supports: 13000 is 13.0
	SharedPerBlockOptin int // largest shared memory of a block
	SharedPerSM         int
	L2                  int // bytes of cache
	ClockKHz            int
	RegistersPerSM      int // of 32 bits
	ThreadsPerSM        int

	fault error // why List could not open it
}

// Usable returns nil for a usable GPU, otherwise the reason: ErrTooOld, or the error
// of opening the GPU in List.
func (i Info) Usable() error {
	if i.Major < minMajor {
		return fmt.Errorf("%w: compute capability %d.%d, %d.0 or later is needed", ErrTooOld, i.Major, i.Minor, minMajor)
	}
	return i.fault
}

// Count returns the number of visible GPUs, usable or not. It opens none of them. If
// there are none, the error is ErrNoDevice.
func Count(api *API) (int, error) {
	n, r := api.DeviceGetCount()
	if r != Success {
		return 0, api.check("cuDeviceGetCount", r)
	}
	if n <= 0 {
		return 0, fmt.Errorf("%w: %s", ErrNoDevice, remedies[ResultNoDevice])
	}
	return int(n), nil
}

// List describes every visible GPU, usable or not. It opens each of them, because the
// driver reports free memory only for an open GPU; that takes a few tenths of a
// second. The error is ErrNoDevice with details, or an *Error.
func List(api *API) ([]Info, error) {
	n, err := Count(api)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range infos {
		// Concurrently: a context takes long to create.
		wg.Go(func() { infos[i], errs[i] = inspect(api, i) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// inspect describes a GPU with its free memory, also one that cannot be opened.
func inspect(api *API, ordinal int) (Info, error) {
	id, info, err := describe(api, ordinal)
	if err != nil {
		return info, err
	}
	d, err := retain(api, id, info)
	if err != nil {
		info.fault = err
		return info, nil
	}
	return d.Info, d.Close()
}

// describe describes a GPU without a context: all but the free memory. The first
// result is the driver's number of the GPU, a CUdevice.
func describe(api *API, ordinal int) (int32, Info, error) {
	info := Info{Ordinal: ordinal}
	fail := func(call string, r Result) (int32, Info, error) {
		return 0, info, fmt.Errorf("GPU %d: %w", ordinal, api.check(call, r))
	}
	id, r := api.DeviceGet(int32(ordinal))
	if r != Success {
		return fail("cuDeviceGet", r)
	}
	if info.Name, r = api.DeviceGetName(id); r != Success {
		return fail("cuDeviceGetName", r)
	}
	uuid, r := api.DeviceGetUuid(id)
	if r != Success {
		return fail("cuDeviceGetUuid", r)
	}
	info.UUID = fmt.Sprintf("GPU-%x-%x-%x-%x-%x", uuid[:4], uuid[4:6], uuid[6:8], uuid[8:10], uuid[10:])
	if info.TotalMemory, r = api.DeviceTotalMem(id); r != Success {
		return fail("cuDeviceTotalMem", r)
	}
	version, r := api.DriverGetVersion()
	if r != Success {
		return fail("cuDriverGetVersion", r)
	}
	info.DriverVersion = int(version)
	for _, a := range []struct {
		dst       *int
		attribute int32
	}{
		{&info.SMs, AttributeMultiprocessors},
		{&info.Major, AttributeMajor},
		{&info.Minor, AttributeMinor},
		{&info.SharedPerBlockOptin, AttributeSharedPerBlockOptin},
		{&info.SharedPerSM, AttributeSharedPerSM},
		{&info.L2, AttributeL2Bytes},
		{&info.ClockKHz, AttributeClockRate},
		{&info.RegistersPerSM, AttributeRegistersPerSM},
		{&info.ThreadsPerSM, AttributeThreadsPerSM},
	} {
		v, r := api.DeviceGetAttribute(a.attribute, id)
		if r != Success {
			return fail("cuDeviceGetAttribute", r)
		}
		*a.dst = int(v)
	}
	return id, info, nil
}
