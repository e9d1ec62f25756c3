package driver

// Result is a CUresult.
type Result int32

// The results that this package distinguishes.
const (
	Success                  Result = 0
	ResultInvalidValue       Result = 1
	ResultOutOfMemory        Result = 2
	ResultStubLibrary        Result = 34
	ResultInsufficientDriver Result = 35 // of the runtime API
	ResultNewerDriverNeeded  Result = 36
	ResultDeviceUnavailable  Result = 46
	ResultNoDevice           Result = 100
	ResultInvalidDevice      Result = 101
	ResultInvalidImage       Result = 200
	ResultNoBinaryForGPU     Result = 209
	ResultInvalidPTX         Result = 218
	ResultNoJIT              Result = 221
	ResultUnsupportedPTX     Result = 222
	ResultJITDisabled        Result = 223
	ResultInvalidSource      Result = 300
	ResultOperatingSystem    Result = 304
	ResultNotFound           Result = 500
	ResultNotReady           Result = 600
	ResultNotPermitted       Result = 800
	ResultNotSupported       Result = 801
	ResultSystemNotReady     Result = 802
	ResultDriverMismatch     Result = 803
	ResultCompatNotSupported Result = 804
	ResultUnknown            Result = 999
)

// resultTexts are CUDA's names and descriptions of the usual results, for a driver
// without them.
var resultTexts = map[Result]struct{ name, text string }{
	ResultInvalidValue:       {"CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	ResultOutOfMemory:        {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	3:                        {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	4:                        {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
	ResultStubLibrary:        {"CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
	ResultInsufficientDriver: {"cudaErrorInsufficientDriver", "CUDA driver version is insufficient"},
	ResultNewerDriverNeeded:  {"cudaErrorCallRequiresNewerDriver", "API call is not supported in the installed CUDA driver"},
	ResultDeviceUnavailable:  {"CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
	ResultNoDevice:           {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	ResultInvalidDevice:      {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	102:                      {"CUDA_ERROR_DEVICE_NOT_LICENSED", "device doesn't have valid Grid license"},
	ResultInvalidImage:       {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	201:                      {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	ResultNoBinaryForGPU:     {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	214:                      {"CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
	ResultInvalidPTX:         {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	220:                      {"CUDA_ERROR_NVLINK_UNCORRECTABLE", "uncorrectable NVLink error detected during the execution"},
	ResultNoJIT:              {"CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
	ResultUnsupportedPTX:     {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain"},
	ResultJITDisabled:        {"CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
	ResultInvalidSource:      {"CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"},
	ResultOperatingSystem:    {"CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
	400:                      {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	ResultNotFound:           {"CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	ResultNotReady:           {"CUDA_ERROR_NOT_READY", "device not ready"},
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
	ResultNotPermitted:       {"CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
	ResultNotSupported:       {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
	ResultSystemNotReady:     {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
	ResultDriverMismatch:     {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
	ResultCompatNotSupported: {"CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "forward compatibility was attempted on non supported HW"},
	ResultUnknown:            {"CUDA_ERROR_UNKNOWN", "unknown error"},
}
