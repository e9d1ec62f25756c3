package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// Aligner aligns one pair at a time. It owns all the memory it works in and allocates
// none once that has grown to the largest pair seen. It is not safe for concurrent use.
type Aligner struct {
	kern  *kernels
	model Model
	limit int // the largest score to report, in units of the model's scale

	pattern, text sequence // the loaded pair
	stats         Stats
	spanned       *spanned     // nil for plain models
	exact         *exact       // nil if spanned is not
	approx        *approximate // nil in exact mode

	// stop, if not nil, is set by another goroutine to interrupt the Aligner.
	stop *atomic.Bool
}

// stopOn interrupts the aligner when stop is set; nil for never.
func (a *Aligner) stopOn(stop *atomic.Bool) {
	a.stop = stop
	if a.spanned != nil {
		a.spanned.stopOn(stop)
	} else {
		a.exact.stopOn(stop)
	}
}

// NewAligner returns an Aligner, or an error when the options are out of range.
// opts.Threads is ignored.
func NewAligner(opts Options) (*Aligner, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	model, err := opts.Model()
	if err != nil {
		return nil, err
	}
	a := &Aligner{kern: kernelsFor(opts.Level), model: model, limit: MostBelow(opts.Cutoff, model.Scale)}
	if !model.Plain() {
		a.spanned, err = newSpanned(a.kern, model, opts)
		return a, err
	}
	a.exact = newExact(given{
		kern: a.kern, pen: model.Affine(), scoreOnly: opts.ScoreOnly, memory: opts.Memory,
		limit: a.limit, stats: &a.stats,
	})
	if a.exact.edit == nil && opts.Approx == nil {
		a.exact.bundle = newBundle(a.kern, &model, opts.ScoreOnly, opts.Memory)
		a.exact.lanes = newExactLanes(&a.exact.given, &model)
	}
	if opts.Approx != nil {
		a.approx = newApproximate(a.exact, *opts.Approx)
	}
	return a, nil
}

// Align returns the optimal score of pattern and text under the options (one that is no better
// in approximate mode) and, unless the Aligner is score-only, the alignment itself in dst's
// storage; Place has its place. With Options.Cutoff the penalty may be Beyond. Letters compare as
// cigar.Canonical maps them. The only errors that a caller can cause are ErrLetter,
// ErrLength and ErrCosts.
func (a *Aligner) Align(pattern, text []byte, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	dst = dst[:0]
	if err := a.load(pattern, text); err != nil {
		return 0, dst, err
	}
	s, c, err := a.align(dst)
	return a.result(s, c, err, a.pattern.n+a.text.n)
}

// Place returns the part of the last pair that its alignment covers. In score-only mode it is
// known for global alignments alone, and zero for others.
func (a *Aligner) Place() Place {
	if a.spanned != nil {
		return a.spanned.place
	}
	return Place{PatternEnd: a.pattern.n, TextEnd: a.text.n}
}

// approxStats returns the counts of the approximate mode.
func (a *Aligner) approxStats() ApproxStats {
	switch {
	case a.approx != nil:
		return a.approx.stats
	case a.spanned != nil && a.spanned.approx != nil:
		return a.spanned.approx.stats
	}
	return ApproxStats{}
}

func (a *Aligner) load(pattern, text []byte) error {
	if err := a.pattern.load(a.kern, pattern, patternPad); err != nil {
		return err
	}
	return a.text.load(a.kern, text, textPad)
}

// align aligns the loaded pair; its score is a reduced cost.
func (a *Aligner) align(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if a.spanned != nil {
		s, c, err := a.spanned.align(dst, &a.pattern, &a.text)
		if !a.spanned.inBand && err != errWaits {
			a.stats.Banded++
		}
		return s, c, err
	}
	if a.approx != nil {
		if s, c, ok, err := a.approx.align(dst, &a.pattern, &a.text); ok || err != nil {
			return s, c, err
		}
	}
	return a.exact.align(dst, &a.pattern, &a.text)
}
