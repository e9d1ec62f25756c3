package main

import (
	"context"
	"fmt"
	"strings"

	"wfagpu/align"
	"wfagpu/gpu"
)

// engines are what aligns a run: the CPU alone, or GPUs with the CPU behind
// them for the pairs that they leave.
type engines struct {
	aligner  // all of them together
	cpu      *align.Engine
	gpus     []*gpuWorker // in a run that has begun early, from settle on
	expected int          // GPUs that may yet come
	joining  *joining     // of a run that has begun early; see startEngines
	// notice says in one line what aligns, and why other GPUs do not; empty
	// where that is no news.
	notice string
}

// openEngines turns --device into engines. A device that was demanded and is
// not there is an error; only auto may settle for the CPU, see notice.
func openEngines(ctx context.Context, opts *alignOptions, cpuOpts align.Options) (*engines, error) {
	cpu, err := newCPU(cpuOpts)
	if err != nil {
		return nil, err
	}
	e := &engines{aligner: cpu, cpu: cpu}
	if opts.device.kind == "cpu" {
		return e, nil
	}
	if err := checkKernelsVariable(); err != nil {
		return nil, &deviceError{err}
	}
	set, err := openGPUs(ctx, opts.gpus, opts.device.indices, gpuOptions(opts, cpuOpts), cpu)
	if err != nil {
		return nil, err
	}
	if err := set.refusal(opts.device); err != nil {
		set.close() // the reason for the refusal says more than a failure here
		return nil, err
	}
	e.gpus, e.aligner = set.workers, set.before(cpu)
	e.notice = e.says(set)
	return e, nil
}

func newCPU(o align.Options) (*align.Engine, error) {
	cpu, err := align.New(o)
	if err != nil {
		// The flags have been checked one by one; what is left is a code path
		// that this CPU does not run.
		return nil, &deviceError{err}
	}
	return cpu, nil
}

func gpuOptions(opts *alignOptions, cpuOpts align.Options) gpu.Options {
	return gpu.Options{
		Penalties: cpuOpts.Penalties,
		ScoreOnly: cpuOpts.ScoreOnly,
		MaxError:  opts.maxError,
		Approx:    cpuOpts.Approx,
	}
}

// says makes the notice, where this came of opening GPUs; nil where nothing did.
func (e *engines) says(set *gpuSet) string {
	used := e.cpu.Options()
	cpu := fmt.Sprintf("the CPU (%s, %s)", count(int64(used.Threads), "thread"), used.Level)
	switch {
	case set == nil:
		return cpu + "; the run ended before a GPU was ready"
	case len(set.workers) == 0:
		return fmt.Sprintf("%s; no GPU is used: %s", cpu, faultText(set.faults))
	case len(set.faults) == 0:
		return fmt.Sprintf("%s; what is left goes to %s", gpuNames(set.workers), cpu)
	}
	return fmt.Sprintf("%s; what is left goes to %s; not used: %s", gpuNames(set.workers), cpu, faultText(set.faults))
}

// faultText puts reasons into one line, each once: what is wrong with the
// driver or the kernels is so for every GPU.
func faultText(faults []error) string {
	var texts []string
	seen := map[string]bool{}
	for _, f := range faults {
		// A failure on closing is many joined in one.
		for text := range strings.SplitSeq(f.Error(), "\n") {
			if !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "; ")
}

const (
	// batchBases keep the CPU's threads busy and its caches warm. GPUs do not
	// gain from more either: their launches of different batches overlap, and
	// smaller batches get the first of them under way sooner.
	batchBases = 4e6

	// maxSlots is enough for any number of threads, as reading and writing
	// one batch take a small part of the time to align it.
	maxSlots = 16
	// gpuSlots are as many batches as a GPU has at work at a time, some of
	// them being copied while others are in its kernels.
	gpuSlots = 8
)

// slots is the number of batches in the pipeline: one for each thread, one
// being read and one being written, and enough for every GPU, also for those
// that are expected: the pipeline begins before they are open.
//
// It bounds the memory of the run: a slot holds a batch's letters, 150 bytes or
// so for each of its at most maxBatchPairs pairs, their CIGARs and the text of
// their results. That is some 10 MB, 160 MB for 16 slots, and 80 MB more for
// each GPU from the third on. The reader has batches of its own, of letters and
// positions alone: at most 8, or 45 MB.
func (e *engines) slots(threads int) int { return slotsFor(threads, max(len(e.gpus), e.expected)) }

func slotsFor(threads, gpus int) int {
	least := gpuSlots * gpus
	return min(max(threads+2, least), max(maxSlots, least))
}

// slotsNow tells how many of them may be in use at the moment: GPUs that are
// expected may never come, and the CPU alone would fill whatever there is. It is
// nil where there is nothing to wait for.
func (e *engines) slotsNow(threads int) func() int {
	if e.joining == nil {
		return nil
	}
	j, most := e.joining, e.slots(threads)
	return func() int { return min(slotsFor(threads, j.gpus()), most) }
}

// close gives the GPUs back. The results are out by now, so that a failure is
// no more than worth a notice.
//
// The command itself leaves that to the end of its process; see leftOpen.
func (e *engines) close(con *console) {
	e.settle()
	if err := (&gpuSet{workers: e.gpus}).close(); err != nil {
		con.notice("closing the GPU: %s", faultText([]error{err}))
	}
}
