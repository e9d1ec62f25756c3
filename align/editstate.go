package align

import "math/bits"

// editState advances the strips of a pair in use, the window, from stage to stage. The window
// keeps to the strips that alignments of at most the bound can pass through.
//
// Time is in steps: after t steps strip s has come to column t-s. Columns below 1 are beside the
// matrix; costs there grow to the left, so that strips below the first one begin with
// differences of 1 on their columns and take -1 until they come to column 1.
//
// A strip that comes into use begins as if costs grew by 1 from row to row, and what is above the
// window as if they grew by 1 from column to column: no cost is too low.
type editState struct {
	kern    editKernels
	letters editLetters
	args    editArgs
	out     [2][editLanes]uint64

	rows, columns, end int
	strips             int // of the pair
	steps              editSchedule

	vp, vn, inP, inN []uint64 // by strip: see editArgs
	lo, hi           int      // window
	top              int      // cost of the row above strip lo, in the column of that strip
	t                int
	low              int // least cost, about, of the cells that the window has come to

	bound int
	editHistory
}

// load sets the pair, of which no sequence is empty, and reports false where its letters are of too many kinds.
func (e *editState) load(pattern, text *sequence) bool {
	if !e.letters.load(pattern, text, len(e.kern) > 0) {
		return false
	}
	e.rows, e.columns, e.end = pattern.n, text.n, text.n-pattern.n
	e.strips = (pattern.n + 63) / 64
	e.steps = editSchedule(text.n + e.strips - 1)
	n := e.strips + 2*editLanes
	for _, s := range []*[]uint64{&e.vp, &e.vn, &e.inP, &e.inN} {
		*s = roomFor(*s, n)
	}
	return true
}

// start begins in column 0, with a window for alignments of at most bound.
func (e *editState) start(bound int, keep editKeep) {
	e.t, e.lo, e.hi, e.top = 0, 0, -1, 0
	e.bound = bound
	e.forget(keep)
	e.begin(0)
	e.begin(1)
	e.inP[0], e.inN[0] = 1, 0
	e.hi = 0
	e.use()
}

// begin sets strip s, below the window, to its state when it comes into use. What the strip just
// below the window takes is known.
func (e *editState) begin(s int) {
	e.vp[s], e.vn[s] = ^uint64(0), 0
	if s > e.hi+1 {
		e.inP[s], e.inN[s] = 0, 1
	}
}

// use sets the window for the next stage. It reports false if no alignment costs at most the bound.
//
// Strip lo is done with when even its last row, which is nearest to the end diagonal, costs too
// much with the gap to that diagonal. A strip below strip s is not reached in this stage if the
// row above s costs too much: a path that comes there crosses the column of s at that row or
// below, and below it costs no less.
func (e *editState) use() bool {
	for {
		column := e.t - e.lo
		last := e.top + editDifference(e.vp[e.lo], e.vn[e.lo])
		beside := column - 64*(e.lo+1) - e.end
		if beside < 0 || last+beside <= e.bound {
			break
		}
		if e.lo == e.hi {
			return false
		}
		e.lo++
		e.top = last - e.difference(e.lo)
	}
	cost, hi := e.top, e.lo
	e.low = cost + 64
	for s := e.lo; ; s++ {
		column := e.t - s
		beside := 64*s + e.end - column
		total := cost + beside
		if column < 0 { // costs of column 0 are less
			total += 2 * column
		}
		if s == e.strips-1 || beside >= 0 && total > e.bound {
			break
		}
		hi = s + 1
		if hi > e.hi {
			e.begin(hi)
		}
		next := cost + editDifference(e.vp[s], e.vn[s])
		e.low = min(e.low, (cost+next-64)/2)
		cost = next - e.difference(hi)
	}
	// Whole vectors: further strips cost nothing.
	for lanes := e.kern.least(); (hi-e.lo+1)%lanes != 0; hi++ {
		if hi >= e.hi {
			e.begin(hi + 1)
		}
	}
	e.hi = hi
	return true
}

// difference returns what strip s takes in its next step.
func (e *editState) difference(s int) int { return int(e.inP[s]) - int(e.inN[s]) }

