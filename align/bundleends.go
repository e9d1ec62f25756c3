package align

import "unsafe"

// findEnds finds the best ends of pairs, in the order of their lanes, whose last row has been computed.
func (d *bundleDifferences) findEnds(x *bundleMatrix, members []*bundleMember) {
	if x.bundle.model.Span != Global {
		for _, p := range members {
			x.findEnd(p)
		}
		return
	}
	// Those of eight lanes have the letters of the shortest text in common.
	for len(members) > 0 {
		first, n := members[0].lane&^7, 1
		for n < len(members) && members[n].lane < first+8 {
			n++
		}
		columns := members[0].text.n
		for _, p := range members[:n] {
			columns = min(columns, p.text.n)
		}
		sums := [8]int{}
		if n > 2 {
			sums = x.sums(first, columns)
		} else {
			columns = 0
		}
		for _, p := range members[:n] {
			x.endFrom(p, columns, sums[p.lane-first])
		}
		members = members[n:]
	}
}

// endFrom finds the end of a global alignment, where the differences of so many columns sum up to u.
func (x *bundleMatrix) endFrom(p *bundleMember, columns, u int) {
	m := &x.bundle.model
	n, letters, stride := p.pattern.n, p.text.n, x.stride()
	for j := columns; j < letters; j++ {
		u += int(int8(x.state[j*stride+p.lane]))
	}
	p.end = spanCell{n, letters, m.left(n) + u + letters*m.Gap.Extend}
}

// findEnd finds the best end of a pair whose last row has been computed.
func (x *bundleMatrix) findEnd(p *bundleMember) {
	m := &x.bundle.model
	n, letters, stride := p.pattern.n, p.text.n, x.stride()
	first := max(0, letters-m.Free.TextEnd)
	// Less what is left out behind it, each end costs more than the one before by this and u.
	step := m.Gap.Extend - m.FreeLetter
	c := m.left(n) + m.FreeLetter*letters
	best, at := noEnd.cost, 0
	row := x.state[p.lane:]
	for j := 0; ; j++ {
		if j >= first && c < best {
			best, at = c, j
		}
		if j == letters {
			break
		}
		c += int(int8(row[j*stride])) + step
	}
	p.end = spanCell{n, at, best}
}

// stride returns the bytes of a column's state.
func (x *bundleMatrix) stride() int { return x.bundle.routine.parts * x.bundle.kern.lanes }

// sums returns the sums of the differences u of eight lanes over so many columns.
func (x *bundleMatrix) sums(lane, columns int) (sums [8]int) {
	const (
		bias = 0x8080808080808080
		even = 0x00ff00ff00ff00ff
	)
	p, stride := unsafe.Pointer(&x.state[0]), x.stride()
	for from := 0; from < columns; from += 256 {
		to := min(columns, from+256)
		var a, b uint64 // four sums of 16 bits
		for j := from; j < to; j++ {
			w := load64(p, j*stride+lane) ^ bias
			a += w & even
			b += w >> 8 & even
		}
		for i := range 4 {
			sums[2*i] += int(a>>(16*i)&0xffff) - 128*(to-from)
			sums[2*i+1] += int(b>>(16*i)&0xffff) - 128*(to-from)
		}
	}
	return sums
}
