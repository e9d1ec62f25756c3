// Package gpu drives NVIDIA GPUs through the CUDA driver API, without cgo and
// without the CUDA toolkit: the driver's library, libcuda.so.1, is opened at
// run time. Where there is none the package still builds and loads, and says
// ErrNoDriver.
//
// Devices lists the GPUs. CUDA_VISIBLE_DEVICES is honoured: the driver reads it
// when it starts, and hides and renumbers GPUs accordingly. Ordinals here are
// the numbers that are left.
//
// # Layers
//
//   - driver (driver.go): one Go function per driver symbol, in a table that
//     tests replace. libcuda.go fills it from the real library and is the only
//     file that knows about C.
//   - device, module, function, stream, event: handles with methods. Each method
//     is one call of the driver or a few, made on an OS thread on which the
//     device's context is current (context.go).
//
// # Rules
//
//   - Handles of one device may be used from several goroutines. A stream keeps
//     the order in which work was given to it, so that one goroutine at a time
//     should own it.
//   - Copies run while the caller goes on. Their host side is memory of
//     allocPinned, which is not Go's: it does not move, and nobody frees it until
//     freePinned. Neither side may be touched before the stream has been waited
//     for.
//   - Failures of the driver are an *Error with CUDA's own name for them. What
//     makes a GPU unusable from the start also matches one of ErrNoDriver,
//     ErrNoDevice, ErrTooOld and ErrNoKernels.
package gpu
