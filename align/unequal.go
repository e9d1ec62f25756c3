package align

import (
	"math"
	"math/bits"

	"wfagpu/cigar"
)

// unequal aligns pairs of which one sequence is much longer, by the matrix or by directed
// wavefronts, where the difference of the lengths makes the other methods dear. Their scores
// are at least those of the gap between the lengths: wavefronts cost its square.
type unequal struct {
	*given
	band     *banded // to which the pair has been loaded, or nil
	edit     *edit   // or nil
	matrix   matrix
	sweeps   *exactSweep // or nil
	directed *directed   // nil until a pair needs it
	worth    float64     // unequalCost; tests have less
}

// Costs in nanoseconds, as in choose.go.
const (
	matrixCell   = 1.5
	matrixColumn = 5.0
	directedCell = 3.0
	directedFree = 9.0 // where opening a gap costs nothing
)

// A pair is unequal where the lengths differ by unequalLength at least and the gap between
// them alone makes the other methods cost unequalCost at least, a second. Reads
// and the stretches that they map to differ by less.
const (
	unequalLength = 256
	unequalCost   = 1e9
)

// method is how a pair has been aligned.
type method uint8

const (
	byNone method = iota // not at all
	byMatrix
	byDirected
)

// align aligns the pair by the cheaper of the two methods, unless the other methods cost less.
func (u *unequal) align(dst cigar.CIGAR) (int, cigar.CIGAR, method, error) {
	difference := u.difference()
	if difference < unequalLength {
		return 0, dst, byNone, nil
	}
	least := u.others(u.pen.Gap(difference))
	if least < u.worth {
		return 0, dst, byNone, nil
	}
	whole := u.matrixCost()
	// Earlier pairs tell what the differences cost apart from the gap, 0 if there were none.
	guess := max(u.costs.rate.expected(2*min(u.pattern.n, u.text.n)), u.pen.GapOpen+u.pen.Mismatch)
	least = u.others(guess + u.pen.Gap(difference))
	if u.directedFits(difference) && u.directedCost(difference, guess) < min(least, whole) {
		s, c, ok, err := u.alignDirected(dst, min(least, whole)/16, whole)
		if ok || err != nil {
			return s, c, byDirected, err
		}
		least = u.others(u.directed.guess() + u.pen.Gap(difference))
	}
	if whole < least {
		s, c, err := u.alignMatrix(dst)
		return s, c, byMatrix, err
	}
	return 0, dst, byNone, nil
}

func (u *unequal) difference() int { return abs(u.text.n - u.pattern.n) }

// others estimates what the methods for pairs of similar lengths cost, if the score is s. Where
// the lengths differ by a quarter a band does not count: its estimate loses a pair in a long gap.
func (u *unequal) others(s int) float64 {
	cost := u.costs.wavefronts(s, 0)
	if u.band != nil && 4*u.difference() < min(u.pattern.n, u.text.n) {
		band, _ := u.costs.band(u.band, s)
		// On average half of the diagonals between 0 and the end diagonal are in use.
		vectors := float64(u.difference()/u.band.width) / 2
		cost = min(cost, max(band, float64(u.band.total)*bandVector*vectors))
	}
	if u.edit != nil {
		cost = min(cost, u.edit.cost(u.pattern.n, u.text.n, s))
	}
	return cost
}

// matrixCost estimates what the matrix costs, cell by cell or by a sweep.
func (u *unequal) matrixCost() float64 { return min(u.cellsCost(), u.sweeps.wholeCost()) }

// cellsCost estimates what the matrix costs cell by cell. It is infinite where costs exceed their type or
// the least storage for the traceback exceeds bound.
func (u *unequal) cellsCost() float64 {
	n, m := min(u.pattern.n, u.text.n), max(u.pattern.n, u.text.n)
	if u.pen.Gap(n)+u.pen.Gap(m) > maxMatrixScore || !u.scoreOnly && matrixBytes(n) > u.bound() {
		return math.Inf(1)
	}
	cost := matrixColumn*float64(m) + matrixCell*float64(n)*float64(m)
	return cost * float64(passes(m, 1, n+1, 2*(n+1), u.lineMemory()))
}

// matrixDoubt is how many times what wavefronts have cost the matrix may cost: the expected score
// may be far too high.
const matrixDoubt = 4

// matrixPays reports whether the matrix should finish the pair, whose score is expected to be guess
// and whose wavefronts have come to score done. Where penalties are large, a short pair has more
// scores than cells.
func (u *unequal) matrixPays(guess, done int) bool {
	return u.matrixCost() < min(u.costs.wavefronts(guess, done), matrixDoubt*u.costs.wavefronts(done, 0))
}

