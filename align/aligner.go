package align

import "wfagpu/cigar"

// Aligner aligns one pair at a time. It owns all the memory it works in and
// allocates none once that has grown to the largest pair seen. It is not safe
// for concurrent use.
type Aligner struct {
	kern      *kernels
	scale     int // the penalties' gcd
	scoreOnly bool
	memory    int

	pattern, text sequence
	front         *front
	bi            bialigner
	band          *banded // nil where it does not pay
	alwaysBand    bool    // for tests: leave to the band whatever it can take
	scratch       cigar.CIGAR
	stats         Stats
}

// NewAligner returns an Aligner; opts.Threads is ignored.
func NewAligner(opts Options) (*Aligner, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	pen, scale := opts.Penalties.Reduced()
	k := kernelsFor(opts.Level)
	a := &Aligner{
		kern:      k,
		scale:     scale,
		scoreOnly: opts.ScoreOnly,
		memory:    opts.Memory,
		front:     newFront(k, pen, 0),
		bi:        newBialigner(k, pen),
	}
	if k.band != nil {
		a.band = newBanded(k.band, pen)
	}
	return a, nil
}

// Align returns the optimal gap-affine penalty of the global alignment of
// pattern and text and, unless the Aligner is score-only, the alignment itself
// in dst's storage. Letters compare as cigar.Canonical says. The only error a
// caller can cause is ErrLetter.
func (a *Aligner) Align(pattern, text []byte, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	dst = dst[:0]
	if err := a.pattern.load(a.kern, pattern, patternPad); err != nil {
		return 0, dst, err
	}
	if err := a.text.load(a.kern, text, textPad); err != nil {
		return 0, dst, err
	}
	s, dst, err := a.align(dst)
	return s * a.scale, dst, err
}

// align aligns the loaded pair; its score is in units of the penalties' gcd.
func (a *Aligner) align(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	f := a.front
	f.start(&a.pattern, &a.text, compM, !a.scoreOnly)
	look := firstLook
	if a.band != nil {
		a.band.load(&a.pattern, &a.text)
	}
	for !f.reached(compM) {
		if f.s >= look && a.band != nil {
			look += look/2 + 1
			guess := f.predict()
			if pays, fixed := a.bandPays(guess); pays || a.alwaysBand {
				s, c, ok, err := a.tryBand(dst, guess, fixed)
				if ok || err != nil {
					a.stats.Banded++
					return s, c, err
				}
			}
		}
		if !a.scoreOnly && f.arena.taken*4 > a.memory && f.s > a.minSplit() {
			a.stats.Bidirectional++
			c, s, err := a.bidirectional(dst, a.pattern.letters(), a.text.letters(), compM, compM)
			return s, c, err
		}
		f.step()
	}
	a.stats.Wavefront++
	if a.scoreOnly {
		return f.s, dst, nil
	}
	c, err := f.backtrace(dst, compM, compM)
	return f.s, c, err
}

// alignRange fills the results of the pairs [from, to) of b.
func (a *Aligner) alignRange(b *Batch, from, to int) {
	for i := from; i < to; i++ {
		p, r := &b.Pairs[i], &b.Results[i]
		r.Score, r.CIGAR, r.Err = a.Align(p.Pattern, p.Text, r.CIGAR)
	}
}
