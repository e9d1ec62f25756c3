package drivertest

import (
	"encoding/binary"

	"wfagpu/gpu/internal/driver"
)

// fill fills the table with the functions of devices and contexts.
func (f *contexts) fill(api *driver.API) {
	// Package driver has names of its own for the usual results.
	api.GetErrorName = func(driver.Result) string { return "" }
	api.GetErrorString = func(driver.Result) string { return "" }
	api.Init = func(uint32) driver.Result {
		defer f.mu.Unlock()
		r := f.begin("cuInit")
		f.started = f.started || r == driver.Success
		return r
	}
	api.DriverGetVersion = func() (int32, driver.Result) {
		defer f.mu.Unlock()
		return f.Version, f.begin("cuDriverGetVersion")
	}
	api.DeviceGetCount = func() (int32, driver.Result) {
		defer f.mu.Unlock()
		return int32(len(f.Devices)), f.begin("cuDeviceGetCount")
	}
	api.DeviceGet = func(ordinal int32) (int32, driver.Result) {
		defer f.mu.Unlock()
		r := f.begin("cuDeviceGet")
		if r == driver.Success && !f.valid(int(ordinal)) {
			r = driver.ResultInvalidDevice
		}
		return ordinal, r
	}
	api.DeviceGetName = func(device int32) (string, driver.Result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceGetName"); r != driver.Success {
			return "", r
		}
		return f.Devices[device].Name, driver.Success
	}
	api.DeviceGetUuid = func(device int32) (uuid [16]byte, r driver.Result) {
		defer f.mu.Unlock()
		binary.BigEndian.PutUint64(uuid[:], 0x0123456789abcdef)
		uuid[15] = byte(device)
		return uuid, f.begin("cuDeviceGetUuid")
	}
	api.DeviceTotalMem = func(device int32) (uint64, driver.Result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceTotalMem"); r != driver.Success {
			return 0, r
		}
		return f.Devices[device].Memory, driver.Success
	}
	api.DeviceGetAttribute = func(attribute, device int32) (int32, driver.Result) {
		defer f.mu.Unlock()
		if r := f.begin("cuDeviceGetAttribute"); r != driver.Success {
			return 0, r
		}
		d := f.Devices[device]
		values := map[int32]int32{
			driver.AttributeClockRate: 1980000, driver.AttributeMultiprocessors: d.SMs, driver.AttributeL2Bytes: 60 << 20,
			driver.AttributeThreadsPerSM: threadsPerSM, driver.AttributeMajor: d.Major, driver.AttributeMinor: d.Minor,
			driver.AttributeSharedPerSM: sharedPerSM, driver.AttributeRegistersPerSM: registersPerSM,
			driver.AttributeSharedPerBlockOptin: sharedPerBlock, driver.AttributeHostPointers: d.HostPointers,
		}
		v, ok := values[attribute]
		if !ok {
			return 0, driver.ResultInvalidValue
		}
		return v, driver.Success
	}
	f.fillContexts(api)
}
