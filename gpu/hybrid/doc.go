// Package hybrid aligns batches of pairs on every GPU of a machine and on its
// CPU. Start with [Open]. A program that uses GPUs calls gpu.SetQueues before it:
// with more hardware queues, kernels of different batches overlap better.
//
// An [Engine] is made of small engines that wrap engines. Each has the one
// method of [Aligner]:
//
//	early     batches go to the CPU until the GPUs are open     (early.go)
//	Spread    each batch goes to the least busy GPU             (spread.go)
//	Fallback  pairs that a GPU cannot align go to the CPU       (fallback.go)
//
// A pair gets the same result from every engine, with one exception: an
// alignment whose traceback does not fit into align.Options.Memory may be
// another one of the same score on the CPU. The early start keeps such pairs
// for the GPUs (eligible.go), so that results do not depend on when these open.
//
// Nothing falls back in silence: [Stats] counts pairs by engine and by cause,
// [Status] gives the reason for each GPU that is not used, and a GPU that fails
// in the middle of its work ends the batch with a [*GPUError].
package hybrid
