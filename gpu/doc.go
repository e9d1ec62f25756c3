// Package gpu aligns batches of pairs on NVIDIA GPUs. Start with Open for one
// GPU, or with package hybrid, gpu/hybrid, for all GPUs and the CPU together.
//
// It uses the CUDA driver API without cgo and without the CUDA toolkit: the driver's
// library, libcuda.so.1, is opened at run time. If the library is missing, the error
// is ErrNoDriver.
//
// Devices lists the GPUs. The driver hides and renumbers GPUs according to
// CUDA_VISIBLE_DEVICES; ordinals are the new numbers. For the best speed, a program
// calls SetQueues before it opens a GPU.
//
// # How a batch is aligned
//
// A batch is cut into chunks (chunk.go). A slot (slot.go), a stream with its own
// pinned buffers and device memory, aligns one chunk at a time. With several slots,
// one chunk is staged or decoded on the host while others are copied or run on the
// device.
//
//	stage   sequences are packed, two bits per base, into pinned memory, and the
//	        policy (policy.go) gives every pair a kernel and a score bound, the
//	        largest score that the kernel looks for; a pair with letters outside
//	        ACGTU falls back to another engine (stage.go)
//	upload  the chunk is copied to the device; a host without AVX2 copies letters,
//	        and the device packs them (slot.go)
//	pass    pairs of one kernel and of similar lengths are launched together, in
//	        parts if their rows do not fit; the kernel stores rows, a traceback
//	        kernel writes CIGARs as BAM elements (pass.go, plan.go, queue.go)
//	decode  results are copied to the batch; a pair that exceeds its bound takes
//	        another pass with a higher one, at most the worst score (decode.go)
//
// The first bound is derived from the user's or from earlier scores (estimate.go). It
// affects time and memory, never the result: an exact kernel reports a score only if
// its band certifies it, and the traceback follows the rule of package align, which
// depends on the costs of cells alone. So every kernel and the CPU give the same
// alignment of a pair.
//
// # Kernel families
//
// Package gpu/internal/kernel has the families. warp and block keep wavefronts in
// registers, for some penalties, scores that the band certifies, and lengths plus
// bounds up to 32,000. general takes all other exact pairs, with wavefronts in memory
// and checkpoints, as on the CPU. adaptive_warp and
// adaptive_block compute the adaptive band of the approximate mode, in registers and
// in memory.
//
// # To add a kernel family
//
//   - Write the kernel in a file of its own in cuda/, with traceback rows that a
//     path of cuda/traceback.cuh reads, and include it in cuda/wfagpu.cu. The first
//     comment states what it computes, the threads per pair, the layout of shared
//     memory, and its limits.
//   - Write a file in gpu/internal/kernel with a type that implements Kernel, and
//     with the function that loads it. Add a row to the table in families.go.
//   - Add the kernel's own parameters to Params of gpu/internal/abi. For templates,
//     list the shapes in the family's file and in variants.go, and name the macro's
//     columns in gpu/internal/gen. Then run `go generate ./gpu`.
//   - Check it without a GPU: gpu/internal/emu runs it on the CPU, and
//     TestEmulatedEngine and the tests of that package compare it with package
//     align. Teach its launches to the fake GPU of this package's tests
//     (fakegpu_test.go).
//   - Compile the image with nvcc (`make kernels`), and run scripts/gpu-check.sh
//     on a GPU.
//
// # Packages below
//
//   - gpu/internal/driver: the binding of the CUDA driver, independent of alignment.
//   - gpu/internal/abi: structures and constants that Go and CUDA share.
//   - gpu/internal/kernel: kernel families.
//   - gpu/internal/pack: packing of letters on the host.
//   - gpu/internal/emu: the kernels on the CPU, for tests.
//
// Files here refer one way: open → engine → slot → pass → decode, queue, plan →
// stage → policy → rows, layout, task.
package gpu

//go:generate go run ./internal/gen ..
