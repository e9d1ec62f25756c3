// Package hybrid aligns batches of pairs on every GPU of a machine and on its
// CPU. Start with [Open]. A program that uses GPUs calls gpu.SetQueues before Open:
// with more hardware queues, kernels of different batches overlap better.
//
// An [Engine] is composed of small engines that wrap others. Each implements
// [Aligner]:
//
//	early     batches go to the CPU until the GPUs are open     (early.go)
//	Spread    each batch goes to the least busy GPU             (spread.go)
//	Fallback  pairs that a GPU cannot align go to the CPU       (fallback.go)
//
// A pair gets the same result from every engine, with one exception: if the
// traceback does not fit into align.Options.Memory, the CPU may report another
// alignment of the same score. The early start keeps such pairs for the GPUs
// (eligible.go), so results do not depend on when the GPUs open.
//
// Fallbacks are reported: [Stats] counts pairs by engine and by cause, and [Status]
// gives the reason for each GPU that is not used. A GPU that fails while it aligns
// ends the batch with a [*GPUError].
package hybrid
