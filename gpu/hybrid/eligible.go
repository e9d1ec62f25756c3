package hybrid

import (
	"sort"

	"wfagpu/align"
)

// eligible selects the batches that the CPU may align while GPUs open: those with
// the same results on both, and with pairs that take less time than opening a GPU.
type eligible struct {
	longest int // longest sequence, in letters
}

// longestEarly bounds the time that one pair takes the CPU. A longer pair may
// take more than the second in which a GPU opens.
const longestEarly = 1 << 14

// newEligible returns the selection for an engine with these options on the CPU.
//
// CPU and GPU give the same alignment if its traceback fits into Options.Memory
// (see align.Options and package gpu). Scores do not depend on memory. The same
// holds in approximate mode, which aligns the pairs that leave the band exactly.
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
