package align

// fencedNear is how many diagonals more than those of the band an alignment is to need that comes back.
const fencedNear = 48

// follow moves the band for the antidiagonals from a on to the cells of least cost, and reports whether it is narrow
// enough. It becomes wider on a side from which alignments may come back at less cost, and narrow again.
func (f *fenced) follow(a int, place fencePlace) bool {
	b := f.band
	lo, hi := b.lo, b.hi
	at := (place.k - f.edges().first) / runDiagonals
	runs := (hi - lo + 1) * f.runs
	left, right := runDiagonals*at, runDiagonals*(runs-1-at) // diagonals beside those of the best cells
	near := place.cost + fencedNear*b.pen.GapExtend
	nearLeft, nearRight := f.besideLeft()+b.pen.Gap(left) < near, f.besideRight()+b.pen.Gap(right) < near
	if nearLeft {
		lo = max(lo-1, 0)
	}
	if nearRight {
		hi = min(hi+1, b.vectors-1)
	}
	if hi-lo+1 <= f.given {
		lo, hi = f.shifted(lo, hi, at)
	} else {
		// Those who are dropped on a side are to have only costs of gaps from the best cells.
		if !nearLeft && (at >= runs-1 || left >= b.width+runDiagonals && f.leastOf(0) >= place.cost+b.pen.Gap(left-b.width+fenceLanes)) {
			lo++
		}
		if !nearRight && hi-lo+1 > f.given &&
			(at <= 0 || right >= b.width+runDiagonals && f.leastOf(runs-f.runs) >= place.cost+b.pen.Gap(right-b.width+fenceLanes)) {
			hi--
		}
		if at <= 0 {
			lo = max(lo-1, 0)
		}
		if at >= runs-1 {
			hi = min(hi+1, b.vectors-1)
		}
	}
	if hi-lo >= f.given+fencedSpare {
		return false
	}
	f.use(a, lo, hi)
	return true
}

// needsSeeds reports on which sides seeds are to count: not where alignments beside the band cost about as much as
// those that leave it from the cells of least cost.
func (f *fenced) needsSeeds(place fencePlace) (left, right bool) {
	e, pen := f.edges(), &f.band.pen
	least := place.cost - fencedNear*pen.GapExtend
	return f.besideLeft() < least+pen.Gap(place.k-e.first), f.besideRight() < least+pen.Gap(e.last-place.k)
}

// leastOf returns the least cost of the vector that begins at a run.
func (f *fenced) leastOf(run int) int {
	least := f.cost(run)
	for i := run + 1; i < run+f.runs; i++ {
		least = min(least, f.cost(i))
	}
	return least
}

// besideLeft and besideRight return what alignments beside the band cost at least.
func (f *fenced) besideLeft() int {
	return int(min(f.fence.beforeLeft, f.fence.inSeedLeft)) - f.band.pen.GapExtend + f.band.shift
}

func (f *fenced) besideRight() int { return int(f.right(&f.fence)) + f.band.shift }

// right is besideRight of f. A gap that leads in counts as in fenceArgs.
func (f *fenced) right(s *fence) int16 {
	return min(s.beforeRight-int16(f.seeds.unit.in), s.inSeedRight)
}

// use changes the vectors in use to lo..hi before antidiagonal a+1.
func (f *fenced) use(a, lo, hi int) {
	b := f.band
	e := int16(b.pen.GapExtend)
	if lo != b.lo {
		// Those who were beside the band have passed the seeds that count for them.
		least := min(f.fence.beforeLeft, f.fence.inSeedLeft)
		for v := b.lo; v < lo; v++ {
			least = min(least, b.least(v)+e)
		}
		for v := lo; v < b.lo; v++ {
			f.enter(v, a, least-e)
		}
		f.fence.beforeLeft, f.fence.inSeedLeft = bandInf, least
		f.seeds.move(fenceLeft)
	}
	if hi != b.hi {
		least := f.right(&f.fence)
		for v := hi + 1; v <= b.hi; v++ {
			least = min(least, b.least(v))
		}
		if hi > b.hi {
			// Some seeds have counted behind the rows that alignments in the new vector have come to, but none when
			// the band was a block of antidiagonals back. Those that have left it since cost as much, or GapOpen
			// less.
			least = min(least, f.right(&f.before)-int16(b.pen.GapOpen))
		}
		for v := b.hi + 1; v <= hi; v++ {
			f.enter(v, a, least)
		}
		f.fence.beforeRight, f.fence.inSeedRight = bandInf, least
		f.fence.insRight = min(bandInf, least-fenceIn+int16(b.pen.GapOpen))
		f.seeds.move(fenceRight)
	}
	b.lo, b.hi = lo, hi
}

// enter lets alignments that cost so much come to all cells of a vector on antidiagonals a-1 and a.
func (f *fenced) enter(v, a int, cost int16) {
	b := f.band
	b.clear(v)
	cost -= fenceIn
	odd := min(bandInf, cost+int16(b.pen.GapExtend))
	for lane := v * b.lanes; lane < (v+1)*b.lanes; lane++ {
		if k := b.base + 2*lane; k < -a || k >= a {
			continue // outside the matrix
		}
		b.even[lane], b.odd[lane], b.ins[lane], b.del[lane] = cost, odd, cost, cost
	}
}
