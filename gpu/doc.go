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
// The pairs of all batches wait in queues, by kernel and by cost, and share launches. So
// a pair that takes long holds its own launch alone, and no SM waits while there are
// pairs anywhere.
//
//	stage    the caller's goroutine cuts its batch into ranges (cut.go) and makes a load
//	         of each (load.go): a stager packs the sequences, two bits per base, into
//	         pinned memory and makes a task of every pair; the policy (gpu/internal/passes)
//	         chooses its kernel and a score bound, the largest score that the kernel
//	         looks for; a pair with letters outside ACGTU falls back to
//	         another engine (stage.go); the sequences are copied to the device, mostly
//	         while the stager stages the next load (transfer.go)
//	queue    tasks wait, in blocks of one load, for a launch of their kernel, of similar
//	         bounds and of similar lengths (queue.go)
//	launch   the scheduler forms launches, the costliest tasks first, that fill the
//	         device about twice, as far as memory allows; small ones gather tasks for
//	         some time while the device is busy (schedule.go, form.go, flight.go)
//	run      a runner copies the tasks to the device and runs the kernels; they store
//	         rows or checkpoints, and a traceback kernel writes CIGARs as BAM elements
//	         (frame.go, runner.go)
//	decode   results are copied to the batches; a pair of which a pass finds no
//	         alignment is queued again, mostly with a higher bound, at most the worst
//	         score (decode.go, finish.go, followup.go)
//
// A load gives its device memory back when the last of its pairs is finished, and a call
// returns with the last of its loads. When a call is cancelled, its pairs leave the
// queues, and a launch without other pairs is told to stop, by a word that kernels look
// at (stopword.go).
//
// Device memory is taken in slabs as work asks for it, a part of it for loads and the rest for
// launches, so that neither can keep the other from being finished. A launch takes exactly what its
// kernel plans. A pair that does not fit alone goes to the general kernel, which takes less, gets a
// lower first bound, or falls back.
//
// # Score bounds
//
// The first bound is derived from the user's or from earlier scores (gpu/internal/estimate). Until
// there are some, a few pairs of a length go first, with bounding passes, too, whose results count
// as scores then. Where scores are large and differ widely, a pair takes a bounding pass: the score
// that it has in an adaptive band, an upper bound of the optimum and mostly equal to it, is the
// bound of its exact pass. Where the scores of a length class, or of the next shorter one that has
// some, are mostly low, its pairs may take a gated pass first. A class whose gated passes mostly
// fail takes none for some time. The bound affects time and memory, never the result: an exact
// kernel reports a score only if its band certifies it, and the traceback follows the rule of
// package align, which depends on the costs of cells alone. So every kernel and the CPU give the
// same alignment of a pair.
//
// # Gated passes
//
// A gated pass aligns a pair of few errors part by part. It finishes the pair, or finds an upper
// bound of its score, or nothing. The upper bound is that of the exact pass that follows, or, where
// that would take long, of a bounding pass before it, which may find a lower one. A gated pass may
// also leave some parts of the alignment open: those of many errors, with an upper bound of the
// cost of each. Such parts are exact pairs of a call of their own (assembler.go), with these
// bounds, and take no gated pass: they share queues and launches with all others, and no load waits
// for another one. When the inner call is over, the host puts the alignments of the parts in their
// places (partial.go), and the outer call can end. Parts of little cost share inner calls with
// those of other calls: a load and a launch of a few pieces would take as long as one of many
// (gathering.go). A pair of which a part falls back falls back. With scores alone no part is left
// open: such a pair has an upper bound of its score. Gated passes are for pairs that are aligned
// exactly, without a bound from the user.
//
// Patterns within texts have gated passes of their own, before one over the whole matrix: long
// pairs unless most of these passes fail, and others where that is likely to be quicker. If parts
// are left open, such a pass finds the place of the pair in the text: the alignment is the global
// one there, which the engine of global pairs finds. If an end has too many errors, another gated
// pass follows, with wavefronts up to higher scores for fewer pairs at a time. In long pairs of few
// errors that the pass has not aligned, and in those too long for any band, the host looks for
// gates (insider.go); those without any take the other passes, in a call of their own
// (outsiders.go). These are passes with a score bound, by wavefronts that begin on all diagonals
// from which the end is within the bound, or in a band of the matrix: a band that is too narrow
// gives an upper bound of the score, the next pass takes that or a part of it. Where these take as
// long as the whole matrix, that is computed. The score of a bounding pass, in an adaptive band
// that aligns all of the text, bounds that within the text. The band is wider than that of global
// pairs, for the path begins with letters ahead of the pattern, and such a pass counts as more than
// its work. A pair that leaves the band is likely to take the whole matrix.
//
// Where the first of these passes would be in a band with rims, a probe comes before it, for pairs of 1,000 to 40,000
// letters. It aligns nothing: it counts the broken seeds of the pair, and tells the diagonals on which
// the ends of the pattern lie. The score for each broken seed that few pairs exceed (package estimate) makes
// that the bound of the pass, and these the width of its band, with diagonals to spare by how many passes after probes fail.
//
// # Approximate mode
//
// A pair takes a pass in its first adaptive band, and others in wider ones or exact ones as the
// rule of package align says. When some pairs have been packed, samples of them tell which have few
// errors (sampling.go): these take the passes of the exact mode, gated ones at first. So do pieces,
// and pairs that the widest band loses. All these have classes of their own, whose scores tell
// nothing about pairs in bands. The host looks for pieces (align.Cutter, cutters.go) in pairs that
// have few errors at their ends alone, in those of unequal lengths, and in those that leave their
// first band, or whose score there is doubtful, when that pass is decoded. The pieces of the pairs
// that it cuts are exact pairs of a call of their own, too (assembly.go), whose first bounds are
// what the Cutter expects. When the inner call is over, the host joins the pieces. A piece with an
// empty sequence is a gap, as a pair is. A middle that takes a band of fixed width is exact on the
// device if it seems similar, and the host aligns it (align.Bander) if it does not, or if the band
// does not certify the score. A pair of which a piece falls back falls back.
//
// # Kernel families
//
// Package gpu/internal/kernel has the families. warp and block keep wavefronts in registers, for
// some penalties, scores that the band certifies, and lengths plus bounds up to 32,000. gotoh
// computes a band of the matrix, for most penalties: its time depends on the length and the width
// of the band, where that of wavefronts depends on the score. edit is the same for edit distance,
// 32 cells to a word. long is block for positions of any size in the text, with origins that move. tiles takes long pairs and higher scores for the penalties of warp and
// block. gated aligns pairs of few errors part by part, for most penalties, and leaves what it does
// not align to the others. general takes all other exact pairs, with wavefronts in memory and
// checkpoints, as on the CPU. span computes the whole matrix, in one pass, whatever the score: of
// global pairs for which that takes less time than a band or wavefronts, and of models that no
// other family takes, spans that are not global and gaps of two costs, whose pairs have no bounds.
// Before that, gated_free, warp_free, block_free, long_free and gotoh_free, those families with
// free ends, take patterns within texts. Long pairs of other such models whose pattern lies within
// the text may have gates (align.Insider), which the host looks for: an engine of global pairs
// beside that of the span family, with a part of its memory, aligns what is between them, and the
// host the ends (insider.go). Pairs whose cells do not fit into memory for the traceback fall back,
// and so do all if match scores and penalties are too large for its cells. adaptive_warp,
// adaptive_long, adaptive_rings and adaptive_block compute the adaptive band of the approximate
// mode and of bounding passes, in registers, in rings in shared memory for other penalties, and in
// memory.
//
// Of the kernels that take a pair and certify its bound, the one with the least estimated
// work has it (Kernel.Work). The estimates are measured times of single launches
// (BenchmarkLaunch of gpu/internal/kernel). A gotoh or edit kernel that certifies no score
// reports an upper bound of it, the bound of the pair's next pass. What a gotoh kernel without free ends certifies is a result, also
// above the bound, unless that is the user's.
//
// The band of a gotoh kernel certifies scores by the gaps of alignments that leave it, and by
// broken seeds of the pair, those that its text lacks, so that it may be half as wide. Where these
// do not certify a score of a global alignment, a search for detours may, in bands that are hardly
// wider than the alignment wanders: parts of alignments outside of the band, which cost more than
// what the band has (cuda/detours.cuh), by the indels there, by affine gaps if the score is high, or, if a mismatch costs several times
// as much as a letter of a gap, by the seeds that are missing there (cuda/outsidecosts.cuh). What is left of a score to certify by gaps is its slack
// (gpu/internal/estimate): that of a pair of one length, as the number of diagonals on either side
// counts. Results report its share of the score; a pair takes a band for the share that most others
// of its length and as many errors have, or for a larger one where other passes of some pairs would
// take longer, and, if that does not certify it, one for the slack that the result tells. Patterns
// within texts may begin and end outside of the band, too. In place of a search after it, they have
// lower bounds of all that is outside in the cells at the rims of the band (cuda/gotohrims.cuh). An
// alignment is a result if the traceback finds it within the band; else what is reported is no
// upper bound of the score. Where bands for a slack often fail and it takes less time, pairs take
// passes that depend on no slack.
//
// # To add a kernel family
//
//   - Write the kernel in a file of its own in cuda/, and include it in
//     the part of the image where it belongs (cuda/part-*.cu). It stores rows that a
//     path of cuda/traceback.cuh reads, or
//     checkpoints in a layout of cuda/checkpoint.cuh. If it may take long, it looks at
//     the stop word (cuda/stop.cuh). The first comment states what it computes, the
//     threads per pair, the layout of shared memory, and its limits.
//   - Write a file in gpu/internal/kernel with a type that implements Kernel, and
//     with the function that loads it. Add a row to the table in families.go.
//   - Add the kernel's own parameters to Params of gpu/internal/abi. For templates,
//     list the shapes in the family's file and in variants.go, and name the macro's
//     columns in gpu/internal/gen. Then run `go generate ./gpu`.
//   - Check it without a GPU: gpu/internal/emu runs it on the CPU, and
//     TestEmulatedEngine and the tests of that package compare it with package
//     align. Teach its launches to the fake GPU of this package's tests
//     (newFakeGPU, and fakeTraces for a traceback).
//   - Compile the image with nvcc (`make kernels`), and run scripts/gpu-check.sh
//     on a GPU.
//
// # Packages below
//
//   - gpu/internal/driver: the binding of the CUDA driver, independent of alignment.
//   - gpu/internal/abi: structures and constants that Go and CUDA share.
//   - gpu/internal/memory: memory of the device, and pinned memory, as work asks for it.
//   - gpu/internal/kernel: kernel families.
//   - gpu/internal/estimate: what results tell of the passes that other pairs should take.
//   - gpu/internal/passes: the choice of the passes of a pair.
//   - gpu/internal/pack: packing of letters on the host.
//   - gpu/internal/emu: the kernels on the CPU, for tests.
//   - gpu/internal/ended: why a call has ended.
//
// Files here refer one way, but for those with methods of one type: open → middle → engine →
// staging, runners → cut, stage, runner → transfer, schedule → form → plan → decode → outsiders → insider →
// assembly, partial → assembler → gathering → followup → spans, cutters, queue, flight → launch →
// stopword, starts, sorter, load → frame, storage.
package gpu

//go:generate go run ./internal/gen ..
