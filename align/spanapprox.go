package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// spanApprox aligns pairs approximately, within a spanBand: first in the band that the shorter length
// selects, then in wider ones while the pair drifts out. Where an alignment may begin on several
// diagonals, wavefronts of all begins, at no cost, find where to place the band: around the cell
// that is the furthest when it leads (locateScore).
type spanApprox struct {
	approx    Approx
	scoreOnly bool
	kern      *kernels
	of        *Model // that the wavefronts are prepared for
	anywhere  Model  // with begins at no cost
	all       freeWaves
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

// locateScore is the score that wavefronts of several begins go up to before they tell where an
// alignment begins. Noisy reads are then far ahead of what chance finds: unrelated letters progress by
// 1.7/x letters for each score, with x the mismatch penalty, noisy reads by 4/x and more. Unless one is
// twice as far as others, they go on, up to mostLocate times that score.
const mostLocate = 8

func locateScore(m *Model) int {
	p := m.Affine()
	return 12 * p.LongestStep()
}

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
	around := x.locate(pattern, text, begins, ends, band.Band)
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
			if band, ok = x.approx.Wider(band); ok {
				band.StallInterval = 0
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
	x.of, x.anywhere = m, *m
	x.anywhere.FreeLetter = 0
	x.band.prepare(x.kern, m)
	x.all.prepare(x.kern, &x.anywhere)
}

// locate returns the diagonal that the band is placed around, of begins on some: that of the
// first end, or of the furthest cell.
func (x *spanApprox) locate(pattern, text *sequence, begins, ends diagonals, band int) int {
	if begins.first == begins.last {
		return begins.first
	}
	w, around, found := &x.all, 0, false
	w.start(pattern, text, begins.first, begins.last, false)
	every := locateScore(&x.anywhere)
	for !found && !stopped(x.stop) {
		w.eachEnd(ends, func(k int) {
			if !found {
				around, found = k, true
			}
		})
		if !found && w.s > 0 && w.s%every == 0 {
			var ahead, others int
			around, ahead, others = w.leader(band / 2)
			found = ahead >= 2*others || w.s == mostLocate*every
		}
		w.step()
	}
	return around
}

// leader returns the diagonal of the newest wavefront's cell that has come furthest from the first cell
// of its diagonal, by how many letters, and the most letters of those more than so many diagonals away.
func (w *freeWaves) leader(away int) (around, ahead, others int) {
	r := w.rowAt(waveM, w.s)
	if r.empty() {
		return 0, 0, 0
	}
	offsets := r.buf[w.left:][:r.hi-r.lo+1]
	for i, h := range offsets {
		if n := int(h) - max(0, r.lo+i); n > ahead {
			around, ahead = r.lo+i, n
		}
	}
	for i, h := range offsets {
		if k := r.lo + i; abs(k-around) > away {
			others = max(others, int(h)-max(0, k))
		}
	}
	return around, ahead, others
}

// run computes wavefronts to the best end of the pair, on the diagonals of ends.
func (x *spanApprox) run(ends diagonals) (spanCell, bandEnd) {
	b := &x.band
	m, n, l := b.model, b.pattern.n, b.text.n
	progress := progress{mark: m.distance(max(0, -b.lowest), max(0, b.lowest), n, l)}
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
