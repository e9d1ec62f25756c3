package align

import "fmt"

// MaxPenalty is the largest value a penalty may take.
const MaxPenalty = 255

// Penalties are the gap-affine costs: a match costs 0, a mismatch Mismatch and
// a gap of length l GapOpen + l*GapExtend.
type Penalties struct {
	Mismatch, GapOpen, GapExtend int
}

// DefaultPenalties are those of the WFA-GPU paper's tool.
var DefaultPenalties = Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}

// EditPenalties are those whose score is the edit distance.
var EditPenalties = Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}

// Validate reports whether the penalties are in range: mismatch and gap
// extension 1..255, gap open 0..255.
func (p Penalties) Validate() error {
	switch {
	case p.Mismatch < 1 || p.Mismatch > MaxPenalty:
		return fmt.Errorf("mismatch penalty %d is outside 1..%d", p.Mismatch, MaxPenalty)
	case p.GapOpen < 0 || p.GapOpen > MaxPenalty:
		return fmt.Errorf("gap-open penalty %d is outside 0..%d", p.GapOpen, MaxPenalty)
	case p.GapExtend < 1 || p.GapExtend > MaxPenalty:
		return fmt.Errorf("gap-extend penalty %d is outside 1..%d", p.GapExtend, MaxPenalty)
	}
	return nil
}

// String returns "x,o,e".
func (p Penalties) String() string {
	return fmt.Sprintf("%d,%d,%d", p.Mismatch, p.GapOpen, p.GapExtend)
}

// Gap returns the cost of a gap of length l; 0 for l <= 0.
func (p Penalties) Gap(l int) int {
	if l <= 0 {
		return 0
	}
	return p.GapOpen + l*p.GapExtend
}

// ThreeErrors returns what a mismatch, and an insertion and a deletion of a letter each, cost together.
func (p Penalties) ThreeErrors() int { return p.Mismatch + 2*p.Gap(1) }

// LongestStep returns the largest amount by which one operation raises the
// score.
func (p Penalties) LongestStep() int { return max(p.Mismatch, p.GapOpen+p.GapExtend) }

// LengthGap returns what the difference of two lengths costs: a lower bound on
// the optimal score.
func (p Penalties) LengthGap(pattern, text int) int { return p.Gap(abs(pattern - text)) }

// Worst returns an upper bound on the optimal score of sequences of these
// lengths: the cheaper of two gaps over everything and mismatches with one gap
// for the rest.
func (p Penalties) Worst(pattern, text int) int {
	return min(p.Gap(pattern)+p.Gap(text), p.Mismatch*min(pattern, text)+p.LengthGap(pattern, text))
}

// leave returns the least cost of an alignment that goes more than r diagonals
// below both 0 and end, or above both: a gap out and a gap back.
func (p Penalties) leave(end, r int) int {
	return 2*p.GapOpen + (2*(r+1)+abs(end))*p.GapExtend
}

// longest returns how many letters a gap of a cost has at most.
func (p Penalties) longest(cost int) int { return max(0, (cost-p.GapOpen)/p.GapExtend) }

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Reduced divides the penalties by their greatest common divisor g, which is
// returned too: every score is a multiple of g, so the wavefront needs only
// 1/g of the steps.
func (p Penalties) Reduced() (Penalties, int) {
	g := GreatestDivisor(p.Mismatch, p.GapOpen, p.GapExtend)
	return Penalties{p.Mismatch / g, p.GapOpen / g, p.GapExtend / g}, g
}

// GreatestDivisor returns the greatest common divisor of some numbers, 0 if all of them are 0.
func GreatestDivisor(numbers ...int) int {
	g := 0
	for _, n := range numbers {
		for n = abs(n); n != 0; {
			g, n = n, g%n
		}
	}
	return g
}