// advance computes the next steps, at most editSteps of them.
func (e *editState) advance(steps int) {
	g := e.keepStage(steps)
	e.top += e.difference(e.lo) + steps - 1
	if len(e.kern) == 0 {
		e.plain(steps, g)
	} else {
		e.vectors(steps, g)
	}
	e.t += steps
}

// plain advances the window strip by strip.
func (e *editState) plain(steps int, g editStage) {
	aboveP, aboveN := ^uint64(0), uint64(0)
	for s := e.lo; s <= e.hi; s++ {
		inP, inN := aboveP<<1|e.inP[s], aboveN<<1|e.inN[s]
		e.inP[s], e.inN[s] = aboveP>>(steps-1)&1, aboveN>>(steps-1)&1
		eq, text := e.equal(s), e.codes(e.t-s, steps)
		vp, vn := e.vp[s], e.vn[s]
		switch {
		case g.cells:
			vp, vn, aboveP, aboveN = editCells(e.kept[g.at:], &eq, text, vp, vn, inP, inN)
			g.at += 2 * steps
		case e.tiles():
			k := e.kept[g.at : g.at+4 : g.at+4]
			k[0], k[1], k[2], k[3] = vp, vn, inP, inN
			g.at += 4
			fallthrough
		default:
			vp, vn, aboveP, aboveN = editColumns(&eq, text, vp, vn, inP, inN)
		}
		e.vp[s], e.vn[s] = vp, vn
	}
	e.inP[e.hi+1], e.inN[e.hi+1] = aboveP>>(steps-1)&1, aboveN>>(steps-1)&1
}

// equal returns the rows of strip s by code.
func (e *editState) equal(s int) [8]uint64 {
	p := &e.letters.planes
	return editEqual(p[0][s], p[1][s], p[2][s])
}

// codes returns those of steps columns after column.
func (e *editState) codes(column, steps int) []byte {
	i := e.letters.pad + column
	return e.letters.text[i : i+steps]
}

// vectors advances the window by kernels, as many strips at a time as they have lanes.
func (e *editState) vectors(steps int, stage editStage) {
	g, l := &e.args, &e.letters
	g.stride, g.steps = l.stride, steps
	g.kept = nil
	if stage.cells {
		g.kept = &e.kept[stage.at]
		e.point(e.lo)
		e.kern.pick(stage.strips()).cells(g)
		return
	}
	g.outP, g.outN = &e.out[0][0], &e.out[1][0]
	g.takenP, g.takenN = ^uint64(0), 0
	for s := e.lo; s <= e.hi; {
		k := e.kern.pick(e.hi - s + 1)
		if e.tiles() {
			g.kept = &e.kept[stage.at+4*(s-e.lo)]
		}
		e.point(s)
		g.fromP, g.fromN = bits.Reverse64(g.takenP), bits.Reverse64(g.takenN)
		k.tiles(g)
		g.takenP, g.takenN = e.out[0][k.lanes-1], e.out[1][k.lanes-1]
		s += k.lanes
	}
	e.inP[e.hi+1], e.inN[e.hi+1] = g.takenP>>(steps-1)&1, g.takenN>>(steps-1)&1
}

// point makes lane 0 strip s.
func (e *editState) point(s int) {
	g, l := &e.args, &e.letters
	g.vp, g.vn, g.inP, g.inN = &e.vp[s], &e.vn[s], &e.inP[s], &e.inN[s]
	g.plane0, g.plane1, g.plane2 = &l.planes[0][s], &l.planes[1][s], &l.planes[2][s]
	g.text = &l.masks[l.origin-(e.t-s)]
}

// score returns the cost of the end cell after all steps. It reports false if the window has lost
// it.
func (e *editState) score() (int, bool) {
	last := e.strips - 1
	if last < e.lo || last > e.hi {
		return 0, false
	}
	cost := e.top
	for s := e.lo; s < last; s++ {
		cost += editDifference(e.vp[s], e.vn[s]) - e.difference(s+1)
	}
	rows := ^uint64(0) >> (64*e.strips - e.rows)
	return cost + editDifference(e.vp[last]&rows, e.vn[last]&rows), true
}
