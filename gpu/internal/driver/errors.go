package driver

import (
	"errors"
	"fmt"
	"slices"
)

// Errors of a machine without a usable GPU. They are wrapped, with details; match
// them with errors.Is.
var (
	// ErrNoDriver: libcuda.so.1 is missing or does not work.
	ErrNoDriver = errors.New("no usable NVIDIA driver")
	// ErrNoDevice: the driver works and shows no GPU, or not the requested one.
	ErrNoDevice = errors.New("no NVIDIA GPU")
	// ErrTooOld: the GPU or the driver is too old.
	ErrTooOld = errors.New("too old")
	// ErrNoKernels: the kernel image has no code that runs on this GPU.
	ErrNoKernels = errors.New("no kernels for this GPU")
)

// Error is a failed call of the CUDA driver.
type Error struct {
	Call string // name in the CUDA manual, such as cuMemAlloc
	Code int    // a CUresult
	Name string // CUDA's name, such as CUDA_ERROR_OUT_OF_MEMORY; empty if unknown
	Text string // CUDA's description; empty if unknown
}

func (e *Error) Error() string {
	switch {
	case e.Name == "":
		return fmt.Sprintf("%s: CUDA error %d", e.Call, e.Code)
	case e.Text == "":
		return fmt.Sprintf("%s: %s (%d)", e.Call, e.Name, e.Code)
	}
	return fmt.Sprintf("%s: %s: %s (%d)", e.Call, e.Name, e.Text, e.Code)
}

// Is matches the codes whose meaning does not depend on the call.
func (e *Error) Is(target error) bool {
	switch Result(e.Code) {
	case ResultNoDevice, ResultInvalidDevice:
		return target == ErrNoDevice
	case ResultStubLibrary, ResultDriverMismatch, ResultCompatNotSupported:
		return target == ErrNoDriver
	case ResultInsufficientDriver, ResultNewerDriverNeeded:
		return target == ErrTooOld
	}
	return false
}

// IsOutOfMemory reports whether err is a failed allocation for lack of memory, on the
// device or, for pinned memory, on the host.
func IsOutOfMemory(err error) bool { return hasResult(err, ResultOutOfMemory) }

// isRefused reports whether err is a call that the driver does not carry out on this system.
func isRefused(err error) bool {
	return hasResult(err, ResultNotSupported, ResultNotPermitted, ResultOperatingSystem)
}

// isMissing reports whether err is that a module has no function of a name.
func isMissing(err error) bool { return hasResult(err, ResultNotFound) }

// hasResult reports whether err is a call with one of some results.
func hasResult(err error, some ...Result) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(some, Result(e.Code))
}

// remedies are the usual causes of results of a driver or a GPU that does not start.
// CUDA's texts do not name them.
var remedies = map[Result]string{
	ResultStubLibrary:        "this libcuda.so.1 is the CUDA toolkit's stand-in for linking; the driver's own must come first in the search path",
	ResultInsufficientDriver: "the driver must be updated",
	ResultNewerDriverNeeded:  "the driver must be updated",
	ResultDeviceUnavailable:  "another process may have the GPU for itself (compute mode)",
	ResultNoDevice:           "the driver shows none; see nvidia-smi and CUDA_VISIBLE_DEVICES",
	ResultOperatingSystem:    "the system refused; look at the permissions of /dev/nvidia*, and in a container at whether GPUs are passed to it",
	ResultNotPermitted:       "the system refused; look at the permissions of /dev/nvidia*",
	ResultSystemNotReady:     "on a machine with NVSwitch, the NVIDIA Fabric Manager must be running",
	ResultDriverMismatch:     "libcuda.so.1 and the kernel module are of different versions; a restart after an update of the driver helps",
	ResultCompatNotSupported: "libcuda.so.1 is a forward-compatibility package that this GPU does not support",
	ResultUnknown:            "the nvidia-uvm kernel module may not be loaded, or /dev/nvidia-uvm not be accessible",
}

// withRemedy prefixes the driver's error with its likely cause.
func withRemedy(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if remedy := remedies[Result(e.Code)]; remedy != "" {
			return fmt.Errorf("%s: %w", remedy, err)
		}
	}
	return err
}
