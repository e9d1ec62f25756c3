package align

import "unsafe"

// byteArgs is the argument of the routines for bands of costs of a byte, which compute the
// recurrence of bandArgs over one vector of lanes, two diagonals each. A cost C of antidiagonal a,
// which is in a block of byteRows antidiagonals that follow antidiagonal first, is stored as
// C + e·byteRows - e·(a - first): never below 0, and at most 255, which also stands for all that
// is more. Costs never fall along an alignment, so those up to byteScore are exact.
//
// All but even begin at 255 on antidiagonal 0. A routine stores the H of all antidiagonals.
type byteArgs struct {
	even          *byte // of antidiagonal 0
	text, reverse *byte // as for bandArgs
	history       *byte
	blocks        int // work space: 0 at the end
	mismatch      byte
	open          byte
	match         byte // 2·GapExtend, subtracted for one column
	add           byte // e·byteRows, added between blocks
	inf           byte // 255
	_             [3]byte
}

const byteRows = 32

// byteScore returns the largest exact cost, negative for penalties that do not fit. After the
// addition between blocks, 255 stands for that less e·(byteRows+1) in odd, an antidiagonal before.
func byteScore(pen Penalties) int {
	if max(pen.Mismatch, pen.GapOpen) > 255 {
		return -1
	}
	return max(-1, 254-(byteRows+1)*pen.GapExtend)
}

// byteGo is the plain version of the routines for one band, of lanes lanes.
func byteGo(a *byteArgs, lanes int) {
	even := append([]byte(nil), unsafe.Slice(a.even, lanes)...)
	var states [3][]byte
	for i := range states {
		states[i] = make([]byte, lanes)
		for m := range states[i] {
			states[i][m] = 255
		}
	}
	odd, ins, del := states[0], states[1], states[2]
	plus := func(h, by byte) byte { return byte(min(255, int(h)+int(by))) }
	history := unsafe.Slice(a.history, a.blocks*byteRows*lanes)
	row := func(h []byte, text, reverse unsafe.Pointer) {
		t, r := unsafe.Slice((*byte)(text), lanes), unsafe.Slice((*byte)(reverse), lanes)
		for m := range h {
			d := byte(max(0, int(h[m])-int(a.match)))
			if t[m] != r[m] {
				d = plus(d, a.mismatch)
			}
			h[m] = min(d, ins[m], del[m])
		}
		history = history[copy(history, h):]
	}
	gaps := func(prev []byte) {
		for m, h := range prev {
			o := plus(h, a.open)
			ins[m], del[m] = min(ins[m], o), min(del[m], o)
		}
	}
	for c := range a.blocks * byteRows / 2 {
		text, reverse := unsafe.Add(unsafe.Pointer(a.text), c), unsafe.Add(unsafe.Pointer(a.reverse), -c)
		gaps(even)
		copy(ins, ins[1:])
		ins[lanes-1] = 255
		row(odd, text, reverse)
		gaps(odd)
		copy(del[1:], del[:lanes-1])
		del[0] = 255
		row(even, text, unsafe.Add(reverse, -1))
		if (c+1)%(byteRows/2) == 0 {
			for _, s := range [][]byte{even, odd, ins, del} {
				for m := range s {
					s[m] = plus(s[m], a.add)
				}
			}
		}
	}
	a.blocks = 0
}

// byteCosts are the costs that such a routine has stored.
type byteCosts struct {
	bandRows
	rows      []byte // from antidiagonal 1 on
	gapExtend int
	exact     int // byteScore
}

// at returns H of diagonal k on antidiagonal a, bandInf where it is not exact or outside the band.
func (c *byteCosts) at(a, k int) int {
	if a == 0 && k == 0 {
		return 0
	}
	i := c.index(a, k)
	if i < 0 {
		return bandInf
	}
	s := int(c.rows[i]) - c.gapExtend*(byteRows-1-(a-1)%byteRows)
	if s > c.exact {
		return bandInf
	}
	return s
}

// arrives is as for wholeCosts.
func (c *byteCosts) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	a, k, ok := bandCell(k, dk, dh, first)
	return first, ok && s >= 0 && c.at(a, k) == s
}

// bytes returns the arguments for the pair of m.
func (m *groupMember) bytes(blocks int) byteArgs {
	b, pen := m.band, m.band.pen
	b.allow(b.oneVector(b.end))
	if len(m.even) == 0 {
		m.even = make([]byte, b.lanes)
	}
	for i := range m.even {
		m.even[i] = 255
	}
	add := byte(byteRows * pen.GapExtend)
	m.even[-b.base/2] = add
	m.costs.rows = roomFor(m.costs.rows, blocks*byteRows*b.lanes)
	m.costs.base, m.costs.lanes, m.costs.gapExtend, m.costs.exact = b.base, b.lanes, pen.GapExtend, byteScore(pen)
	first := b.base / 2
	return byteArgs{
		even:     &m.even[0],
		text:     &b.padText.buf[b.padText.pad+first],
		reverse:  &b.padReverse.buf[b.padReverse.pad+b.pattern.n+first],
		history:  &m.costs.rows[0],
		blocks:   blocks,
		mismatch: byte(pen.Mismatch), open: byte(pen.GapOpen), match: byte(2 * pen.GapExtend), add: add, inf: 255,
	}
}
