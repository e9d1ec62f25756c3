package align

func (d *directed) line() *row {
	m := d.row(compM, d.s)
	if m.empty() {
		return m
	}
	d.view = row{lo: m.lo, hi: m.hi, buf: m.buf[d.left:][:m.hi-m.lo+1]}
	return &d.view
}

func (d *directed) lineSize() int { return d.hi - d.lo + 1 }

func (d *directed) restore(state []int32, at int) {
	d.s, d.lo, d.hi = at, int(state[0]), int(state[1])
	d.eachRow(state, at, func(c component, s, lo, hi int, h []int32) {
		if s < 0 {
			return
		}
		r := d.reuse(c, s, lo, hi)
		fillNull(r.buf)
		copy(r.buf[d.left:], h)
	})
}

// arrives looks for the first offset, as mRows does.
func (d *directed) arrives(s, k, dk, dh, first, _ int) (int, bool) {
	h := first - dh
	to := k + dk
	if s < 0 || h < 0 || h < to {
		return first, false
	}
	q := directedStep{k: k, h: first, to: to, toH: h, cost: d.pen.Mismatch}
	if dk != 0 {
		q.cost = d.pen.GapOpen + abs(dk)*d.pen.GapExtend/2
	}
	if d.swapped {
		q.k, q.h, q.to, q.toH = -k, first-k, -to, h-to
	}
	q.row = s - d.potential(q.to)
	if q.row < 0 {
		return first, false
	}
	q.now = s + q.cost - d.potential(q.k)
	return first, d.reaches(&q)
}

// directedStep is a step of the traceback: from offset h of diagonal k, whose reduced cost is
// now, back to offset toH of diagonal to at the reduced cost row.
type directedStep struct {
	k, h, now    int
	to, toH, row int
	cost         int
}

// reaches reports whether q leads to a cell of its cost. The rows just before the block are
// among the state that the block was computed from. Before loading earlier rows for a long gap
// away from the end diagonal it looks at the gap state there, which tells whether an optimal
// gap is that long.
func (d *directed) reaches(q *directedStep) bool {
	l := &d.lines
	if q.now <= l.from {
		l.load(max(1, q.now-l.margin+1), q.now)
	}
	if from := l.from; from > 0 && q.row <= from {
		state := l.stateAt(from)
		if from-q.row < d.stateRows(compM) {
			return d.stateHas(state, from, compM, q.row, q.to, q.toH)
		}
		letters := (q.now - from + d.pen.GapExtend - 1) / d.pen.GapExtend
		s := q.now - letters*d.pen.GapExtend
		ins, del := q.k+letters, q.k-letters
		switch {
		case q.to > q.k && ins < d.end && ins < q.to:
			if !d.stateHas(state, from, compIns, s, ins, q.h) {
				return false
			}
		case q.to < q.k && del > d.end && del > q.to:
			if !d.stateHas(state, from, compDel, s, del, q.h-letters) {
				return false
			}
		}
	}
	return l.at(q.row, q.now, q.now-d.pen.GapOpen).at(q.to) >= q.toH
}
