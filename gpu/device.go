package gpu

import (
	"fmt"
	"sync"
)

// minMajor is the least major compute capability with kernels: 8.0, Ampere.
const minMajor = 8

// DeviceInfo describes a GPU. Memory sizes are in bytes.
type DeviceInfo struct {
	Ordinal             int // among the visible GPUs
	Name                string
	UUID                string // as nvidia-smi writes it
	TotalMemory         uint64
	FreeMemory          uint64 // when it was looked at, with our context in place
	SMs                 int
	Major, Minor        int // compute capability
	DriverVersion       int // CUDA's version that the driver supports: 13000 is 13.0
	SharedPerBlockOptin int // shared memory that one block may have, on request
	SharedPerSM         int
	L2                  int // bytes of cache
	ClockKHz            int
	RegistersPerSM      int // of 32 bits
	ThreadsPerSM        int

	fault error // what kept Devices from opening it
}

// Usable returns nil for a GPU that can be worked with, otherwise why not:
// ErrTooOld, or the failure when Devices tried to open it.
func (i DeviceInfo) Usable() error {
	if i.Major < minMajor {
		return fmt.Errorf("%w: compute capability %d.%d, %d.0 or later is needed", ErrTooOld, i.Major, i.Minor, minMajor)
	}
	return i.fault
}

// Devices lists every GPU that the driver shows, usable or not. It opens each
// of them, for only so does the driver tell the free memory; that takes a few
// tenths of a second. The error is ErrNoDriver, ErrNoDevice or ErrTooOld with
// details, or an *Error.
func Devices() ([]DeviceInfo, error) {
	drv, err := loadDriver()
	if err != nil {
		return nil, err
	}
	return listDevices(drv)
}

func listDevices(drv *driver) ([]DeviceInfo, error) {
	n, err := deviceCount(drv)
	if err != nil {
		return nil, err
	}
	infos := make([]DeviceInfo, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range infos {
		// Side by side, as contexts take long to make.
		wg.Go(func() { infos[i], errs[i] = inspectDevice(drv, i) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return infos, nil
}

// deviceCount is the number of visible GPUs, ErrNoDevice if there are none.
func deviceCount(drv *driver) (int, error) {
	n, r := drv.deviceGetCount()
	if r != success {
		return 0, drv.check("cuDeviceGetCount", r)
	}
	if n <= 0 {
		return 0, fmt.Errorf("%w: %s", ErrNoDevice, remedies[resultNoDevice])
	}
	return int(n), nil
}

// inspectDevice describes a GPU with its free memory. One that cannot be opened
// is described, too.
func inspectDevice(drv *driver, ordinal int) (DeviceInfo, error) {
	id, info, err := describeDevice(drv, ordinal)
	if err != nil {
		return info, err
	}
	d, err := retainContext(drv, id, info)
	if err != nil {
		info.fault = err
		return info, nil
	}
	return d.info, d.close()
}

// describeDevice asks what can be known without a context: all but the free
// memory. The first result is the driver's number for the GPU, a CUdevice.
func describeDevice(drv *driver, ordinal int) (int32, DeviceInfo, error) {
	info := DeviceInfo{Ordinal: ordinal}
	id, r := drv.deviceGet(int32(ordinal))
	if r != success {
		return 0, info, fmt.Errorf("GPU %d: %w", ordinal, drv.check("cuDeviceGet", r))
	}
	fail := func(call string, r result) (int32, DeviceInfo, error) {
		return 0, info, fmt.Errorf("GPU %d: %w", ordinal, drv.check(call, r))
	}
	if info.Name, r = drv.deviceGetName(id); r != success {
		return fail("cuDeviceGetName", r)
	}
	uuid, r := drv.deviceGetUuid(id)
	if r != success {
		return fail("cuDeviceGetUuid", r)
	}
	info.UUID = fmt.Sprintf("GPU-%x-%x-%x-%x-%x", uuid[:4], uuid[4:6], uuid[6:8], uuid[8:10], uuid[10:])
	if info.TotalMemory, r = drv.deviceTotalMem(id); r != success {
		return fail("cuDeviceTotalMem", r)
	}
	version, r := drv.driverGetVersion()
	if r != success {
		return fail("cuDriverGetVersion", r)
	}
	info.DriverVersion = int(version)
	for _, a := range []struct {
		dst       *int
		attribute int32
	}{
		{&info.SMs, attributeMultiprocessors},
		{&info.Major, attributeMajor},
		{&info.Minor, attributeMinor},
		{&info.SharedPerBlockOptin, attributeSharedPerBlockOptin},
		{&info.SharedPerSM, attributeSharedPerSM},
		{&info.L2, attributeL2Bytes},
		{&info.ClockKHz, attributeClockRate},
		{&info.RegistersPerSM, attributeRegistersPerSM},
		{&info.ThreadsPerSM, attributeThreadsPerSM},
	} {
		v, r := drv.deviceGetAttribute(a.attribute, id)
		if r != success {
			return fail("cuDeviceGetAttribute", r)
		}
		*a.dst = int(v)
	}
	return id, info, nil
}

// device is an opened GPU: its primary context, which is retained. Its methods
// may be called from several goroutines. A closed device fails every call.
type device struct {
	drv  *driver
	id   int32 // CUdevice
	ctx  handle
	info DeviceInfo
}

// openDevice opens a GPU. It is ErrNoDevice when there is none of that number,
// and ErrTooOld when no kernel could run on it.
func openDevice(drv *driver, ordinal int) (*device, error) {
	id, info, err := describeDevice(drv, ordinal)
	if err != nil {
		return nil, err
	}
	if err := info.Usable(); err != nil {
		return nil, fmt.Errorf("GPU %d (%s): %w", ordinal, info.Name, err)
	}
	d, err := retainContext(drv, id, info)
	if err != nil {
		return nil, fmt.Errorf("GPU %d (%s): %w", ordinal, info.Name, err)
	}
	return d, nil
}

// retainContext takes hold of the primary context and reads the free memory.
func retainContext(drv *driver, id int32, info DeviceInfo) (*device, error) {
	ctx, r := drv.devicePrimaryCtxRetain(id)
	if r != success {
		return nil, withRemedy(drv.check("cuDevicePrimaryCtxRetain", r))
	}
	d := &device{drv: drv, id: id, ctx: ctx, info: info}
	free, _, err := d.memory()
	if err != nil {
		d.close() // the first failure says more
		return nil, err
	}
	d.info.FreeMemory = free
	return d, nil
}

// close gives the context back, and with it everything that was not freed
// before. Closing twice does nothing.
func (d *device) close() error {
	if d.ctx == 0 {
		return nil
	}
	d.ctx = 0
	return d.drv.check("cuDevicePrimaryCtxRelease", d.drv.devicePrimaryCtxRelease(d.id))
}
