package align

import (
	"math"

	"wfagpu/cigar"
)

// Costs in nanoseconds, as in choose.go.
const (
	matrixCell    = 1.3
	matrixColumn  = 5.0
	directedCell  = 3.0
	unequalLength = 256 // difference of the lengths from which the methods below are considered
	unequalCost   = 1e6 // and what the others must cost at least
)

// oneGap aligns the loaded pair, one side of which is empty.
func (a *Aligner) oneGap(dst cigar.CIGAR) (int, cigar.CIGAR) {
	a.stats.Wavefront++
	n, m := a.pattern.n, a.text.n
	if !a.scoreOnly {
		dst = dst.AppendElem(runIns, n)
		dst = dst.AppendElem(runDel, m)
	}
	return a.pen.Gap(n + m), dst
}

// tryUnequal aligns the loaded pair where the difference of its lengths makes the other methods
// dear, and reports whether it did: by the matrix or by directed wavefronts. The score of such
// a pair says nothing about its neighbours', so it is not observed.
func (a *Aligner) tryUnequal(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	n, m := min(a.pattern.n, a.text.n), max(a.pattern.n, a.text.n)
	if m-n < unequalLength {
		return 0, dst, false, nil
	}
	least := a.others(a.pen.Gap(m - n))
	if least < unequalCost {
		return 0, dst, false, nil
	}
	whole := a.matrixCost(n, m)
	if a.directedFits() && a.directedCost(a.pen.GapOpen+a.pen.Mismatch) < min(least, whole) {
		if s, c, ok, err := a.tryDirected(dst, least, whole); ok || err != nil {
			return s, c, ok, err
		}
		least = a.others(a.directed.guess() + a.pen.Gap(m-n))
	}
	if whole < least {
		s, c, err := a.alignMatrix(dst)
		return s, c, true, err
	}
	return 0, dst, false, nil
}

// others estimates what the methods for pairs of similar lengths cost for the loaded pair, if
// its score is s.
func (a *Aligner) others(s int) float64 {
	cost := a.costs.wavefronts(s, 0)
	if a.band != nil {
		band, _ := a.costs.band(a.band, s)
		cost = min(cost, band)
	}
	return cost
}

// matrixCost estimates what the matrix costs for sequences of n and m letters, n <= m. It is
// infinite where the storage for the traceback would exceed the memory bound.
func (a *Aligner) matrixCost(n, m int) float64 {
	if a.pen.Worst(n, m) > maxMatrixScore || !a.scoreOnly && matrixBytes(n) > a.memory {
		return math.Inf(1)
	}
	cost := matrixColumn*float64(m) + matrixCell*float64(n)*float64(m)
	if !a.scoreOnly { // columns are computed again for the traceback
		cost *= 2
	}
	return cost
}

// directedCost estimates what directed wavefronts cost for the loaded pair up to a reduced cost
// of s.
func (a *Aligner) directedCost(s int) float64 {
	f := float64(s)
	offsets := f * (float64(abs(a.text.n-a.pattern.n)) + f/float64(2*a.pen.GapExtend))
	switch {
	case a.scoreOnly:
	case offsets*4 < float64(a.memory)/4: // all rows are stored
	default: // rows are computed again for states, and then for blocks
		offsets *= 3
	}
	return directedCell * offsets
}

// directedFits reports whether directed wavefronts of the loaded pair, and the least storage
// for a traceback, stay within the memory bound.
func (a *Aligner) directedFits() bool {
	reach := max(a.pen.Mismatch, a.pen.GapOpen+2*a.pen.GapExtend) + 1
	state := reach + 4*a.pen.GapExtend
	rows := 2 * state
	if !a.scoreOnly {
		rows += 4*state + 4*(2*reach+2)
	}
	return 4*rows*abs(a.text.n-a.pattern.n) <= a.memory
}

// tryDirected aligns the loaded pair by directed wavefronts, unless they turn out to cost more
// than another method. least is what the methods for pairs of similar lengths cost at least,
// whole what the matrix costs.
func (a *Aligner) tryDirected(dst cigar.CIGAR, least, whole float64) (int, cigar.CIGAR, bool, error) {
	d := a.loadDirected()
	check := min(least, whole) / 16
	difference := a.pen.Gap(abs(a.text.n - a.pattern.n))
	for !d.reached(compM) {
		if a.stopped() {
			return 0, dst, false, errStopped
		}
		if a.directedCost(d.s) > check {
			check *= 1.5
			guess := d.guess()
			if a.directedCost(guess)-a.directedCost(d.s) > min(whole, a.others(guess+difference)) {
				return 0, dst, false, nil
			}
		}
		d.lines.advance()
	}
	a.stats.Wavefront++
	s, dst, err := a.fromLines(dst, d.score(), d, &d.lines)
	return s, dst, true, err
}

// loadDirected returns directed wavefronts of the loaded pair.
func (a *Aligner) loadDirected() *directed {
	if a.directed == nil {
		a.directed = newDirected(a.kern, a.pen)
	}
	a.directed.load(&a.pattern, &a.text)
	a.directed.lines.start(a.directed, a.directed.depth, a.lineMemory())
	return a.directed
}

// alignMatrix aligns the loaded pair by the matrix.
func (a *Aligner) alignMatrix(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	x := &a.matrix
	x.load(a.pattern.letters(), a.text.letters())
	x.lines.start(x, 1, a.lineMemory())
	for i := range x.text {
		if i%256 == 0 && a.stopped() {
			return 0, dst, errStopped
		}
		x.lines.advance()
	}
	a.stats.Banded++
	return a.fromLines(dst, x.score(), x, &x.lines)
}

// lineMemory is the memory for lines, none in score-only mode.
func (a *Aligner) lineMemory() int {
	if a.scoreOnly {
		return 0
	}
	return a.memory
}

// fromLines finishes the loaded pair of score s, whose cells are those of lines.
func (a *Aligner) fromLines(dst cigar.CIGAR, s int, c cells, lines *replay) (int, cigar.CIGAR, error) {
	if a.scoreOnly {
		return s, dst, nil
	}
	lines.stopped = a.stopped
	t := traceback{pattern: &a.pattern, text: &a.text, pen: a.pen, score: s}
	dst, err := t.run(dst, c)
	if a.stopped() {
		err = errStopped
	}
	return s, dst, err
}

// guess predicts the reduced cost of the end cell from the letters of the pattern that have
// been reached.
func (d *directed) guess() int {
	return min(predict(d.s, d.progress, d.pattern.n), d.pen.Mismatch*d.pattern.n+d.pen.GapOpen)
}
