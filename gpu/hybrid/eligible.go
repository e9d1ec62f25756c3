package hybrid

import (
	"sort"

	"wfagpu/align"
)

// eligible says which batches the CPU may align while GPUs are being opened:
// those that get the same results from either, and that take less time than a
// GPU takes to open.
type eligible struct {
	longest int // letters of a sequence
}

// longestEarly bounds the time that one pair takes the CPU. A longer pair may
// take more than the second in which a GPU opens.
const longestEarly = 1 << 14

// newEligible is for an engine with these options on the CPU.
//
// The CPU gives the alignments of the GPU as long as their traceback fits into
// Options.Memory (see align.Options and package gpu). Scores do not depend on
// memory. The approximate mode aligns the pairs that leave its band exactly, and
// so is no exception.
func newEligible(o align.Options) eligible {
	if o.ScoreOnly {
		return eligible{longestEarly}
	}
	above := sort.Search(longestEarly, func(n int) bool {
		return align.TracebackBytes(o.Penalties, n+1) > int64(o.Memory)
	})
	return eligible{above}
}

// has reports whether the CPU may align b.
func (e eligible) has(b *align.Batch) bool {
	for i := range b.Pairs {
		if p := &b.Pairs[i]; max(len(p.Pattern), len(p.Text)) > e.longest {
			return false
		}
	}
	return true
}
