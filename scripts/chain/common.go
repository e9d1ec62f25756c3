package main

import "wfagpu/io/formattest"

// stretch is neighbouring columns of two letters each: n of them, from q and t on.
type stretch struct{ q, t, n int }

// runs are the columns of an alignment that have two letters.
func (a *alignment) runs() []stretch {
	var runs []stretch
	q, t := a.q, a.t
	for _, op := range a.ops {
		switch op.Letter {
		case 'I':
			q += op.Length
		case 'D':
			t += op.Length
		default:
			runs = append(runs, stretch{q, t, op.Length})
			q += op.Length
			t += op.Length
		}
	}
	return runs
}

// cell is a letter of the read and the letter of the reference in its column.
type cell struct{ q, t int }

// common finds the first and the last column that two alignments of one read share.
func common(a, b *alignment) (first, last cell, ok bool) {
	if a.name != b.name || a.sequence != b.sequence || a.reverse != b.reverse {
		return first, last, false
	}
	x, y := a.runs(), b.runs()
	for len(x) > 0 && len(y) > 0 {
		r, s := x[0], y[0]
		from, to := max(r.q, s.q), min(r.q+r.n, s.q+s.n)
		if from < to && r.t-r.q == s.t-s.q {
			if !ok {
				first, ok = cell{from, from + r.t - r.q}, true
			}
			last = cell{to - 1, to - 1 + r.t - r.q}
		}
		if r.q+r.n <= s.q+s.n {
			x = x[1:]
		} else {
			y = y[1:]
		}
	}
	return first, last, ok
}

// between is the part from one column of the alignment to another one, both of which it has.
// A best alignment has no better part between two of its columns: gaps that meet cost no more
// than apart.
func (a *alignment) between(first, last cell) *alignment {
	part := *a
	part.q, part.t, part.ops = first.q, first.t, nil
	q, t := a.q, a.t
	add := func(letter byte, n int) {
		if n > 0 {
			part.ops = append(part.ops, formattest.Op{Letter: letter, Length: n})
		}
	}
	for _, op := range a.ops {
		inside := t > first.t && t <= last.t && q > first.q && q <= last.q // for gaps, which no end is in
		switch op.Letter {
		case 'I':
			if inside {
				add('I', op.Length)
			}
			q += op.Length
		case 'D':
			if inside {
				add('D', op.Length)
			}
			t += op.Length
		default:
			add(op.Letter, min(q+op.Length, last.q+1)-max(q, first.q))
			q += op.Length
			t += op.Length
		}
	}
	return &part
}
