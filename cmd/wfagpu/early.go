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
		return tracebackBytes(o.Penalties, n+1) > int64(o.Memory)
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

// widestVector is the most offsets that the CPU's code computes at a time.
const widestVector = 16

// tracebackBytes is an upper bound on what the CPU engine stores for the
// traceback of any two sequences of up to n letters: 4 bytes for each diagonal
// of the wavefronts of all scores up to the pair's.
func tracebackBytes(p align.Penalties, n int) int64 {
	p, _ = p.Reduced() // the others are no scores
	x, e := p.Mismatch, p.GapExtend
	// No pair costs more than two gaps, nor than mismatches and a gap; see
	// align.Penalties.Worst.
	scores := 1 + min(2*p.Gap(n), p.GapOpen+max(x, e)*n)
	// A wavefront has two diagonals more than that of the score e less, until it
	// has all of the matrix.
	growing := min(scores, e*n)
	offsets := int64(growing)*int64(growing/e+2) + int64(scores-growing)*int64(2*n+1)
	// On both sides are nulls: as far as one step of the recurrence reaches, in
	// whole vectors, and one vector that may be partly filled.
	reach := p.LongestStep()/e + 3
	offsets += int64(scores) * int64(2*reach+5*widestVector)
	return 4 * offsets
}
