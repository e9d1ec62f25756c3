package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// gatedLong aligns similar pairs globally where gaps have two costs, part by part between gates, as gated does. Parts
// that cost so little that all of their gaps are short have the alignments of the first cost of gaps alone. Others are
// aligned by other methods.
type gatedLong struct {
	scoreOnly bool
	affine    *Aligner // of the first cost of gaps
	scale     int      // what its scores are multiplied by
	short     int      // most that parts cost of which all gaps are short
	gates     runGates // by costs of gaps of which none costs more
	runs      []equalRun
	parts     []gatedPart
	other     insidePart
	pauses    pauses
	stop      *atomic.Bool
}

// newGatedLong returns nil for models that it does not take.
func newGatedLong(k *kernels, m *Model, o Options) (*gatedLong, error) {
	if m.Span != Global || m.Long == (Gap{}) || m.Affine().Validate() != nil {
		return nil, nil
	}
	o = globalOptions(o)
	o.Penalties, o.LongGap, o.Match = m.Affine(), Gap{}, 0
	affine, err := NewAligner(o)
	if err != nil {
		return nil, err
	}
	x := &gatedLong{scoreOnly: o.ScoreOnly, affine: affine, scale: affine.model.Scale}
	x.short = m.Cost((m.Long.Open-m.Gap.Open)/(m.Gap.Extend-m.Long.Extend)+1) - 1
	x.gates = newRunGates(k, Penalties{m.Mismatch, min(m.Gap.Open, m.Long.Open), min(m.Gap.Extend, m.Long.Extend)})
	x.other.prepare(k, m, o)
	return x, nil
}

func (x *gatedLong) stopOn(stop *atomic.Bool) {
	x.stop = stop
	x.affine.stopOn(stop)
	x.other.stopOn(stop)
}

// align takes pairs that have an alignment along runs of equal letters with gates that pay.
func (x *gatedLong) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	d := x.affine.exact.gated
	if !d.takes(pattern.n+text.n) || x.pauses.leaves() {
		return spanResult{}, false, nil
	}
	d.pattern, d.text = pattern, text
	ok := d.along.look(pattern, text) && x.split(d, m)
	x.pauses.record(ok, 4)
	if !ok {
		return spanResult{}, false, nil
	}
	r := spanResult{cigar: dst[:0]}
	for i := range x.parts {
		if i%64 == 0 && stopped(x.stop) {
			return spanResult{}, false, errStopped
		}
		p := &x.parts[i]
		if err := x.join(&r, d, m, p); err != nil {
			return spanResult{}, false, err
		}
	}
	if !x.scoreOnly {
		r.place = Place{PatternEnd: pattern.n, TextEnd: text.n}
	}
	return r, true, nil
}

// join aligns a part and adds it to r.
func (x *gatedLong) join(r *spanResult, d *gated, m *Model, p *gatedPart) error {
	if p.cost == 0 {
		if !x.scoreOnly {
			r.cigar = r.cigar.AppendElem(runMatch, p.next-p.v)
		}
		return nil
	}
	if x.isGap(d, m, p) {
		if c, ok := d.gap(r.cigar, p); ok {
			r.cost, r.cigar = r.cost+m.Cost(abs(p.endK-p.k)), c
			return nil
		}
	}
	if p.cost*x.scale > x.short {
		return x.between(r, d, p)
	}
	s, c, err := d.joinPart(r.cigar, p)
	if err != nil {
		return err
	}
	r.cost, r.cigar = r.cost+s*x.scale, c
	return nil
}

// between aligns a part that may have long gaps.
func (x *gatedLong) between(r *spanResult, d *gated, p *gatedPart) error {
	n, m := p.letters()
	at := p.v + p.k
	o := &x.other
	if err := o.align(d.pattern.letters()[p.v:p.v+n], d.text.letters()[at:at+m], p.cost*x.scale); err != nil {
		return err
	}
	r.cost += o.result.cost
	if !x.scoreOnly {
		r.cigar = Joined(r.cigar, withoutLast(o.result.cigar, p.end-p.next))
	}
	return nil
}

