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
	approx, exact := a.wanted.For(a.pattern.n, a.text.n)
	if exact {
		return 0, 0, nil, false, nil
	}
	if score, ok = f.run(&a.pattern, &a.text, approx, true, nil); !ok {
		return 0, 0, nil, false, nil
	}
	c, cost, err = f.backtrace(nil)
	return score * a.scale, cost * a.scale, c, true, err
}
