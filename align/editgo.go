package align

import "math/bits"

// editEqual returns, for each code of a letter, the rows of a strip that hold it.
func editEqual(p0, p1, p2 uint64) (eq [8]uint64) {
	for c := range eq {
		x := p0 ^ -uint64(c&1)
		y := p1 ^ -uint64(c>>1&1)
		z := p2 ^ -uint64(c>>2&1)
		eq[c^7] = x & y & z
	}
	return eq
}

// editStep computes a column of a strip, whose rows same hold the letter of the column: see
// editArgs for the recurrence and d, and for inP and inN, of which it takes the lowest bits. hp
// and hn are the differences to the column before.
func editStep(same, vp, vn, inP, inN uint64) (newP, newN, hp, hn, d uint64) {
	x := same | vn
	e := same | inN&1
	d = ((e & vp) + vp) ^ vp | e
	hp = vn | ^(d | vp)
	hn = vp & d
	p := hp<<1 | inP&1
	return hn<<1 | inN&1 | ^(x | p), p & x, hp, hn, d | vn
}

// editColumns advances a strip by the columns of text, which holds codes of letters. inP and inN
// have what the strip takes in step i in bit i; so have outP and outN for the strip below.
func editColumns(eq *[8]uint64, text []byte, vp, vn, inP, inN uint64) (newP, newN, outP, outN uint64) {
	for _, c := range text {
		var hp, hn uint64
		vp, vn, hp, hn, _ = editStep(eq[c&7], vp, vn, inP, inN)
		outP, outN = outP>>1|hp&editLast, outN>>1|hn&editLast
		inP, inN = inP>>1, inN>>1
	}
	rest := editSteps - len(text)
	return vp, vn, outP >> rest, outN >> rest
}

// editCells is editColumns that stores two words for each column: the rows that cost as much as
// the cell before on the diagonal, and those that cost one more than the cell above.
func editCells(cells []uint64, eq *[8]uint64, text []byte, vp, vn, inP, inN uint64) (newP, newN, outP, outN uint64) {
	for _, c := range text {
		var hp, hn uint64
		vp, vn, hp, hn, cells[0] = editStep(eq[c&7], vp, vn, inP, inN)
		cells[1] = vp
		cells = cells[2:]
		outP, outN = outP>>1|hp&editLast, outN>>1|hn&editLast
		inP, inN = inP>>1, inN>>1
	}
	rest := editSteps - len(text)
	return vp, vn, outP >> rest, outN >> rest
}

// editLast is the last row of a strip.
const editLast = 1 << 63

// editDifference returns the difference between the last row of a strip and the row above it.
func editDifference(vp, vn uint64) int { return bits.OnesCount64(vp) - bits.OnesCount64(vn) }
