package align

import "sync/atomic"

// fronts computes the costs of a pair's cells from where both sequences begin, antidiagonal by antidiagonal
// (frontArgs), and of each the least one. It computes those up to some diagonals from the first one: a cell beyond
// costs a gap to there at least, so the least ones are right as long as they cost less.
type fronts struct {
	kern          *kernels
	model         *Model
	pattern, text *sequence
	reversed      sequence // the text
	width         int      // diagonals to either side
	need          int      // those that the last pair has taken, of all antidiagonals so far
	args          frontArgs
	rows          [7][]int32 // now, last, before and the gaps, from element frontPad on by letters of the pattern
}

const (
	frontPad   = 1 + frontLanes
	firstFront = 64 // diagonals, unless more are expected
)

// load sets the pair.
func (f *fronts) load(k *kernels, m *Model, pattern, text *sequence) {
	f.kern, f.model, f.pattern, f.text = k, m, pattern, text
	reverseInto(f.reversed.guarded(text.n, textPad), text.letters())
	f.width = max(firstFront, f.need+f.need/4)
	c := newRelativeCosts(m)
	a := &f.args
	a.match, a.mismatch = c.match, c.mismatch
	a.open, a.extend, a.openLong, a.extendLong = c.gap.open, c.gap.extend, c.long.open, c.long.extend
}

// run computes antidiagonals until end says that one of them is the last, and gives it the least cell of each in
// which both sequences have letters. It reports false when stopped.
func (f *fronts) run(start func(), end func(spanCell) bool, stop *atomic.Bool) bool {
	for {
		start()
		switch f.within(end, stop) {
		case frontsEnd:
			return true
		case frontsStopped:
			return false
		}
		f.width *= 2
	}
}

// How antidiagonals within a width have ended.
type frontsOutcome int

const (
	frontsEnd frontsOutcome = iota
	frontsWider
	frontsStopped
)

func (f *fronts) within(end func(spanCell) bool, stop *atomic.Bool) frontsOutcome {
	n, t, w := f.pattern.n, f.text.n, f.width
	all := w >= max(n, t)
	outside := f.model.Cost(w + 1)
	f.begin(min(n, t+w))
	most, cells := 0, 0
	for a := 1; a <= n+t; a++ {
		lo, hi := max(0, a-t), min(n, a)
		if !all {
			lo, hi = max(lo, (a-w+1)/2), min(hi, (a+w)/2)
			if lo > hi {
				return frontsWider
			}
		}
		if cells += hi - lo + 1; cells > stopCells {
			if cells = 0; stopped(stop) {
				return frontsStopped
			}
		}
		c, ok := f.step(a, lo, hi)
		if !ok {
			continue
		}
		most = max(most, c.cost+f.model.FreeLetter*a)
		if !all && most >= outside {
			return frontsWider
		}
		if end(c) {
			break
		}
	}
	f.need = f.model.longest(most) + 1
	return frontsEnd
}

// begin computes the first cell, of rows with cells of up to v letters of the pattern.
func (f *fronts) begin(v int) {
	for i := range f.rows {
		f.rows[i] = roomFor(f.rows[i], v+1+2*frontPad)
		fill(f.rows[i], unreached)
	}
	f.rows[0][frontPad] = 0
}

// step computes the cells lo..hi of antidiagonal a and returns the least one in which both sequences have letters,
// and whether there is any.
func (f *fronts) step(a, lo, hi int) (spanCell, bool) {
	r := &f.rows
	r[0], r[1], r[2] = r[2], r[0], r[1]
	args := &f.args
	at := frontPad + lo
	args.now, args.last, args.before = &r[0][at], &r[1][at], &r[2][at]
	args.ins, args.del, args.insLong, args.delLong = &r[3][at], &r[4][at], &r[5][at], &r[6][at]
	args.pattern = &f.pattern.buf[f.pattern.pad+lo-1]
	args.text = &f.reversed.buf[f.reversed.pad+f.text.n-a+lo]
	args.n = hi - lo + 1
	f.kern.front(args, f.model.Long != Gap{})
	least, first := args.first(f.kern.frontLanes)
	i := lo + first
	if i == 0 || i == a { // of one sequence alone
		lo, hi := max(lo, 1), min(hi, a-1)
		if lo > hi {
			f.hide(at)
			return spanCell{}, false
		}
		now := r[0][frontPad:]
		for i, least = lo, now[lo]; lo <= hi; lo++ {
			if now[lo] < least {
				i, least = lo, now[lo]
			}
		}
	}
	f.hide(at)
	return spanCell{v: i, h: a - i, cost: int(least)}, true
}

// hide makes what is before an element unreached: of the next antidiagonals it is outside.
func (f *fronts) hide(at int) {
	f.rows[0][at-1], f.rows[3][at-1], f.rows[5][at-1] = unreached, unreached, unreached
}
