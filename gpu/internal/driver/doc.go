// Package driver binds the CUDA driver API: devices, modules of kernels, memory
// and streams.
//
// It needs neither cgo nor the CUDA toolkit. Load opens the driver's library,
// libcuda.so.1, at run time, and returns ErrNoDriver if the library is missing.
// Start with Load, then Open a Device.
//
//	api, err := driver.Load()
//	d, err := driver.Open(api, 0)
//	m, err := d.LoadModule(image)
//	f, err := m.Function("kernel")
//	s, err := d.NewStream()
//	err = s.Launch(f, grid, block, sharedBytes, unsafe.Pointer(&params))
//	err = s.Wait(ctx)
//
// # Layers
//
//   - API is the table of the driver's functions, one Go function per symbol.
//     libcuda.go fills it from the real library and is the only file that calls
//     C. Tests fill it from package drivertest.
//   - Device, Module, Function and Stream are handles with methods. Each method
//     is one call of the driver or a few, made on an OS thread on which the
//     device's context is current.
//
// # Rules
//
//   - Handles of one device may be used from several goroutines. A stream runs
//     work in the order of the calls, so one goroutine at a time should own it.
//   - Copies are asynchronous. Their host side is memory of AllocPinned, which is
//     not Go memory: it does not move, and it is valid until FreePinned. Neither
//     side of a copy may be used before Stream.Wait or Synchronize returns.
//   - A failed call of the driver is an *Error with CUDA's name for it. An error
//     that makes a GPU unusable from the start also matches one of ErrNoDriver,
//     ErrNoDevice, ErrTooOld and ErrNoKernels.
//   - Sizes are in bytes. Grids and blocks have one dimension.
//
// Ordinals count the visible GPUs. The driver reads CUDA_VISIBLE_DEVICES when it
// starts, and hides and renumbers GPUs accordingly.
package driver
