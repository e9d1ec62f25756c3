// Package gpu aligns batches of pairs on NVIDIA GPUs. Start with Open. An Engine
// is one GPU; package gpu/hybrid makes one engine of all GPUs and of the CPU,
// which aligns the pairs that a GPU cannot.
//
// It drives GPUs through the CUDA driver API, without cgo and without the CUDA
// toolkit: the driver's library, libcuda.so.1, is opened at run time. Where
// there is none the package still builds and loads, and says ErrNoDriver.
//
// Devices lists the GPUs. CUDA_VISIBLE_DEVICES is honoured: the driver reads it
// when it starts, and hides and renumbers GPUs accordingly. Ordinals here are
// the numbers that are left.
//
// # A batch's life
//
// A batch is cut into loads. Each goes through a lane (lane.go, load.go, round.go): a
// stream with pinned buffers and device memory of its own. With several lanes,
// one load is staged or decoded on the host while others are copied or in the
// kernels.
//
//	stage   sequences are packed, two bits a base, into pinned memory; a pair
//	        with other letters is left to the other engine at once
//	upload  the load goes to the device (hosts without AVX2 send letters, and
//	        the device packs)
//	plan    every pair has a limit, the score up to which it is looked for, and
//	        the cheapest kernel that can vouch for it; pairs of one kernel and
//	        like lengths are launched together, in parts if rows do not fit
//	queue   forward kernels take pairs from a counter, store their M rows, and
//	        traceback kernels write CIGARs as BAM elements
//	decode  results are copied; what was beyond its limit goes round again with
//	        a higher one, and at last with one that no score exceeds
//
// The first limit comes from the user's bound or from the scores seen so far
// (estimate.go). It decides time and memory, never the result: a kernel reports
// a score only if its band certifies it, and alignments follow the rule of
// align/backtrace.go, which looks at nothing but costs of cells. So a pair comes
// out the same from any kernel, and from the CPU.
//
// # Kernels
//
// cuda/warp.cuh and block.cuh keep wavefronts in registers, for penalties that
// variantPenalties lists and scores that their band certifies, up to 32,000
// letters; tuning.go has their shapes. cuda/approx.cuh is the approximate mode
// (approx.go) for the same penalties and lengths, cuda/window.cu for all others
// (window.go). cuda/general.cu takes everything else that is exact, with
// wavefronts in memory. Instead of bidirectional wavefronts, as on the CPU, it
// bounds its memory by checkpoints: that costs the same second pass and gives the
// alignment that all rows would give.
//
// # Layers of the driver
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
