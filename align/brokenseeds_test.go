package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// breaking returns a copy of a text with errors that break as many seeds as they can. At the last letter of every
// first, second or so seed it has a mismatch if letters is 0, and else an insertion of so many letters or, if that is
// 1, a deletion as often.
func breaking(r *rand.Rand, text []byte, every, letters int) (pattern []byte) {
	const step = leastBroken + brokenSpace
	for at, next := 0, leastBroken-1; at < len(text); at++ {
		if len(pattern) < next {
			pattern = append(pattern, text[at])
			continue
		}
		next += every * step
		switch {
		case letters == 0:
			pattern = append(pattern, "CGTA"[text[at]>>1&3])
		case letters == 1 && r.IntN(2) == 0: // a deletion
		default:
			next += letters / step * step
			pattern = append(append(pattern, lettersOf(r, "ACGT", letters)...), text[at])
		}
	}
	return pattern
}

// Broken seeds never tell of more than the rest of an alignment costs, with gaps of all lengths, and tell of
// more than gaps do.
func TestBrokenSeedsBoundTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	told := 0
	for round := range 400 {
		p := Penalties{Mismatch: 1 + r.IntN(20), GapOpen: r.IntN(40), GapExtend: 1 + r.IntN(4)}
		if round%4 == 0 {
			p = Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}
		}
		text := lettersOf(r, "ACGT", 60+r.IntN(200))
		pattern := slices.Clone(text)
		for range r.IntN(12) {
			at := r.IntN(len(pattern))
			switch l := 1 + r.IntN(1<<r.IntN(6)); r.IntN(3) {
			case 0:
				pattern[at] = "ACGT"[r.IntN(4)]
			case 1:
				pattern = slices.Insert(pattern, at, lettersOf(r, "ACGT", l)...)
			default:
				pattern = slices.Delete(pattern, at, min(at+l, len(pattern)-1))
			}
		}
		if round%2 == 1 {
			pattern = breaking(r, text, 1+r.IntN(3), []int{0, 1, brokenSpace + 2, 2*leastBroken + 3*brokenSpace}[r.IntN(4)])
		}
		var s brokenSeeds
		s.load(p, pattern, text)
		end := len(text) - len(pattern)
		costs := backward(p, pattern, text)
		for i := range len(pattern) + 1 {
			for j := range len(text) + 1 {
				at := i*(len(text)+1) + j
				rest := min(costs[compM][at], costs[compIns][at], costs[compDel][at])
				back := abs(end - (j - i))
				if s.above(0, back, i, rest) {
					t.Fatalf("%v: %d diagonals back from letter %d cost %d, and more by %d seeds of %d letters\n%s\n%s",
						p, back, i, rest, s.from(i), s.size, pattern, text)
				}
				if s.above(0, back, i, rest/2) && rest/2 > back*p.GapExtend {
					told++
				}
			}
		}
	}
	if told < 10_000 {
		t.Errorf("seeds tell of half of the cost and more than gaps do at %d cells", told)
	}
}
