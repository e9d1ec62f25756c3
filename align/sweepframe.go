package align

import "math"

// sweepFrame is what the costs of a sweep are relative to. A cell (i,j) of cost C holds
// C - letter·(i+j) + bias. Costs fit the type of cells only near a good choice of letter.
type sweepFrame struct {
	routines []sweepRoutine
	lanes    int
	bits     int
	letter   int
	bias     int
	ceiling  int // most that a cell holds, where the least cost is tracked
	costs    [sweepConstants]int32
}

// sweepLimit is the largest absolute value of a cell.
func sweepLimit(bits int) int {
	if bits == 16 {
		return math.MaxInt16
	}
	return math.MaxInt32 / 2
}

// newSweepFrame returns the frame for pairs of these lengths, rows that fill the last strip included, with
// the narrowest cells that take them; ok is false if there is none.
func newSweepFrame(k *kernels, m *Model, pattern, text int) (f sweepFrame, ok bool) {
	for _, bits := range []int{16, 32} {
		kern := k.sweep16
		if bits == 32 {
			kern = k.sweep32
		}
		for _, letter := range []int{m.last().Extend, m.FreeLetter} {
			if f, ok = sweepFrameOf(kern, m, bits, letter, pattern, text); ok {
				return f, true
			}
		}
	}
	return f, false
}

func sweepFrameOf(kern *sweepKernels, m *Model, bits, letter, pattern, text int) (f sweepFrame, ok bool) {
	f = sweepFrame{lanes: kern.lanes, bits: bits, letter: letter}
	two := m.Long != (Gap{})
	switch {
	case m.Span.EndsAnywhere() && letter != m.FreeLetter:
		return f, false // every end has to cost the same
	case two && m.Span.EndsAnywhere():
		f.routines = kern.longLeast
	case two:
		f.routines = kern.long
	case m.Span.EndsAnywhere():
		f.routines = kern.least
	case letter == m.Gap.Extend && len(kern.free) > 0:
		f.routines = kern.free
	default:
		f.routines = kern.affine
	}
	most := 0
	for _, r := range f.routines {
		most = max(most, r.vectors*kern.lanes)
	}
	pattern += most // rows of the last strip

	last := m.last()
	f.costs[sweepMatch] = int32(-2 * letter)
	f.costs[sweepMismatch] = int32(m.Mismatch)
	f.costs[sweepOpen] = int32(m.Gap.Open + m.Gap.Extend - letter)
	f.costs[sweepExtend] = int32(m.Gap.Extend - letter)
	f.costs[sweepOpenLong] = int32(last.Open + last.Extend - letter)
	f.costs[sweepExtendLong] = int32(last.Extend - letter)
	// What a cell passes on may be more or less than what it holds by a step, and a gap that is
	// lengthened by one more.
	step := m.Mismatch + 2*max(m.Gap.Open+m.Gap.Extend, last.Open+last.Extend) + 2*letter
	limit := sweepLimit(bits) - step
	// Cells beside those that are not left out may hold less than they cost.
	down := 2*letter*min(pattern, text) + 3*letter*most
	if letter > m.FreeLetter {
		pb, tb := 0, 0
		if m.Span == EndsFree {
			pb, tb = min(m.Free.PatternBegin, pattern), min(m.Free.TextBegin, text)
		}
		down += (letter - m.FreeLetter) * max(pb, tb)
	}
	if m.Span.EndsAnywhere() {
		// A path may come back from the ceiling by down, and then it must not have
		// become cheap.
		f.bias = -limit + down
		f.ceiling = limit
		if m.Span == Local {
			f.bias, f.ceiling = limit, limit
			f.costs[sweepFloor] = int32(limit)
			return f, down <= 2*limit
		}
		f.costs[sweepFloor] = int32(f.ceiling)
		return f, 2*down < 2*limit
	}
	relativeGap := func(l int) int { return max(0, m.Cost(l)-l*letter) }
	up := relativeGap(pattern)
	if m.Span != EndsFree || m.Free.TextBegin < text {
		up += relativeGap(text)
	}
	f.bias = limit - up
	f.ceiling = limit
	return f, down <= 2*limit-up
}

// left and top return the costs of the cells of column 0 and of row 0.
func (m *Model) left(i int) int { return edgeCost(m, i, m.Free.PatternBegin) }
func (m *Model) top(j int) int  { return edgeCost(m, j, m.Free.TextBegin) }

// edgeCost returns the cost of l letters of one sequence at the begin, of which free ones may be left
// out.
func edgeCost(m *Model, l, free int) int {
	switch m.Span {
	case Local:
		return l * m.FreeLetter
	case EndsFree:
		// A letter of a gap costs more than one that is left out.
		if l <= free {
			return l * m.FreeLetter
		}
		return free*m.FreeLetter + m.Cost(l-free)
	}
	return m.Cost(l)
}

// choose returns the routine of the strips that cost least, and what they cost.
func (f *sweepFrame) choose(pattern, text int) (best *sweepRoutine, cost float64) {
	cost = math.Inf(1)
	for i := range f.routines {
		r := &f.routines[i]
		rows := r.vectors * f.lanes
		strips := (pattern + rows - 1) / rows
		if c := sweepSetup + float64(text)*sweepColumn + float64(strips)*(sweepEnter+float64(text+rows)*r.step); c < cost {
			best, cost = r, c
		}
	}
	return best, cost
}

// Costs in nanoseconds, as in choose.go.
const (
	sweepSetup  = 300.0
	sweepColumn = 2.0   // of the border
	sweepEnter  = 300.0 // state and ends of a strip
)
