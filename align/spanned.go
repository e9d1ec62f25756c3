package align

import (
	"errors"
	"sync/atomic"

	"wfagpu/cigar"
)

// ErrCosts is reported for a pair whose costs exceed the 32 bits that alignments with free
// ends or two costs of gaps are computed in.
var ErrCosts = errors.New("the costs of this pair exceed 32 bits: choose smaller penalties")

// spanMethod is a way to align pairs under models of any span and of gaps with one or two costs.
// Every method follows the rule of the package comment, so which one aligns a pair shows in its
// time alone.
type spanMethod interface {
	// align aligns a pair whose costs fit 32 bits (costsFit) and puts the alignment into
	// dst's storage, unless the method is score-only. ok is false for a pair that is not for
	// the method. A method whose stop flag is set ends with errStopped.
	align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (r spanResult, ok bool, err error)
	// stopOn sets the flag that interrupts the method; nil for none.
	stopOn(stop *atomic.Bool)
}

// spanResult is what a spanMethod reports.
type spanResult struct {
	cost  int   // reduced, letters left out at free ends included
	place Place // not in score-only mode
	cigar cigar.CIGAR
}

// spanned aligns pairs where they are not to be aligned globally with one cost of gaps. The
// methods are asked in their order; the last one takes every pair.
type spanned struct {
	kern      *kernels
	model     Model
	zdrop     int
	scoreOnly bool
	limit     int         // the largest cost to report
	approx    *spanApprox // nil in exact mode
	inBand    bool        // the last pair was aligned by it
	methods   []spanMethod
	drop      dropped
	inside    *insideMethod // one of methods, or nil
	choice    *spanChoice   // one of methods
	place     Place         // of the last alignment
	stop      *atomic.Bool
}

func newSpanned(k *kernels, m Model, o Options) (*spanned, error) {
	a := &spanned{
		kern: k, model: m, zdrop: o.ZDrop, scoreOnly: o.ScoreOnly, limit: MostBelow(o.Cutoff, m.Scale),
	}
	inside, err := newInsideMethod(k, &m, o)
	if err != nil {
		return nil, err
	}
	if inside != nil {
		a.inside, a.methods = inside, append(a.methods, inside)
	}
	ends, err := newAnyEnds(k, &m, o)
	if err != nil {
		return nil, err
	}
	if ends != nil {
		a.methods = append(a.methods, ends)
	}
	long, err := newGatedLong(k, &m, o)
	if err != nil {
		return nil, err
	}
	if long != nil {
		a.methods = append(a.methods, long)
	}
	a.choice = newSpanChoice(k, o.ScoreOnly, o.Memory)
	if o.ZDrop == 0 {
		a.choice.bundle = newBundle(k, &m, o.ScoreOnly, o.Memory)
	} else if a.drop.global, err = NewAligner(globalOptions(o)); err != nil {
		return nil, err
	}
	a.methods = append(a.methods,
		a.choice,
		&spanMatrix{scoreOnly: o.ScoreOnly, memory: o.Memory},
	)
	if o.Approx != nil {
		a.approx = newSpanApprox(k, o)
	}
	return a, nil
}

// stopOn interrupts the alignment when stop is set; nil for never.
func (a *spanned) stopOn(stop *atomic.Bool) {
	a.stop = stop
	if a.approx != nil {
		a.approx.stopOn(stop)
	}
	for _, m := range a.methods {
		m.stopOn(stop)
	}
	if g := a.drop.global; g != nil {
		g.stopOn(stop)
	}
	if b := a.choice.bundle; b != nil {
		b.stop = stop
	}
}

// align aligns a pair and returns its reduced cost.
func (a *spanned) align(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, error) {
	a.place = Place{}
	if !a.model.costsFit(pattern.n, text.n) {
		return 0, dst, ErrCosts
	}
	if a.zdrop > 0 {
		return a.alignDropped(dst, pattern, text)
	}
	r, err := a.by(dst, &a.model, pattern, text)
	if err == nil && r.cost > a.limit {
		err = errBeyond
	}
	if err != nil {
		return 0, dst, err
	}
	a.place = r.place
	if a.model.Span == Global {
		a.place = Place{PatternEnd: pattern.n, TextEnd: text.n}
	}
	return r.cost, r.cigar, nil
}

// alignDropped aligns a pair that ends early: from where both sequences begin to the best cell
// before a z-drop.
func (a *spanned) alignDropped(dst cigar.CIGAR, pattern, text *sequence) (int, cigar.CIGAR, error) {
	d := &a.drop
	if err := d.find(a.kern, &a.model, a.zdrop, pattern, text, a.stop); err != nil {
		return 0, dst, err
	}
	cost := d.best.cost + a.model.FreeLetter*(pattern.n+text.n)
	if a.scoreOnly {
		return cost, dst, nil
	}
	if err := d.global.load(pattern.letters()[:d.best.v], text.letters()[:d.best.h]); err != nil {
		return 0, dst, err
	}
	_, dst, err := d.global.align(dst)
	if err == nil {
		a.place = Place{PatternEnd: d.best.v, TextEnd: d.best.h}
	}
	return cost, dst, err
}

// by aligns a pair by the first method that takes it.
func (a *spanned) by(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, error) {
	a.inBand = false
	if a.approx != nil {
		if r, ok, err := a.approx.align(dst, m, pattern, text); ok || err != nil {
			a.inBand = ok
			return r, err
		}
	}
	for _, method := range a.methods {
		if r, ok, err := method.align(dst, m, pattern, text); ok || err != nil {
			if ok && a.inside != nil {
				a.inside.observe(r.cost, pattern.n, text.n)
				if a.model.FreeLetter == 0 { // of the same costs
					a.choice.rate = a.inside.rate
				} else if method != spanMethod(a.choice) {
					a.choice.observe(m, r.cost, pattern.n, text.n)
				}
			}
			return r, err
		}
	}
	return spanResult{}, errSpanMethod
}

var errSpanMethod = errors.New("internal error: no method aligns this pair")

// maxSpanCost keeps sums of costs within 32 bits.
const maxSpanCost = 1 << 30

// costsFit reports whether no cell of a pair of these lengths has a cost beyond maxSpanCost,
// absolute or relative, one more step included.
func (m *Model) costsFit(pattern, text int) bool {
	step := max(m.Mismatch, m.Gap.Open+m.Gap.Extend, m.Long.Open+m.Long.Extend)
	return m.Cost(pattern)+m.Cost(text)+2*m.FreeLetter*(pattern+text)+2*step <= maxSpanCost
}
