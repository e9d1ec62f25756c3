package align

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
