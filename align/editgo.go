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

// editColumns advances a strip by the columns of text, which holds codes of letters: see editArgs
// for the recurrence. inP and inN have what the strip takes in step i in bit i; so have outP and
// outN for the strip below.
func editColumns(eq *[8]uint64, text []byte, vp, vn, inP, inN uint64) (newP, newN, outP, outN uint64) {
	const last = 1 << 63
	for _, c := range text {
		same := eq[c&7]
		x := same | vn
		e := same | inN&1
		d := ((e & vp) + vp) ^ vp | e
		hp := vn | ^(d | vp)
		hn := vp & d
		outP = outP>>1 | hp&last
		outN = outN>>1 | hn&last
		p := hp<<1 | inP&1
		vp = hn<<1 | inN&1 | ^(x | p)
		vn = p & x
		inP >>= 1
		inN >>= 1
	}
	rest := editSteps - len(text)
	return vp, vn, outP >> rest, outN >> rest
}

// editCells is editColumns that stores two words for each column: the rows that cost as much as
// the cell before on the diagonal, and those that cost one more than the cell above.
func editCells(cells []uint64, eq *[8]uint64, text []byte, vp, vn, inP, inN uint64) (newP, newN, outP, outN uint64) {
	const last = 1 << 63
	for _, c := range text {
		same := eq[c&7]
		x := same | vn
		e := same | inN&1
		d := ((e & vp) + vp) ^ vp | e
		cells[0] = d | vn
		hp := vn | ^(d | vp)
		hn := vp & d
		outP = outP>>1 | hp&last
		outN = outN>>1 | hn&last
		p := hp<<1 | inP&1
		vp = hn<<1 | inN&1 | ^(x | p)
		cells[1] = vp
		cells = cells[2:]
		vn = p & x
		inP >>= 1
		inN >>= 1
	}
	rest := editSteps - len(text)
	return vp, vn, outP >> rest, outN >> rest
}

// editDifference returns the difference between the last row of a strip and the row above it.
func editDifference(vp, vn uint64) int { return bits.OnesCount64(vp) - bits.OnesCount64(vn) }
