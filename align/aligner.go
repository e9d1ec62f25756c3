package align

import (
	"errors"
	"sync/atomic"

	"wfagpu/cigar"
)

// Aligner aligns one pair at a time. It owns all the memory it works in and allocates
// none once that has grown to the largest pair seen. It is not safe for concurrent use.
type Aligner struct {
	kern        *kernels
	model       Model
	pen         Penalties // of the model, divided by their gcd
	scoreOnly   bool
	memory      int
	limit       int              // the largest score to report, in units of scale
	approx      *adaptiveAligner // nil in exact mode
	wanted      Approx
	approxStats ApproxStats
	pieces      *pieces // nil in exact mode

	pattern, text sequence // the loaded pair
	narrow        *narrow  // nil if the level has no kernel for it
	waves         *wavefronts
	seeded        *seeded
	checks        *checkpoints
	bounds        bounds
	band          *banded // nil if the level has no kernel for it
	edit          *edit   // nil unless the penalties are 1,0,1
	unequal       unequal
	spanned       *spanned // nil for global alignments with one cost of gaps
	groups        []*bandGroup
	batch         *Batch // nil unless pairs may join groups
	index         int    // of the loaded pair in batch
	costs         costModel
	stats         Stats

	// stop, if not nil, is set by another goroutine to interrupt the Aligner.
	stop *atomic.Bool
}

// errStopped is returned by an interrupted Aligner.
var errStopped = errors.New("stopped")