// split finds gates and sets the parts between them. It reports whether these cost little enough.
func (x *gatedLong) split(d *gated, m *Model) bool {
	d.along.endRuns()
	cost := x.costs(d, m)
	x.gates.find(d.pattern, d.text, x.runs, cost)
	d.gates.gates = append(d.gates.gates[:0], x.gates.gates...)
	runs := d.along.runs
	end := len(runs) - 1
	d.split(runs, runGate{}, runGate{end, runs[end].to})
	x.trim(d, m)
	if len(x.parts) == 1 && x.parts[0].cost > 0 && !x.isGap(d, m, &x.parts[0]) {
		return false
	}
	sum := 0.0
	for i := range x.parts {
		p := &x.parts[i]
		n, t := p.letters()
		sum += x.partTime(d, m, p, n, t)
	}
	return sum < gatedShare*min(expectedWaves(m, d.pattern.n, d.text.n, cost), sweepCost(d.kern, m, d.pattern.n, d.text.n, cost))
}

// isGap reports whether the only error of a part is a gap. Alignments of other gaps or of errors besides cost more.
func (x *gatedLong) isGap(d *gated, m *Model, p *gatedPart) bool {
	by := abs(p.endK - p.k)
	return p.single && by > 0 && p.cost == d.pen.Gap(by) && min(m.Gap.Open, m.Long.Open) > 0
}

// trim sets the parts. Of those that other methods align it splits off the equal letters before the gate of the first run
// and behind the first gate of their last run: such parts may take as many letters as their longest gap.
func (x *gatedLong) trim(d *gated, m *Model) {
	x.parts = x.parts[:0]
	equal := func(v, to, k int) {
		if v < to {
			x.parts = append(x.parts, gatedPart{v: v, k: k, end: to, endK: k, next: to})
		}
	}
	run := 0
	for i := range d.parts {
		p := d.parts[i]
		if p.cost*x.scale <= x.short || x.isGap(d, m, &p) {
			x.parts = append(x.parts, p)
			continue
		}
		if g := d.gates.gates; i == 0 && len(g) > 0 && g[0].run == 0 {
			equal(p.v, g[0].v, p.k)
			p.v = g[0].v
		}
		for x.runs[run].to < p.end || x.runs[run].k != p.endK {
			run++
		}
		to, end := x.gates.first(run), p.next
		p.end = min(p.end, to)
		p.next = min(p.next, p.end)
		p.single = false
		x.parts = append(x.parts, p)
		equal(p.next, end, p.endK)
	}
}

// partTime estimates what a part costs in nanoseconds.
func (x *gatedLong) partTime(d *gated, m *Model, p *gatedPart, n, t int) float64 {
	switch {
	case x.isGap(d, m, p):
		return gatedSimple
	case p.cost*x.scale > x.short:
		return gatedOther + min(expectedWaves(m, n, t, p.cost*x.scale), sweepCost(d.kern, m, n, t, p.cost*x.scale))
	case p.single:
		return gatedSimple
	case d.narrowFor(p) != nil:
		return gatedNarrow + gatedScore*float64(p.cost)
	}
	return gatedOther + d.otherCost(n, t, p.cost)
}

// longJump is so many letters of a gap that greedy passes them as one.
const longJump = 2 * narrowLanes

// costs sets the runs with what the alignment along them costs with both costs of gaps, and returns that of all.
func (x *gatedLong) costs(d *gated, m *Model) int {
	x.runs = append(x.runs[:0], d.along.runs...)
	less := 0
	for i := range x.runs {
		r := &x.runs[i]
		if i > 0 {
			if gap := abs(r.k - x.runs[i-1].k); gap > longJump {
				less += m.Gap.Open + gap*m.Gap.Extend - m.Cost(gap)
			}
		}
		r.cost = r.cost*x.scale - less
	}
	return x.runs[len(x.runs)-1].cost
}
