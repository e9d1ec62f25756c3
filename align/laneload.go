package align

import "encoding/binary"

// load makes the rows of letters, row 0 and what is known beside the bands of pairs in the order of their
// rows.
func (b *laneBands[C]) load(members []*laneMember) {
	lanes := b.kern.lanes
	rows := members[len(members)-1].pattern.n
	b.width = 0
	for _, m := range members {
		b.width = max(b.width, m.width())
	}
	b.pattern = roomFor(b.pattern, rows*lanes)
	b.text = roomFor(b.text, (rows+b.width)*lanes)
	b.stride = (b.width + 1) * lanes
	b.ins = roomFor(b.ins, b.stride)
	b.h = roomFor(b.h, (rows+1)*b.stride)
	row := b.rowOf(0)
	fill(b.ins, ^C(0))
	fill(row, ^C(0))
	b.beside = roomFor(b.beside, rows*lanesBeside*lanes)
	clear(b.beside)
	for l, m := range members {
		m.lane = l
		n := m.pattern.n
		putLane(b.pattern[l:], lanes, m.pattern.letters())
		for i := n; i < rows; i++ {
			b.pattern[i*lanes+l] = patternEnd
		}
		m.first = m.band.first - (b.width-m.width())/2
		k := m.first
		at := min(max(0, -k), rows+b.width)
		for i := range at {
			b.text[i*lanes+l] = textEnd
		}
		letters := m.text.letters()[min(max(0, k), m.text.n):]
		letters = letters[:min(len(letters), rows+b.width-at)]
		if len(letters) > 0 {
			putLane(b.text[at*lanes+l:], lanes, letters)
		}
		for i := at + len(letters); i < rows+b.width; i++ {
			b.text[i*lanes+l] = textEnd
		}
		free := min(b.width, min(b.model.Free.TextBegin, m.text.n)-k+1)
		for d := at; d < free; d++ {
			row[d*lanes+l] = laneBegin
		}
		for d := max(at, free); d < b.width && k+d <= m.text.n; d++ {
			row[d*lanes+l] = C(b.begins(m, k+d))
		}
		b.loadBeside(m)
		// What leads in on the right is the lower one of both states.
		if right := b.begins(m, k+b.width) - int(b.constants[lanesBeforeIn*lanes+l]); right < laneMax[C]() {
			row[b.width*lanes+l] = C(max(0, right))
		}
	}
	for i, c := range row {
		b.h[i] = byte(c)
	}
}

// putLane writes letters to every so many places of dst.
func putLane(dst []byte, lanes int, letters []byte) {
	i := 0
	for ; len(letters) >= 8; letters = letters[8:] {
		w := binary.LittleEndian.Uint64(letters)
		d := dst[i : i+7*lanes+1]
		d[0], d[lanes], d[2*lanes], d[3*lanes] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
		d[4*lanes], d[5*lanes], d[6*lanes], d[7*lanes] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
		i += 8 * lanes
	}
	for _, c := range letters {
		dst[i] = c
		i += lanes
	}
}
