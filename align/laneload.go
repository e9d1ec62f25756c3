package align

// load makes the rows of letters and row 0 of pairs in the order of their rows.
func (q *laneQueue) load(members []*laneMember) {
	lanes := q.kern.lanes
	rows := members[len(members)-1].pattern.n
	q.width = 0
	for _, m := range members {
		q.width = max(q.width, m.width())
	}
	q.pattern = roomFor(q.pattern, rows*lanes)
	q.text = roomFor(q.text, (rows+q.width)*lanes)
	size := (q.width + 1) * lanes
	q.ins = roomFor(q.ins, size)
	q.stride = size
	if !q.keep {
		q.stride = 0
	}
	q.h = roomFor(q.h, rows*q.stride+size)
	fillMost(q.ins)
	fillMost(q.h[:size])
	for l, m := range members {
		n := m.pattern.n
		putLane(q.pattern[l:], lanes, m.pattern.letters())
		for i := n; i < rows; i++ {
			q.pattern[i*lanes+l] = patternEnd
		}
		k := m.window.first
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
		for d := at; d < q.width && k+d <= m.text.n; d++ {
			q.h[d*lanes+l] = uint16(min(lanesMost, q.model.top(k+d)))
		}
	}
}

// putLane writes letters to every so many places of dst.
func putLane(dst []byte, lanes int, letters []byte) {
	i := 0
	for _, c := range letters {
		dst[i] = c
		i += lanes
	}
}

func fillMost(s []uint16) {
	for i := range s {
		s[i] = lanesMost
	}
}
