package align

import (
	"errors"
	"sync/atomic"

	"wfagpu/cigar"
)

// Aligner aligns one pair at a time. It owns all the memory it works in and
// allocates none once that has grown to the largest pair seen. It is not safe
// for concurrent use.
type Aligner struct {
	kern        *kernels
	scale       int // the penalties' gcd
	scoreOnly   bool
	memory      int
	approx      *approxFront // nil in exact mode
	wanted      Approx
	approxStats ApproxStats

	pattern, text sequence // the loaded pair
	front         *front
	bi            bialigner
	narrow        *narrow // nil where there is no code for it
	groups        []*bandGroup
	batch         *Batch  // nil unless pairs may be left to groups
	index         int     // of the loaded pair in batch
	rate          float64 // score per letter of the last pairs, 0 at first
	band          *banded // nil where there is no code for it
	scratch       cigar.CIGAR
	stats         Stats

	// stop, when not nil, is set from outside to give up.
	stop *atomic.Bool
}

// errStopped is returned when the aligner was told to stop.
var errStopped = errors.New("stopped")

func (a *Aligner) stopped() bool { return a.stop != nil && a.stop.Load() }

// stopOn makes the aligner give up when stop is set; nil for never.
func (a *Aligner) stopOn(stop *atomic.Bool) {
	a.stop, a.bi.stop = stop, stop
	if a.band != nil {
		a.band.stop = stop
	}
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
	if k.narrow != nil {
		a.narrow = newNarrow(k.narrow, pen)
	}
	if opts.Approx != nil {
		a.approx, a.wanted = newApproxFront(k, pen, opts.Memory), *opts.Approx
	}
	for _, g := range k.groups {
		a.groups = append(a.groups, newBandGroup(g, pen))
	}
	if k.band != nil {
		a.band = newBanded(k.band, pen)
	}
	return a, nil
}

// Align returns the optimal gap-affine penalty of the global alignment of
// pattern and text (an upper bound in approximate mode) and, unless the Aligner
// is score-only, the alignment itself in dst's storage. Letters compare as
// cigar.Canonical says. The only error a caller can cause is ErrLetter.
func (a *Aligner) Align(pattern, text []byte, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	dst = dst[:0]
	if err := a.load(pattern, text); err != nil {
		return 0, dst, err
	}
	s, dst, err := a.align(dst)
	return s * a.scale, dst, err
}

func (a *Aligner) load(pattern, text []byte) error {
	if err := a.pattern.load(a.kern, pattern, patternPad); err != nil {
		return err
	}
	return a.text.load(a.kern, text, textPad)
}

// align aligns the loaded pair; its score is in units of the penalties' gcd.
//
// No method knows beforehand how far it is from its goal. The score expected,
// from earlier pairs or from how far the first wavefronts come, decides which
// one is tried.
func (a *Aligner) align(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if a.approx != nil {
		if s, c, ok, err := a.tryApprox(dst); ok || err != nil {
			return s, c, err
		}
	}
	if a.band != nil {
		a.band.load(&a.pattern, &a.text)
	}
	s, c, err := a.method(dst)
	if err == nil {
		a.observe(s, a.pattern.n+a.text.n)
	}
	return s, c, err
}

// method picks the way to align the loaded pair.
func (a *Aligner) method(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	guess := a.expected()
	if a.narrow != nil {
		s, c, done, err := a.tryNarrow(dst, guess)
		if done {
			return s, c, err
		}
		guess = s
	}
	if a.batch != nil && guess > 0 && a.join(guess) {
		return 0, dst, errWaits
	}
	if guess > 0 && a.band != nil {
		if pays, fixed := a.bandPays(guess, 0); pays {
			if s, c, ok, err := a.tryBand(dst, guess, fixed); ok || err != nil {
				return s, c, err
			}
		}
	}
	return a.wavefronts(dst)
}

// tryNarrow aligns the loaded pair on few diagonals and reports whether that
// was enough. If not it returns the expected score, 0 where unknown. guess is
// what earlier pairs let expect.
func (a *Aligner) tryNarrow(dst cigar.CIGAR, guess int) (int, cigar.CIGAR, bool, error) {
	n := a.narrow
	limit := n.limit(a.text.n - a.pattern.n)
	if limit < 0 || guess > limit {
		return guess, dst, false, nil
	}
	n.start(&a.pattern, &a.text)
	if guess == 0 || guess > limit/2 {
		// Few scores tell little; earlier pairs may tell more.
		look := min(firstLook, limit)
		if !n.upTo(look) {
			seen := predict(look, n.furthest(), a.pattern.n+a.text.n)
			if guess > 0 {
				seen = (seen + 2*guess) / 3
			}
			if seen > limit {
				return seen, dst, false, nil
			}
		}
	}
	if !n.upTo(limit) {
		seen := predict(limit, n.furthest(), a.pattern.n+a.text.n)
		return max(seen, guess), dst, false, nil
	}
	a.stats.Wavefront++
	s := n.args.score
	if a.scoreOnly {
		return s, dst, true, nil
	}
	t := trace{pattern: &a.pattern, text: &a.text, pen: a.front.pen, score: s}
	dst, err := t.backtrace(dst, n.kept())
	return s, dst, true, err
}

// wavefronts aligns the loaded pair by wavefronts of any width, unless a look
// on the way tells that a band is quicker.
func (a *Aligner) wavefronts(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	f := a.front
	f.start(&a.pattern, &a.text, compM, !a.scoreOnly)
	look := firstLook
	for !f.reached(compM) {
		if a.stopped() {
			return 0, dst, errStopped
		}
		if f.s >= look && a.band != nil {
			look += look/2 + 1
			guess := predict(f.s, f.furthest(), a.pattern.n+a.text.n)
			if pays, fixed := a.bandPays(guess, f.s); pays {
				if s, c, ok, err := a.tryBand(dst, guess, fixed); ok || err != nil {
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
