package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// narrowLanes is the number of diagonals of a narrow wavefront in assembly: the lanes of one register
// of AVX-512, or of two of AVX2.
const narrowLanes = 16

// narrowKernel is a routine for narrow wavefronts over so many diagonals. Its rows have width elements,
// of which those behind the lanes are null.
type narrowKernel struct {
	run          func(*narrowArgs)
	lanes, width int
}

// narrowArgs is the argument of the narrow kernel: wavefronts, by the recurrence of
// computeGo, over a fixed run of diagonals, stored by score in rows of M, Ins and Del. The
// kernel starts by extending the row at score, which changes nothing when it was extended
// before, and goes on until the end cell is reached or score is stop.
type narrowArgs struct {
	row                    *int32 // at score
	pattern, text          *byte
	mismatch, open, extend int // bytes back to the rows of s-x, s-o-e and s-e
	score, stop            int
	end                    int32 // lane of the end diagonal
	first                  int32 // diagonal of lane 0
	patternLen, textLen    int32
	// Where alignments may end on several diagonals, the kernel goes on until an offset is
	// beyond one of these, a lane each, which are those before the ends; end counts nothing.
	ends *int32
	// Cells on no alignment of this score may be left out, where it is not 0; those on one do not depend on
	// cells left out. The assembly computes all.
	bound int
}

// maxNarrowScore bounds the scores of narrow wavefronts, and the reach of the penalties
// they take.
const maxNarrowScore = 64

// narrow aligns pairs of small score: one call computes all wavefronts, whose components stay in
// one or two registers each if they have narrowLanes. Like the band it is exact up to the score at
// which an alignment could leave its diagonals.
type narrow struct {
	narrowKernel
	stride int // elements of a score: rows of M, Ins and Del
	pen    Penalties
	args   narrowArgs
	rows   []int32 // first null rows for scores below 0, then scores from 0
	origin int     // element of rows at which score 0 starts
	trace  narrowTrace
}

// newNarrow returns nil for penalties that reach too far.
func newNarrow(k narrowKernel, pen Penalties) *narrow {
	below := pen.LongestStep()
	if below > maxNarrowScore {
		return nil
	}
	n := &narrow{narrowKernel: k, stride: 3 * k.width, pen: pen}
	n.rows = nulls((below + maxNarrowScore + 1) * n.stride)
	n.origin = below * n.stride
	n.args.mismatch = 4 * n.stride * pen.Mismatch
	n.args.open = 4 * n.stride * (pen.GapOpen + pen.GapExtend)
	n.args.extend = 4 * n.stride * pen.GapExtend
	return n
}

// certified returns the largest score that is certain to be optimal for pairs that end on
// diagonal end, negative when the end cell is out of reach.
func (n *narrow) certified(end int) int { return n.certain(n.first(end), end) }

// certain is certified where the diagonal of lane 0 is first.
func (n *narrow) certain(first, end int) int {
	spare := min(min(0, end)-first, first+n.lanes-1-max(0, end))
	if spare < 0 {
		return -1
	}
	return min(n.pen.leave(end, spare)-1, maxNarrowScore)
}

// first returns the diagonal of lane 0 for pairs that end on diagonal end.
func (n *narrow) first(end int) int { return end/2 - n.lanes/2 }

// start sets the pair, for which certified is not negative.
func (n *narrow) start(pattern, text *sequence) {
	n.begin(pattern.first(), text.first(), pattern.n, text.n, text.n-pattern.n)
}

// begin sets a pair of so many letters whose alignment is expected to end on diagonal end.
func (n *narrow) begin(pattern, text unsafe.Pointer, patternLen, textLen, end int) {
	// Row 0 is null but for the cell that the last pair began with.
	n.rows[n.origin-int(n.args.first)] = null
	first := n.first(end)
	a := &n.args
	a.first, a.end = int32(first), int32(end-first)
	a.pattern, a.text = (*byte)(pattern), (*byte)(text)
	a.patternLen, a.textLen = int32(patternLen), int32(textLen)
	a.score, a.bound = 0, 0
	n.rows[n.origin-first] = 0
}

// diagonal returns that of a lane.
func (n *narrow) diagonal(lane int) int { return int(n.args.first) + lane }

// row returns the M row of score s.
func (n *narrow) row(s int) []int32 { return n.rows[n.origin+s*n.stride:][:n.lanes] }

// current returns the M row of the current score.
func (n *narrow) current() []int32 { return n.row(n.args.score) }

// upTo goes on to score stop at most and reports whether the end cell has been reached.
func (n *narrow) upTo(stop int) bool {
	a := &n.args
	a.stop = stop
	a.row = &n.current()[0]
	n.run(a)
	return n.current()[a.end] >= a.textLen
}

// within is upTo for the last time, where no alignment that costs more is wanted.
func (n *narrow) within(stop int) bool {
	n.args.bound = stop
	return n.upTo(stop)
}

// furthest returns the largest antidiagonal reached at the current score.
func (n *narrow) furthest() int { return furthest(n.current(), int(n.args.first)) }

// traceback writes the alignment of the pair, whose end cell has been reached, to dst.
func (n *narrow) traceback(dst cigar.CIGAR) (cigar.CIGAR, error) {
	return n.trace.run(dst[:0], n, n.args.score, int(n.args.end), int(n.args.textLen))
}
