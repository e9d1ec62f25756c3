package align

import "encoding/binary"

// load makes the rows of letters, row 0 and what is known beside the bands of pairs in the order of their
// rows.
func (q *laneQueue) load(members []*laneMember) {
	lanes := q.kern.lanes
	rows := members[len(members)-1].pattern.n
	q.width = 0
	for _, m := range members {
		q.width = max(q.width, m.width())
	}
	q.pattern = roomFor(q.pattern, rows*lanes)
	q.text = roomFor(q.text, (rows+q.width)*lanes)
	q.stride = (q.width + 1) * lanes
	q.ins = roomFor(q.ins, q.stride)
	q.h = roomFor(q.h, (rows+1)*q.stride)
	fillMost(q.ins)
	fillMost(q.h[:q.stride])
	q.beside = roomFor(q.beside, rows*lanesBeside*lanes)
	clear(q.beside)
	for l, m := range members {
		n := m.pattern.n
		putLane(q.pattern[l:], lanes, m.pattern.letters())
		for i := n; i < rows; i++ {
			q.pattern[i*lanes+l] = patternEnd
		}
		m.first = m.band.first - (q.width-m.width())/2
		k := m.first
		at := min(max(0, -k), rows+q.width)
		for i := range at {
			q.text[i*lanes+l] = textEnd
		}
		letters := m.text.letters()[min(max(0, k), m.text.n):]
		letters = letters[:min(len(letters), rows+q.width-at)]
		if len(letters) > 0 {
			putLane(q.text[at*lanes+l:], lanes, letters)
		}
		for i := at + len(letters); i < rows+q.width; i++ {
			q.text[i*lanes+l] = textEnd
		}
		free := min(q.width, min(q.model.Free.TextBegin, m.text.n)-k+1)
		for d := at; d < free; d++ {
			q.h[d*lanes+l] = laneBegin
		}
		for d := max(at, free); d < q.width && k+d <= m.text.n; d++ {
			q.h[d*lanes+l] = byte(q.begins(m, k+d))
		}
		q.loadBeside(m, l)
		// What leads in on the right is the lower one of both states.
		if right := q.begins(m, k+q.width) - int(q.constants[lanesBeforeIn*lanes+l]); right < lanesMost {
			q.h[q.width*lanes+l] = byte(max(0, right))
		}
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

func fillMost(s []byte) {
	for i := range s {
		s[i] = lanesMost
	}
}