// alongGapCost estimates what a pair of n and m letters, of whose score bound is a bound, costs by directed
// wavefronts. The cost is infinite where the lengths differ by no long gap, or by one that exceeds the memory.
func (u *unequal) alongGapCost(n, m, bound int) float64 {
	difference := abs(n - m)
	if difference < unequalLength || !u.directedFits(difference) {
		return math.Inf(1)
	}
	return u.directedCost(difference, bound-u.pen.GapExtend*difference)
}

// directedCost estimates what directed wavefronts cost up to the reduced cost s for sequences whose lengths
// differ by difference.
func (u *unequal) directedCost(difference, s int) float64 {
	width := difference + s/(2*u.pen.GapExtend)
	cell := directedCell
	if u.pen.GapOpen == 0 {
		cell = directedFree
	}
	cost := cell * float64(s) * float64(width)
	return cost * float64(passes(s, u.reach()+1, width, u.stateRows()*width, u.lineMemory()))
}

// stateRows is the number of rows from which directed wavefronts continue.
func (u *unequal) stateRows() int {
	return u.reach() + 4*u.pen.GapExtend
}

// reach is how many rows before a row directed wavefronts read.
func (u *unequal) reach() int { return max(u.pen.Mismatch, u.pen.GapOpen+2*u.pen.GapExtend) }

// directedFits reports whether directed wavefronts for sequences whose lengths differ by difference, with the
// least storage for a traceback, stay within bound.
func (u *unequal) directedFits(difference int) bool {
	reach := u.reach()
	rows := 3 << bits.Len(uint(reach)) // the rings
	if !u.scoreOnly {
		rows += minStates*u.stateRows() + 2*reach + 4
	}
	return 4*rows*difference <= u.bound()
}

// bound is the memory, in bytes, for the methods for unequal pairs: the memory bound where the
// matrix keeps it, or else what the rings of wavefronts, which would align the pair, would
// take if that is more.
func (u *unequal) bound() int {
	if matrixBytes(min(u.pattern.n, u.text.n)) <= u.memory {
		return u.memory
	}
	rows := 6 << bits.Len(uint(u.pen.LongestStep()))
	return max(u.memory, 4*rows*u.difference())
}

// alignDirected aligns the pair by directed wavefronts and reports whether it did: from the
// cost first on it asks whether the rest costs more than the matrix, which costs whole, or than
// the methods for pairs of similar lengths. It ends with any score above the limit if the score is above it.
func (u *unequal) alignDirected(dst cigar.CIGAR, first, whole float64) (int, cigar.CIGAR, bool, error) {
	if u.directed == nil {
		u.directed = newDirected(u.kern, u.pen)
	}
	d := u.directed
	d.load(u.pattern, u.text)
	d.lines.start(d, d.depth, u.lineMemory(), u.stop)
	difference := u.difference()
	gap := u.pen.Gap(difference)
	for !d.reached() {
		if s := d.score(); s > u.limit {
			return s, dst, true, nil // at least
		}
		if stopped(u.stop) {
			return 0, dst, false, errStopped
		}
		if done := u.directedCost(difference, d.s); done > first {
			first = done * 1.5
			guess := d.guess()
			if u.directedCost(difference, guess)-done > min(whole, u.others(guess+gap)) {
				return 0, dst, false, nil
			}
		}
		d.lines.advance()
	}
	s, dst, err := u.traceback(dst, d.score(), d)
	return s, dst, true, err
}

// alignMatrix aligns the pair by the matrix.
func (u *unequal) alignMatrix(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	if u.sweeps.wholeCost() < u.cellsCost() {
		return u.sweeps.whole(dst)
	}
	return u.alignCells(dst)
}

// alignCells aligns the pair by the matrix cell by cell.
func (u *unequal) alignCells(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	x := &u.matrix
	x.pen = u.pen
	x.load(u.pattern.letters(), u.text.letters())
	x.lines.start(x, 1, u.lineMemory(), u.stop)
	for i := range x.text {
		if i%256 == 0 && stopped(u.stop) {
			return 0, dst, errStopped
		}
		x.lines.advance()
	}
	return u.traceback(dst, x.score(), x)
}

// lineMemory is the memory for lines, none in score-only mode.
func (u *unequal) lineMemory() int {
	if u.scoreOnly {
		return 0
	}
	return u.memory
}

// traceback finishes the pair of score s, whose cells are c.
func (u *unequal) traceback(dst cigar.CIGAR, s int, c cells) (int, cigar.CIGAR, error) {
	if u.scoreOnly {
		return s, dst, nil
	}
	t := traceback{pattern: u.pattern, text: u.text, pen: u.pen, score: s}
	dst, err := t.run(dst, c)
	if stopped(u.stop) {
		err = errStopped
	}
	return s, dst, err
}
