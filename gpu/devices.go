package gpu

import "wfagpu/gpu/internal/driver"

// DeviceInfo describes a GPU: its Ordinal among the visible ones, Name, UUID,
// memory in bytes and what else engines are planned by. Its method Usable returns
// why a GPU cannot be used, nil if it can.
type DeviceInfo = driver.Info

// Devices lists every GPU that the driver shows, usable or not. It opens each of
// them, since the driver tells the free memory only then; that takes a few tenths
// of a second. The error is ErrNoDriver, ErrNoDevice or ErrTooOld with details,
// or an *Error.
func Devices() ([]DeviceInfo, error) {
	api, err := driver.Load()
	if err != nil {
		return nil, err
	}
	return driver.List(api)
}

// Count returns the number of visible GPUs, usable or not. It opens none of them,
// so it takes no longer than the driver's start. Errors are those of Devices.
func Count() (int, error) {
	api, err := driver.Load()
	if err != nil {
		return 0, err
	}
	return driver.Count(api)
}

// PreferredQueues is the number of queues that suits an Engine. With fewer, its
// streams wait for each other's kernels; more make a GPU slower to open.
const PreferredQueues = 16

// SetQueues asks the driver for n hardware queues to each GPU, 1 to 32, in place
// of its own 8. Streams that share a queue wait for each other's kernels; 16
// queues take about 0.3 s to make. It is an error to call SetQueues after the
// first call of Devices, Count or Open.
//
// The setting is for the whole process: the driver takes it from the environment
// variable CUDA_DEVICE_MAX_CONNECTIONS, which is set for it when it is loaded. A
// value that the user has set stays.
func SetQueues(n int) error { return driver.SetConnections(n) }

// Error is a call of the CUDA driver that failed. Call is its name in CUDA's
// manual, such as cuMemAlloc; Code is the CUresult; Name and Text are CUDA's own
// for it, empty if unknown.
type Error = driver.Error

// Why there is no usable GPU. These errors come wrapped, with details; match them
// with errors.Is.
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
