package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// spanApprox aligns pairs approximately, within a spanBand: first in the band that the shorter length
// selects, then in wider ones while the pair drifts out. Where an alignment may begin on several
// diagonals, a locator finds where to place the band.
type spanApprox struct {
	approx    Approx
	scoreOnly bool
	kern      *kernels
	of        *Model // that the wavefronts are prepared for
	locator   locator
	band      spanBand
	history   waveHistory
	stats     ApproxStats
	stop      *atomic.Bool
}

func newSpanApprox(k *kernels, o Options) *spanApprox {
	x := &spanApprox{approx: *o.Approx, scoreOnly: o.ScoreOnly, kern: k}
	x.history.waves, x.history.run, x.history.memory = &x.band.freeWaves, &x.band, o.Memory
	return x
}

func (x *spanApprox) stopOn(stop *atomic.Bool) { x.stop = stop }

// align takes the pairs that are long enough and stay in a band.
func (x *spanApprox) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	short := min(pattern.n, text.n)
	band, ok := x.approx.First(short, short)
	if !ok || m.Span == Local {
		return spanResult{}, false, nil
	}
	if m.Span.EndsAnywhere() {
		band.StallInterval = 0 // a read that ends early stalls
	}
	x.prepare(m)
	begins, ends := m.diagonals(pattern.n, text.n)
	around := x.locator.around(pattern, text, begins, ends, band.Band, x.stop)
	for {
		x.band.band = band
		x.band.start(pattern, text, begins, around)
		end, how := x.run(ends)
		switch {
		case stopped(x.stop):
			return spanResult{}, false, errStopped
		case how == bandReached:
			x.stats.Aligned++
			return x.result(dst, end)
		case how == bandDrifted:
			x.stats.Widened++
			if band, ok = x.approx.WiderUntested(band); ok {
				continue
			}
		}
		x.stats.Fallback++
		return spanResult{}, false, nil
	}
}

func (x *spanApprox) prepare(m *Model) {
	if x.of == m {
		return
	}
	x.of = m
	x.locator.prepare(x.kern, m)
	x.band.prepare(x.kern, m)
}

// run computes wavefronts to the best end of the pair, on the diagonals of ends.
func (x *spanApprox) run(ends diagonals) (spanCell, bandEnd) {
	b := &x.band
	m, n, l := b.model, b.pattern.n, b.text.n
	progress := newProgress(m.distance(max(0, -b.lowest), max(0, b.lowest), n, l))
	end := noEnd
	x.history.start(!x.scoreOnly, x.stop)
	for !stopped(x.stop) {
		x.history.noteRow()
		end = b.lookFor(end, ends)
		if end.cost <= b.cost() {
			return end, bandReached
		}
		if b.s == b.nextAdjust {
			drifted := !b.adjust() || progress.stalls(b.nearestEnd, b.band, m.Mismatch)
			if drifted && (!end.found() || m.Span.EndsAnywhere()) {
				return noEnd, bandDrifted
			}
			if b.dead() {
				return noEnd, bandLost
			}
		}
		b.step()
	}
	return noEnd, bandLost
}

// lookFor returns the better of the ends in the newest wavefront, on the diagonals of ends, and
// another one.
func (b *spanBand) lookFor(end spanCell, ends diagonals) spanCell {
	if !b.model.Span.EndsAnywhere() {
		return b.bestEnd(end, ends, b.cost())
	}
	if r := b.rowAt(waveM, b.s); !r.empty() {
		for i, h := range r.buf[b.left:][:r.hi-r.lo+1] {
			if h >= 0 {
				end = b.better(end, int(h)-r.lo-i, int(h), b.cost())
			}
		}
	}
	return end
}

// result makes the result of a pair from its best end.
func (x *spanApprox) result(dst cigar.CIGAR, end spanCell) (spanResult, bool, error) {
	r := spanResult{cost: end.cost, cigar: dst[:0]}
	if x.scoreOnly {
		return r, true, nil
	}
	b := &x.band
	t := spanBandTraceback{b, &x.history}
	c, begin, err := t.run(dst, end)
	if err != nil && stopped(x.stop) {
		err = errStopped
	}
	r.cigar, r.place = c, Place{begin.v, end.v, begin.h, end.h}
	if err != nil {
		return r, false, err
	}
	columns := b.model.values()
	cost, err := columns.Of(c)
	left := b.pattern.n + b.text.n - (end.v - begin.v) - (end.h - begin.h)
	r.cost = b.model.FreeLetter*left + cost
	return r, err == nil, err
}
