package align

import "wfagpu/cigar"

// FencedResult is the result of fenced bands.
type FencedResult struct {
	Bound     int // 0 for none
	Certified bool
	CIGAR     cigar.CIGAR
	Traced    bool
}

// AlignFenced aligns a pair in bands of so many diagonals, whose score is expected to be guess. It is nil where the
// level has no fenced bands.
func AlignFenced(o Options, pattern, text []byte, guess, first, later int) (*FencedResult, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	a, err := NewAligner(o)
	if err != nil || a.exact.fence == nil {
		return nil, err
	}
	if err := a.load(pattern, text); err != nil {
		return nil, err
	}
	f := a.exact.fence.fenced
	f.first, f.later = max(first, 2*f.band.width), max(later, f.band.width)
	f.band.load(&a.pattern, &a.text)
	r := &FencedResult{}
	s, ok := f.bound(guess / a.model.Scale)
	if !ok {
		return r, nil
	}
	r.Bound = s * a.model.Scale
	if r.Certified = f.certify(s, true, o.Memory); r.Certified {
		var err error
		r.CIGAR, err = f.traceback(nil, s)
		r.Traced = err == nil
	}
	return r, nil
}
