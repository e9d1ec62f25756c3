package main

import (
	"sort"

	"wfagpu/align"
)

// earlyBatches says which batches the CPU may align before it is known whether
// a GPU is there: those that come out the same from either, and that do not
// take so long that it would have been better to wait.
type earlyBatches struct {
	longest int // letters of a sequence
}

// longestEarly bounds what one pair takes the CPU. Longer pairs may keep it for
// more than the second in which a GPU is open.
const longestEarly = 1 << 14

// newEarlyBatches is for a run with this engine on the CPU.
//
// The CPU gives the alignments of the GPU as long as their traceback fits into
// Options.Memory (see align.Options and package gpu). Scores do not depend on
// memory. The approximate mode aligns pairs exactly which its band loses, and
// so is no exception.
func newEarlyBatches(o align.Options) earlyBatches {
	if o.ScoreOnly {
		return earlyBatches{longestEarly}
	}
	above := sort.Search(longestEarly, func(n int) bool {
		return align.TracebackBytes(o.Penalties, n+1) > int64(o.Memory)
	})
	return earlyBatches{above}
}

// take reports whether the CPU may align b.
func (e earlyBatches) take(b *align.Batch) bool {
	for i := range b.Pairs {
		if p := &b.Pairs[i]; max(len(p.Pattern), len(p.Text)) > e.longest {
			return false
		}
	}
	return true
}
