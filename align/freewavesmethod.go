package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// firstBegins is how many diagonals beyond those of ends begins are looked at on at first.
const firstBegins = 64

// wavesMethod aligns similar pairs by wavefronts from all begins at once.
type wavesMethod struct {
	scoreOnly bool
	memory    int
	kern      *kernels
	waves     freeWaves
	ends      [2]int // diagonals
	end       spanCell
	budget    float64 // in nanoseconds
	spent     float64
	stop      *atomic.Bool
}

func (x *wavesMethod) stopOn(stop *atomic.Bool) { x.stop = stop }

// align takes pairs whose rows fit the memory and whose wavefronts cost no more than the budget.
func (x *wavesMethod) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if m.tracks() {
		return spanResult{}, false, nil
	}
	w := &x.waves
	w.prepare(x.kern, m)
	first, last := x.diagonals(m, pattern.n, text.n)
	// An alignment that begins beyond the diagonals of ends has a gap back to them, so for low
	// scores few begins are enough.
	x.spent = 0
	for beyond := firstBegins; ; beyond *= 4 {
		from, to := max(first, x.ends[0]-beyond), min(last, x.ends[1]+beyond)
		most := math.MaxInt
		if from > first || to < last {
			most = m.Cost(beyond+1) - 1
		}
		w.start(pattern, text, from, to, !x.scoreOnly)
		done, err := x.run(most)
		switch {
		case err != nil:
			return spanResult{}, false, err
		case done:
			return x.result(dst)
		case most == math.MaxInt || w.s < most:
			return spanResult{}, false, nil
		}
	}
}

// diagonals returns the diagonals of begins, and sets those of ends.
func (x *wavesMethod) diagonals(m *Model, n, l int) (first, last int) {
	if m.Span != EndsFree {
		x.ends = [2]int{l - n, l - n}
		return 0, 0
	}
	f := m.Free
	x.ends = [2]int{l - n - min(f.TextEnd, l), l - n + min(f.PatternEnd, n)}
	return -min(f.PatternBegin, n), min(f.TextBegin, l)
}

// run computes wavefronts up to score most and reports whether they have found the best end.
func (x *wavesMethod) run(most int) (bool, error) {
	w := &x.waves
	m, n, l := w.model, w.pattern.n, w.text.n
	x.end = spanCell{cost: math.MaxInt}
	free := m.FreeLetter
	offset, look := m.offsetCost(), max(x.spent*1.25, x.budget/16)
	note := func(k int) {
		e := spanCell{v: min(n, l-k), h: min(k+n, l), cost: w.s + free*abs(k-(l-n))}
		if e.before(x.end) {
			x.end = e
		}
	}
	for {
		w.eachEnd(x.ends[0], x.ends[1], note)
		if x.end.cost <= w.s || free == 0 && x.end.cost < math.MaxInt {
			return true, nil
		}
		if w.s >= most {
			return false, nil
		}
		if stopped(x.stop) {
			return false, errStopped
		}
		if !x.scoreOnly && 4*w.arena.taken > x.memory {
			return false, nil
		}
		w.step()
		if x.spent += freeStep + offset*float64(w.hi-w.lo+1); x.spent >= look {
			look += look / 4
			if x.spent+x.rest() > x.budget {
				return false, nil
			}
		}
	}
}

// rest estimates what the wavefronts to come cost, from how much of the pattern the last one has
// come to.
func (x *wavesMethod) rest() float64 {
	w := &x.waves
	n, far := w.pattern.n, max(1, w.furthest())
	more := float64(w.s) * float64(n-far) / float64(far)
	return more * (freeStep + w.model.offsetCost()*float64(w.hi-w.lo+1))
}

// result makes the result of a pair whose best end is known.
func (x *wavesMethod) result(dst cigar.CIGAR) (spanResult, bool, error) {
	r := spanResult{cost: x.end.cost, cigar: dst[:0]}
	if x.scoreOnly {
		return r, true, nil
	}
	w := &x.waves
	t := spanTraceback{model: w.model, pattern: w.pattern, text: w.text, cells: w}
	c, begin, err := t.run(dst, x.end)
	r.cigar, r.place = c, Place{begin.v, x.end.v, begin.h, x.end.h}
	return r, err == nil, err
}
