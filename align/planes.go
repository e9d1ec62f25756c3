package align

// planePenalties are those that planes are for, as many programs have them, and their multiples.
var planePenalties = Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}

// planeWord is the state of 64 lanes of a band in bit planes: a number takes as many planes as it
// has bits, and bit m of each is of lane m. So an operation on a word computes a bit of 64 cells.
// As in other bands a lane is two neighbouring diagonals: on even antidiagonals (i + j even) lane m
// is diagonal k = 2m, on odd ones k = 2m+1.
//
// The numbers are differences between neighbouring cells (Suzuki and Kasahara 2018), for these are
// small. Let H be the cost of cell (i,j), i letters of the pattern and j of the text, E that of
// alignments that end there in a deletion and F in an insertion. With penalties x, o and e
//
//	z = H(i,j) - H(i-1,j-1)           0 .. x
//	u = H(i,j) - H(i-1,j) + e         -o .. o+2e
//	v = H(i,j) - H(i,j-1) + e         -o .. o+2e
//	a = E(i,j+1) - H(i-1,j)           0 .. 2o+2e
//	b = F(i+1,j) - H(i,j-1)           0 .. 2o+2e
//
// of which a and b are held up to 7, which stands for all from x + o on. From u and a of cell
// (i,j-1), and v and b of cell (i-1,j), follow those of cell (i,j):
//
//	z = min(x·[letters differ], a, b)
//	p = min(o, a - z)                 E - H, or o where a new gap costs no more
//	q = min(o, b - z)                 F - H
//	u' = z + 2e - v, v' = z + 2e - u
//	a' = u' + p, b' = v' + q
//
// Cells with i or j below 1 have z = 0: costs on a diagonal are those of the gap that leads to it.
type planeWord struct {
	u, v [4]uint64 // two's complement
	a, b [3]uint64
	// low and high are the lanes at the lower and upper edge of a band, beyond which costs are
	// infinite. Words beside each other with all edges set have nothing to do with each other.
	low, high uint64
}

// planeSteps are the steps that lead to the cells of a word, for the traceback: those in which no
// mismatch does but a deletion or an insertion, and those after whose cells a new deletion or a new
// insertion costs no more than a longer one.
type planeSteps struct{ del, ins, newDel, newIns uint64 }

// planeRows computes antidiagonals of words that lie beside each other.
type planeRows struct {
	words  []planeWord // with one more on either side
	differ []uint64    // lanes whose letters differ, of each row, and in it of each word
	keep   bool
	steps  []planeSteps // in the same order, unless keep is unset
	cost   int          // of lane 0 on the last even antidiagonal
}

// run computes rows antidiagonals, the first of which is odd, at penalties 2,3,1. An odd one takes v
// and b from the lane above, so that words go upwards, an even one u and a from the lane below.
func (r *planeRows) run(rows int) {
	words, differ, steps := r.words, r.differ, r.steps
	last := len(words) - 2
	for row := range rows {
		odd := row&1 == 0
		i, step := 1, 1
		if !odd {
			i, step = last, -1
		}
		var one, two uint64
		for range last {
			w, next := &words[i], &words[i+step]
			u0, u1, u2, u3 := w.u[0], w.u[1], w.u[2], w.u[3]
			v0, v1, v2, v3 := w.v[0], w.v[1], w.v[2], w.v[3]
			a0, a1, a2 := w.a[0], w.a[1], w.a[2]
			b0, b1, b2 := w.b[0], w.b[1], w.b[2]
			if odd {
				high := w.high
				v0, v1 = v0>>1|next.v[0]<<63, v1>>1|next.v[1]<<63
				v2, v3 = v2>>1|next.v[2]<<63, v3>>1|next.v[3]<<63
				b0, b1 = b0>>1|next.b[0]<<63|high, b1>>1|next.b[1]<<63|high
				b2 = b2>>1 | next.b[2]<<63 | high
			} else {
				low := w.low
				u0, u1 = u0<<1|next.u[0]>>63, u1<<1|next.u[1]>>63
				u2, u3 = u2<<1|next.u[2]>>63, u3<<1|next.u[3]>>63
				a0, a1 = a0<<1|next.a[0]>>63|low, a1<<1|next.a[1]>>63|low
				a2 = a2<<1 | next.a[2]>>63 | low
			}

			some := (a0 | a1 | a2) & (b0 | b1 | b2) & differ[i-1] // z > 0
			two = (a1 | a2) & (b1 | b2) & some
			one = some ^ two

			// p and q are 3 where a - z and b - z are more.
			c := two | one&^a0
			a0, a1, a2 = a0^one, a1^c, a2^c&^a1
			p0, p1 := a0|a2, a1|a2
			c = two | one&^b0
			b0, b1, b2 = b0^one, b1^c, b2^c&^b1
			q0, q1 := b0|b2, b1|b2
			if r.keep {
				steps[i-1] = planeSteps{
					del: ^(p0 | p1 | two), ins: ^(q0 | q1 | two),
					newDel: p0 & p1, newIns: q0 & q1,
				}
			}

			// Of z + 2 the lowest bit is that of z, the highest one two, and the other one ^two.
			c = v0 &^ one
			x0 := v0 ^ one
			t := ^(v1 ^ two)
			x1 := t ^ c
			c = v1&two | c&^t
			t = v2 ^ two
			x2 := t ^ c
			x3 := v3 ^ (v2&^two | c&^t)
			c = u0 &^ one
			y0 := u0 ^ one
			t = ^(u1 ^ two)
			y1 := t ^ c
			c = u1&two | c&^t
			t = u2 ^ two
			y2 := t ^ c
			y3 := u3 ^ (u2&^two | c&^t)
			w.u[0], w.u[1], w.u[2], w.u[3] = x0, x1, x2, x3
			w.v[0], w.v[1], w.v[2], w.v[3] = y0, y1, y2, y3

			c = x0 & p0
			t = x1 ^ p1
			d := x1&p1 | t&c
			far := x3 ^ x2&d // a is 8
			w.a[0], w.a[1], w.a[2] = x0^p0|far, t^c|far, x2^d|far
			c = y0 & q0
			t = y1 ^ q1
			d = y1&q1 | t&c
			far = y3 ^ y2&d
			w.b[0], w.b[1], w.b[2] = y0^q0|far, t^c|far, y2^d|far
			i += step
		}
		if !odd {
			r.cost += int(one&1 + two&1<<1) // of the first word
		}
		differ = differ[last:]
		if r.keep {
			steps = steps[last:]
		}
	}
}

// start sets the states of antidiagonal 0 in the lanes of field, of which lane centre, which may
// be outside the word, is diagonal 0.
func (w *planeWord) start(field uint64, centre int) {
	below, above := lanesBelow(centre)&field, ^lanesBelow(centre+1)&field
	zero := field &^ (below | above)
	set := func(p *uint64, lanes uint64) { *p = *p&^field | lanes }
	// u is 2e below and 0 above, v the other way round, both are -o on diagonal 0; a is 2e+o below
	// and 0 elsewhere.
	for i, lanes := range [4]uint64{zero, below, zero, zero} {
		set(&w.u[i], lanes)
	}
	for i, lanes := range [4]uint64{zero, above, zero, zero} {
		set(&w.v[i], lanes)
	}
	for i, lanes := range [3]uint64{^uint64(0), 0, ^uint64(0)} {
		set(&w.a[i], lanes&below)
		set(&w.b[i], lanes&above)
	}
}
