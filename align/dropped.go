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

	fronts fronts
	global *Aligner // of what is before the end
}

// find sets best, where the extension of a pair ends.
func (d *dropped) find(k *kernels, m *Model, zdrop int, pattern, text *sequence, stop *atomic.Bool) error {
	d.fronts.load(k, m, pattern, text)
	start := func() { d.best, d.record = spanCell{}, spanCell{} }
	if !d.fronts.run(start, func(c spanCell) bool { return d.ends(m, zdrop, c) }, stop) {
		return errStopped
	}
	return nil
}

// ends notes the best cell of an antidiagonal and reports whether the extension is dropped there.
func (d *dropped) ends(m *Model, zdrop int, c spanCell) bool {
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
