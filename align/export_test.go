package align

import "wfagpu/cigar"

// AlignApprox is the approximate mode without the exact mode behind it: score
// is what score-only mode reports, cost what the alignment costs. a is neither
// score-only nor exact.
func (a *Aligner) AlignApprox(pattern, text []byte) (score, cost int, c cigar.CIGAR, ok bool, err error) {
	if err := a.load(pattern, text); err != nil {
		return 0, 0, nil, false, err
	}
	if !a.approxWavefronts(true) {
		return 0, 0, nil, false, nil
	}
	score = a.approx.s
	c, cost, err = a.approx.traceback(nil)
	return score * a.scale, cost * a.scale, c, true, err
}

// ApproxStats counts the pairs so far.
func (a *Aligner) ApproxStats() ApproxStats { return a.approxStats }

// Stats counts the pairs of the exact methods so far.
func (a *Aligner) Stats() Stats { return a.stats }

// ApproxHistory is the size of what is stored for tracebacks of the approximate mode, in bytes.
// Blocks are counted as far as they have been used.
func (a *Aligner) ApproxHistory() (n int) {
	k := &a.approx.history
	for i := range k.segments {
		n += k.segments[i].arena.most
	}
	for _, c := range k.checks {
		n += cap(c.ring)
	}
	return 4 * n
}
