package gpu

import (
	"errors"
	"fmt"
)

// Why there is no GPU to use. They come wrapped, with the details; match them
// with errors.Is.
var (
	// ErrNoDriver: libcuda.so.1 is not there or does not work.
	ErrNoDriver = errors.New("no usable NVIDIA driver")
	// ErrNoDevice: the driver works and shows no GPU, or not the one asked for.
	ErrNoDevice = errors.New("no NVIDIA GPU")
	// ErrTooOld: the GPU or the driver is too old.
	ErrTooOld = errors.New("too old")
	// ErrNoKernels: the kernel image has no code that runs on this GPU.
	ErrNoKernels = errors.New("no kernels for this GPU")
)

// Error is a call of the CUDA driver that failed.
type Error struct {
	Call string // as in CUDA's manual, such as cuMemAlloc
	Code int    // a CUresult
	Name string // CUDA's own, such as CUDA_ERROR_OUT_OF_MEMORY; empty if unknown
	Text string // CUDA's own description; empty if unknown
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

// Is matches the codes that have one meaning wherever they come from.
func (e *Error) Is(target error) bool {
	switch result(e.Code) {
	case resultNoDevice, resultInvalidDevice:
		return target == ErrNoDevice
	case resultStubLibrary, resultDriverMismatch, resultCompatNotSupported:
		return target == ErrNoDriver
	case resultInsufficientDriver, resultNewerDriverNeeded:
		return target == ErrTooOld
	}
	return false
}

// isOutOfMemory reports whether err is an allocation that did not fit, on the
// device or, for pinned memory, in the host.
func isOutOfMemory(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && result(e.Code) == resultOutOfMemory
}

// result is a CUresult.
type result int32

// The results that this package tells apart.
const (
	success                  result = 0
	resultInvalidValue       result = 1
	resultOutOfMemory        result = 2
	resultStubLibrary        result = 34
	resultInsufficientDriver result = 35 // of the runtime API
	resultNewerDriverNeeded  result = 36
	resultDeviceUnavailable  result = 46
	resultNoDevice           result = 100
	resultInvalidDevice      result = 101
	resultInvalidImage       result = 200
	resultNoBinaryForGPU     result = 209
	resultInvalidPTX         result = 218
	resultNoJIT              result = 221
	resultUnsupportedPTX     result = 222
	resultJITDisabled        result = 223
	resultInvalidSource      result = 300
	resultOperatingSystem    result = 304
	resultNotFound           result = 500
	resultNotReady           result = 600
	resultNotPermitted       result = 800
	resultSystemNotReady     result = 802
	resultDriverMismatch     result = 803
	resultCompatNotSupported result = 804
	resultUnknown            result = 999
)

// resultTexts is what CUDA calls the usual results, for a driver that cannot be
// asked.
var resultTexts = map[result]struct{ name, text string }{
	resultInvalidValue:       {"CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	resultOutOfMemory:        {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	3:                        {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	4:                        {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
	resultStubLibrary:        {"CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
	resultInsufficientDriver: {"cudaErrorInsufficientDriver", "CUDA driver version is insufficient"},
	resultNewerDriverNeeded:  {"cudaErrorCallRequiresNewerDriver", "API call is not supported in the installed CUDA driver"},
	resultDeviceUnavailable:  {"CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
	resultNoDevice:           {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	resultInvalidDevice:      {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	102:                      {"CUDA_ERROR_DEVICE_NOT_LICENSED", "device doesn't have valid Grid license"},
	resultInvalidImage:       {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	201:                      {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	resultNoBinaryForGPU:     {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	214:                      {"CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
	resultInvalidPTX:         {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	220:                      {"CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution"},
	resultNoJIT:              {"CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
	resultUnsupportedPTX:     {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain"},
	resultJITDisabled:        {"CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
	resultInvalidSource:      {"CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"},
	resultOperatingSystem:    {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
	400:                      {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	resultNotFound:           {"CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	resultNotReady:           {"CUDA_ERROR_NOT_READY", "device not ready"},
	700:                      {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	701:                      {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	702:                      {"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
	709:                      {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	710:                      {"CUDA_ERROR_ASSERT", "device-side assert triggered"},
	714:                      {"CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
	715:                      {"CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
	716:                      {"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
	718:                      {"CUDA_ERROR_INVALID_PC", "invalid program counter"},
	719:                      {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	resultNotPermitted:       {"CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
	801:                      {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
	resultSystemNotReady:     {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
	resultDriverMismatch:     {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	resultCompatNotSupported: {"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
	resultUnknown:            {"CUDA_ERROR_UNKNOWN", "unknown error"},
}

// check turns the result of a call into an error, nil for success.
func (drv *driver) check(call string, r result) error {
	if r == success {
		return nil
	}
	e := &Error{Call: call, Code: int(r)}
	known := resultTexts[r]
	if e.Name = drv.getErrorName(r); e.Name == "" {
		e.Name = known.name
	}
	if e.Text = drv.getErrorString(r); e.Text == "" {
		e.Text = known.text
	}
	return e
}

// remedies says, for results with which a driver or a GPU refuses to start,
// what is usually wrong. CUDA's own words do not.
var remedies = map[result]string{
	resultStubLibrary:        "this libcuda.so.1 is the CUDA toolkit's stand-in for linking; the driver's own must come first in the search path",
	resultInsufficientDriver: "the driver must be updated",
	resultNewerDriverNeeded:  "the driver must be updated",
	resultDeviceUnavailable:  "another process may have the GPU for itself (compute mode)",
	resultNoDevice:           "the driver shows none; see nvidia-smi and CUDA_VISIBLE_DEVICES",
	resultOperatingSystem:    "the system refused; look at the permissions of /dev/nvidia*, and in a container at whether GPUs are passed to it",
	resultNotPermitted:       "the system refused; look at the permissions of /dev/nvidia*",
	resultSystemNotReady:     "on a machine with NVSwitch, the NVIDIA Fabric Manager must be running",
	resultDriverMismatch:     "libcuda.so.1 and the kernel module are of different versions; a restart after an update of the driver helps",
	resultCompatNotSupported: "libcuda.so.1 is a forward-compatibility package that this GPU does not support",
	resultUnknown:            "the nvidia-uvm kernel module may not be loaded, or /dev/nvidia-uvm not be accessible",
}

// withRemedy puts the likely cause in front of the driver's own error.
func withRemedy(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if remedy := remedies[result(e.Code)]; remedy != "" {
			return fmt.Errorf("%s: %w", remedy, err)
		}
	}
	return err
}
