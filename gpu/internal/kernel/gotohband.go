package kernel

import "wfagpu/align"

// gotohBand is the band of a kernel: cuda/gotohband.cuh.
type gotohBand struct {
	lanes     int // of a pair
	columns   int // of a strip
	penalties align.Penalties
	free      bool // ends of the text
}

// gotohBeside returns the number of diagonals of a band with some strips in flight, but one.
func gotohBeside(strips, columns int) int { return strips*(columns+1) - columns - 1 }

// strips returns the number of strips in flight.
func (b *gotohBand) strips() int { return 2 * b.lanes }

// beside returns the number of diagonals on either side of those from 0 to the end cell's if both sides are alike,
// MaxBound if the matrix has no others, and negative if the band lacks the end cell. GotohBand of
// cuda/gotohband.cuh computes the same.
func (b *gotohBand) beside(pattern, text int) int {
	if text <= b.strips()*b.columns {
		return MaxBound
	}
	beside := gotohBeside(b.strips(), b.columns) - max(text-pattern, pattern-text)
	if beside < 0 {
		return -1
	}
	return beside/2 + 1
}

// certifies returns the largest score that the band certifies by gaps for sequences of some lengths,
// negative if the band lacks the end cell.
func (b *gotohBand) certifies(pattern, text int) int {
	beside := b.beside(pattern, text)
	switch {
	case beside < 0 || beside == MaxBound:
		return beside
	case b.free:
		return gapsCertify(b.penalties, true, beside+max(pattern-text, 0))
	}
	return gapsCertify(b.penalties, false, beside) + b.penalties.GapExtend*max(text-pattern, pattern-text)
}

// spread returns by how much the values of the band's cells differ at most, if a cost counts some times.
func (b *gotohBand) spread(times int) int {
	return times * (2*b.penalties.GapExtend*b.strips()*b.columns + 2*b.penalties.GapOpen)
}

// holds reports whether these values fit into 16 bits.
func (b *gotohBand) holds(times int) bool { return b.spread(times) <= gotohRange }

// steps returns the number of steps of a pair.
func (b *gotohBand) steps(pattern, text int) int { return pattern + (text-1)/b.columns + 1 }
