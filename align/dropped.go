package align

import "sync/atomic"

// dropped finds where an extension with a z-drop ends. Antidiagonals are looked at in their
// order. With S(i,j) the similarity of the best alignment to cell (i,j), the best cell of an
// antidiagonal is that of the greatest S in which both sequences have letters (i, j >= 1), of
// several the one with the smallest i; the record is the first best cell that no earlier one
// exceeds, at first the empty alignment. The extension is dropped at the first antidiagonal whose
// best cell (i,j) is no record and, with (r,q) the record,
//
//	i >= r, j >= q  and  S(r,q) - S(i,j) > Z + |(i-r) - (j-q)|·e
//
// with e what a further letter of a long gap costs. Alignments may end in the cells of this
// antidiagonal and of those before it. This is the rule of ksw2 (Suzuki and Kasahara 2018; Li
// 2018), which minimap2 extends by.
type dropped struct {
	best   spanCell // the end
	record spanCell

	now, last, before []int32 // cells of the last antidiagonals by pattern letters
	ins, del          gapStates
	pattern, text     sequence // up to the end
}

// gapStates are the costs of the cells of an antidiagonal that end in a gap, of the two pieces.
type gapStates struct{ first, second []int32 }

// find sets best, where the extension of a pair ends.
func (d *dropped) find(m *Model, zdrop int, pattern, text *sequence, stop *atomic.Bool) error {
	c := newRelativeCosts(m)
	n, t := pattern.n, text.n
	d.best, d.record = spanCell{}, spanCell{}
	for _, s := range d.rows() {
		*s = (*s)[:0]
	}
	d.grow(0)
	d.now[0] = 0
	cells := 0
	for a := 1; a <= n+t; a++ {
		d.now, d.last, d.before = d.before, d.now, d.last
		d.grow(min(a, n))
		lo, hi := max(0, a-t), min(n, a)
		if cells += hi - lo + 1; cells > stopCells {
			if cells = 0; stopped(stop) {
				return errStopped
			}
		}
		d.compute(&c, pattern.letters(), text.letters(), a, lo, hi)
		if d.ends(m, zdrop, a, max(lo, 1), min(hi, a-1)) {
			break
		}
	}
	return nil
}

func (d *dropped) rows() [7]*[]int32 {
	return [7]*[]int32{&d.now, &d.last, &d.before, &d.ins.first, &d.ins.second, &d.del.first, &d.del.second}
}

// grow makes room for cells of v pattern letters: new ones cannot be reached.
func (d *dropped) grow(v int) {
	for _, s := range d.rows() {
		for len(*s) <= v {
			*s = append(*s, maxRelative/2)
		}
	}
}

// compute computes the cells lo..hi of antidiagonal a. States are those of the antidiagonal before,
// so cells are computed downwards.
func (d *dropped) compute(c *relativeCosts, pattern, text []byte, a, lo, hi int) {
	for i := hi; i >= lo; i-- {
		best := int32(maxRelative / 2)
		if i > 0 {
			d.ins.first[i] = min(d.ins.first[i-1]+c.gap.extend, d.last[i-1]+c.gap.open)
			d.ins.second[i] = min(d.ins.second[i-1]+c.long.extend, d.last[i-1]+c.long.open)
			best = min(best, d.ins.first[i], d.ins.second[i])
		}
		if i < a {
			d.del.first[i] = min(d.del.first[i]+c.gap.extend, d.last[i]+c.gap.open)
			d.del.second[i] = min(d.del.second[i]+c.long.extend, d.last[i]+c.long.open)
			best = min(best, d.del.first[i], d.del.second[i])
		}
		if i > 0 && i < a {
			step := c.match
			if pattern[i-1] != text[a-i-1] {
				step = c.mismatch
			}
			best = min(best, d.before[i-1]+step)
		}
		d.now[i] = best
	}
}

// ends notes the best of the cells lo..hi of antidiagonal a and reports whether the extension is
// dropped there.
func (d *dropped) ends(m *Model, zdrop, a, lo, hi int) bool {
	if lo > hi {
		return false
	}
	at := lo
	for i := lo + 1; i <= hi; i++ {
		if d.now[i] < d.now[at] {
			at = i
		}
	}
	c := spanCell{v: at, h: a - at, cost: int(d.now[at])}
	if c.before(d.best) {
		d.best = c
	}
	if c.cost < d.record.cost {
		d.record = c
		return false
	}
	v, h := c.v-d.record.v, c.h-d.record.h
	if v < 0 || h < 0 {
		return false
	}
	// Relative costs are similarities times -2/Scale.
	allowed := 2*zdrop + abs(v-h)*(m.last().Extend-m.FreeLetter)*m.Scale
	return (c.cost-d.record.cost)*m.Scale > allowed
}
