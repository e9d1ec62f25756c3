package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// restCosts returns what an alignment costs from each cell to the end at least, if it may go on with an open gap.
func restCosts(pattern, text []byte, p Penalties) [][]int {
	const none = 1 << 28
	n, m := len(pattern), len(text)
	rest := make([][]int, n+1)
	var below struct{ cell, ins []int } // of the row below
	for i := n; i >= 0; i-- {
		cell, ins := slices.Repeat([]int{none}, m+1), slices.Repeat([]int{none}, m+1)
		rest[i] = make([]int, m+1)
		del := none
		for j := m; j >= 0; j-- {
			c, openIns, openDel := none, none, none
			if i == n && j == m {
				c = 0
			}
			if i < n && j < m {
				step := below.cell[j+1]
				if pattern[i] != text[j] {
					step += p.Mismatch
				}
				c = min(c, step)
			}
			if i < n {
				openIns = below.ins[j] + p.GapExtend
			}
			if j < m {
				openDel = del + p.GapExtend
			}
			c = min(c, p.GapOpen+openIns, p.GapOpen+openDel)
			cell[j], ins[j], del = c, min(c, openIns), min(c, openDel)
			rest[i][j] = min(ins[j], del)
		}
		below.cell, below.ins = cell, ins
	}
	return rest
}

// Broken seeds never tell of more than the rest of an alignment costs, with gaps of all lengths, and tell of most of the errors
// where these are mismatches.
func TestBrokenSeedsBoundTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func(n int) []byte {
		s := make([]byte, n)
		for i := range s {
			s[i] = "ACGT"[r.IntN(4)]
		}
		return s
	}
	told := 0
	for round := range 400 {
		p := Penalties{Mismatch: 1 + r.IntN(20), GapOpen: r.IntN(40), GapExtend: 1 + r.IntN(4)}
		if round%4 == 0 {
			p = Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}
		}
		text := random(60 + r.IntN(200))
		pattern := slices.Clone(text)
		for range r.IntN(12) {
			at := r.IntN(len(pattern))
			switch l := 1 + r.IntN(1<<r.IntN(6)); r.IntN(3) {
			case 0:
				pattern[at] = "ACGT"[r.IntN(4)]
			case 1:
				pattern = slices.Insert(pattern, at, random(l)...)
			default:
				pattern = slices.Delete(pattern, at, min(at+l, len(pattern)-1))
			}
		}
		var s brokenSeeds
		s.load(p, pattern, text)
		end := len(text) - len(pattern)
		for i, row := range restCosts(pattern, text, p) {
			for j, rest := range row {
				back := abs(end - (j - i))
				if s.above(0, back, i, rest, p.GapExtend) {
					t.Fatalf("%v: %d diagonals back from letter %d cost %d, and more by %d seeds of %d letters\n%s\n%s",
						p, back, i, rest, s.from(i), s.size, pattern, text)
				}
				if s.above(0, back, i, rest/2, p.GapExtend) && rest/2 > back*p.GapExtend {
					told++
				}
			}
		}
	}
	if told < 10_000 {
		t.Errorf("seeds tell of half of the cost and more than gaps do at %d cells", told)
	}
}
