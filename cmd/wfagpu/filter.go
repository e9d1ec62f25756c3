package main

import (
	"fmt"
	"math"
	"strconv"

	"wfagpu/align"
)

// resultFilter says which pairs are written: those that no engine could align in any case.
type resultFilter struct {
	maxScore    scoreBound
	minIdentity int64 // in units of identityUnit, 0 for none
}

// scoreBound is the highest score to be written, if there is one.
type scoreBound struct {
	set  bool
	most int
}

// parseMaxScore reads --max-score.
func parseMaxScore(s string) (scoreBound, error) {
	if s == "none" {
		return scoreBound{}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return scoreBound{}, fmt.Errorf("want none or a whole number from 0 to %d", math.MaxInt32)
	}
	return scoreBound{true, n}, nil
}

// none reports whether all pairs are written.
func (f *resultFilter) none() bool { return !f.maxScore.set && f.minIdentity == 0 }

// keeps reports whether a pair is written. One beyond the cutoff is not: its score is not known.
func (f *resultFilter) keeps(r *align.Result) bool {
	switch {
	case r.Err != nil:
		return true
	case r.Score == align.Beyond:
		return false
	case f.maxScore.set && r.Score > f.maxScore.most:
		return false
	case f.minIdentity == 0:
		return true
	}
	n := r.CIGAR.Columns()
	all := int64(n.All())
	return all > 0 && int64(n.Matches)*identityUnit >= f.minIdentity*all
}

// mark says of every pair of b whether it is left out, and counts these. It uses the storage of
// dst.
func (f *resultFilter) mark(dst []bool, b *align.Batch) (leave []bool, left int64) {
	dst = dst[:0]
	for i := range b.Results {
		kept := f.keeps(&b.Results[i])
		dst = append(dst, !kept)
		if !kept {
			left++
		}
	}
	return dst, left
}
