// Package gpu aligns batches of pairs on NVIDIA GPUs. Start with Open. An Engine
// is one GPU; package gpu/hybrid makes one engine of all GPUs and of the CPU,
// which aligns the pairs that a GPU cannot.
//
// It drives GPUs through package driver, which opens the CUDA driver's library at
// run time: neither cgo nor the CUDA toolkit is needed. Where there is no driver
// the package still builds and loads, and Open returns ErrNoDriver.
//
// Devices lists the GPUs. The driver reads CUDA_VISIBLE_DEVICES when it starts, and
// hides and renumbers GPUs accordingly; ordinals here count the visible ones. A
// program that wants the best speed calls SetQueues before its first GPU.
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
// # Errors
//
// A failed call of the driver is an *Error with CUDA's own name for it. An error
// that makes a GPU unusable from the start also matches one of ErrNoDriver,
// ErrNoDevice, ErrTooOld and ErrNoKernels. A pair that the GPU leaves has an
// Unfinished as its Result.Err.
package gpu
