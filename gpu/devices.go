package gpu

import "wfagpu/gpu/internal/driver"

// DeviceInfo describes a GPU: its Ordinal among the visible ones, Name, UUID,
// memory in bytes, and the properties that launches are planned by. Its method
// Usable returns nil, or an error that says why the GPU cannot be used.
type DeviceInfo = driver.Info

// Devices lists every visible GPU, usable or not. It opens each of them, because
// the driver reports free memory only for an open GPU; that takes a few tenths of
// a second. The error is ErrNoDriver, ErrNoDevice or ErrTooOld with details, or an
// *Error.
func Devices() ([]DeviceInfo, error) {
	api, err := driver.Load()
	if err != nil {
		return nil, err
	}
	return driver.List(api)
}

// Count returns the number of visible GPUs, usable or not. It opens none of them
// and takes as long as the driver's start. Errors are those of Devices.
func Count() (int, error) {
	api, err := driver.Load()
	if err != nil {
		return 0, err
	}
	return driver.Count(api)
}

// PreferredQueues is the number of hardware queues that an Engine works well with: it
// has few operations behind kernels that take long. With fewer, streams wait for each
// other's kernels; with more, a GPU takes longer to open.
const PreferredQueues = 8

// SetQueues asks the driver for n hardware queues on each GPU, 1 to 32; the
// driver's default is 8. Streams that share a queue wait for each other's kernels.
// The driver takes about 0.3 s to create 16 queues. SetQueues returns an error
// after the first call of Devices, Count or Open.
//
// The setting applies to the whole process: the driver reads it from the
// environment variable CUDA_DEVICE_MAX_CONNECTIONS, which is set when the driver is
// loaded. A value that the user has set stays.
func SetQueues(n int) error { return driver.SetConnections(n) }

// Error is a failed call of the CUDA driver. Call is the function's name in the
// CUDA manual, such as cuMemAlloc; Code is the CUresult; Name and Text are CUDA's
// name and description of it, empty if unknown.
type Error = driver.Error

// Errors of a machine without a usable GPU. They are wrapped, with details; match
// them with errors.Is.
var (
	// ErrNoDriver: libcuda.so.1 is missing or does not work.
	ErrNoDriver = driver.ErrNoDriver
	// ErrNoDevice: the driver works and shows no GPU, or not the requested one.
	ErrNoDevice = driver.ErrNoDevice
	// ErrTooOld: the GPU or the driver is too old.
	ErrTooOld = driver.ErrTooOld
	// ErrNoKernels: the kernel image has no code that runs on this GPU.
	ErrNoKernels = driver.ErrNoKernels
)