// stopOn interrupts the aligner when stop is set; nil for never.
func (a *Aligner) stopOn(stop *atomic.Bool) {
	a.stop, a.unequal.stop, a.bounds.stop = stop, stop, stop
	if a.band != nil {
		a.band.stop = stop
	}
	if a.edit != nil {
		a.edit.stop = stop
	}
	if a.spanned != nil {
		a.spanned.stopOn(stop)
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
	pen := model.Affine()
	k := kernelsFor(opts.Level)
	if !model.Plain() {
		return newSpannedAligner(k, model, opts), nil
	}
	a := &Aligner{
		kern:      k,
		model:     model,
		pen:       pen,
		scoreOnly: opts.ScoreOnly,
		memory:    opts.Memory,
		limit:     MostBelow(opts.Cutoff, model.Scale),
		waves:     newWavefronts(k, pen),
		checks:    newCheckpoints(k, pen),
		costs:     costModel{gapExtend: pen.GapExtend},
	}
	a.seeded = newSeeded(k, pen, a.waves)
	a.unequal = unequal{
		kern: k, pen: pen, scoreOnly: opts.ScoreOnly, memory: opts.Memory,
		pattern: &a.pattern, text: &a.text, costs: &a.costs, worth: unequalCost,
	}
	a.edit = newEdit(k, pen)
	a.unequal.edit = a.edit
	a.bounds = bounds{kern: k, pen: pen, pattern: &a.pattern, text: &a.text}
	if k.narrow != nil {
		a.narrow = newNarrow(k.narrow, pen)
	}
	if opts.Approx != nil {
		a.approx, a.wanted = newAdaptiveAligner(k, pen, opts.Memory), *opts.Approx
		a.pieces = newPieces(k, pen)
	}
	if k.band != nil && bandTakes(pen) {
		for _, g := range k.groups {
			a.groups = append(a.groups, newBandGroup(g, pen))
		}
		a.band = newBanded(k.band, pen)
		a.unequal.band, a.bounds.band = a.band, a.band
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

func (a *Aligner) load(pattern, text []byte) error {
	if err := a.pattern.load(a.kern, pattern, patternPad); err != nil {
		return err
	}
	return a.text.load(a.kern, text, textPad)
}

// align aligns the loaded pair; its score is a reduced cost.
func (a *Aligner) align(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if a.spanned != nil {
		a.stats.Banded++
		return a.spanned.align(dst, &a.pattern, &a.text)
	}
	if a.approx != nil {
		if s, c, ok, err := a.tryApprox(dst); ok || err != nil {
			return s, c, err
		}
	}
	return a.alignExactly(dst)
}

// alignExactly aligns the loaded pair exactly.
func (a *Aligner) alignExactly(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if min(a.pattern.n, a.text.n) == 0 {
		a.stats.Wavefront++
		if !a.scoreOnly {
			dst = dst.AppendElem(runIns, a.pattern.n)
			dst = dst.AppendElem(runDel, a.text.n)
		}
		return a.pen.Gap(a.pattern.n + a.text.n), dst, nil
	}
	if a.pen.LengthGap(a.pattern.n, a.text.n) > a.limit {
		return 0, dst, a.beyond(&a.stats.Wavefront)
	}
	if a.band != nil {
		a.band.load(&a.pattern, &a.text)
	}
	if s, c, ok, err := a.tryUnequal(dst); ok || err != nil {
		return s, c, err
	}
	s, c, err := a.exact(dst)
	switch err {
	case nil:
		a.costs.observe(s, a.pattern.n+a.text.n)
	case errBeyond:
		a.costs.observe(a.limit, a.pattern.n+a.text.n)
	}
	return s, c, err
}

// tryUnequal aligns the loaded pair where its lengths differ much, and reports whether it did.
// The score of such a pair tells nothing about its neighbours', so it is not observed.
func (a *Aligner) tryUnequal(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	s, dst, by, err := a.unequal.align(dst)
	switch {
	case err != nil || by == byNone:
		return s, dst, false, err
	case by == byMatrix:
		a.stats.Banded++
	default:
		a.stats.Wavefront++
	}
	return s, dst, true, nil
}

// exact aligns the loaded pair exactly. The expected score, from earlier pairs or from the
// first wavefronts, selects the method that is tried.
func (a *Aligner) exact(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	guess := min(a.costs.expected(a.pattern.n+a.text.n), a.limit+1)
	if a.narrow != nil {
		try := a.tryNarrow
		if a.edit != nil && a.edit.narrow != nil {
			try = a.tryEditNarrow
		}
		s, c, done, err := try(dst, guess)
		if done {
			return s, c, err
		}
		guess = s
	}
	if guess > 0 && a.editPays(guess, 0) {
		if s, c, ok, err := a.tryEdit(dst, guess); ok || err != nil {
			return s, c, err
		}
	}
	if a.edit == nil {
		s, c, done, err := a.trySeeded(dst, guess)
		if done || err != nil {
			return s, c, err
		}
		guess = s
	}
	if a.batch != nil && guess > 0 && a.join(guess) {
		return 0, dst, errWaits
	}
	bound := 0
	if guess > 0 && a.band != nil {
		if pays, fixed := a.costs.bandPays(a.band, guess, 0); pays {
			var s int
			var c cigar.CIGAR
			var ok bool
			var err error
			if fixed {
				s, c, ok, err = a.tryBand(dst, guess)
			} else {
				s, c, ok, err = a.bounded(dst, guess, 0, &bound)
			}
			if ok || err != nil {
				return s, c, err
			}
		}
	}
	return a.wavefronts(dst, bound)
}

// tryNarrow aligns the loaded pair on few diagonals and reports whether that was enough. If
// not it returns the expected score, 0 where unknown. guess is the score expected from
// earlier pairs.
func (a *Aligner) tryNarrow(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	bound := n.certified(a.text.n - a.pattern.n)
	if a.limit <= bound {
		n.start(&a.pattern, &a.text)
		if !n.upTo(a.limit) {
			return 0, dst, true, a.beyond(&a.stats.Wavefront)
		}
		return a.fromNarrow(dst)
	}
	if bound < 0 || guess > bound {
		return guess, dst, false, nil
	}
	n.start(&a.pattern, &a.text)
	if guess == 0 || guess > bound/2 {
		// Few scores predict little; earlier pairs may predict more.
		first := min(firstPrediction, bound)
		if !n.upTo(first) {
			seen := predict(first, n.furthest(), a.pattern.n+a.text.n)
			if guess > 0 {
				seen = (seen + 2*guess) / 3
			}
			if seen > bound {
				return seen, dst, false, nil
			}
		}
	}
	if !n.upTo(bound) {
		seen := predict(bound, n.furthest(), a.pattern.n+a.text.n)
		return max(seen, guess), dst, false, nil
	}
	return a.fromNarrow(dst)
}

// fromNarrow finishes a pair whose end the narrow wavefronts have reached.
func (a *Aligner) fromNarrow(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	a.stats.Wavefront++
	s := n.args.score
	if a.scoreOnly {
		return s, dst, true, nil
	}
	dst, err := n.traceback(dst, &a.pattern, &a.text)
	return s, dst, true, err
}
