package align

import "wfagpu/cigar"

// AlignApprox is the approximate mode without the exact mode behind it: score
// is what score-only mode reports, cost what the alignment costs. a is neither
// score-only nor exact.
func (a *Aligner) AlignApprox(pattern, text []byte) (score, cost int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, 0, nil, false, err
	}
	f := a.approx
	if !a.approxWavefronts(true) {
		return 0, 0, nil, false, nil
	}
	score = f.s
	c, cost, err = f.backtrace(nil)
	return score * a.scale, cost * a.scale, c, true, err
}

// ApproxStats counts the pairs so far.
func (a *Aligner) ApproxStats() ApproxStats { return a.approxStats }

// ApproxKept is the size of what is kept for tracebacks of the approximate mode,
// in bytes. Blocks are counted as far as they have been used.
func (a *Aligner) ApproxKept() (n int) {
	k := &a.approx.kept
	for i := range k.segments {
		n += k.segments[i].arena.most
	}
	for _, c := range k.checks {
		n += cap(c.held)
	}
	return 4 * n
}
