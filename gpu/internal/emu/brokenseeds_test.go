package emu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// leaving is GotohLeaving of cuda/gotohband.cuh.
type leaving struct {
	least  int64
	rise   int16
	middle int16 // of a band with rims
	column int32
}

// countSeeds runs the kernel that counts broken seeds and returns what it tells of each task.
func (g *gotohKernel) countSeeds(d *device) []leaving {
	d.t.Helper()
	g.run(d, true, true)
	found := make([]leaving, len(d.tasks))
	for at := range found {
		end := at*int(d.params.RowStride) + int(d.params.LetterWords)
		found[at] = *(*leaving)(unsafe.Pointer(&d.rows[end-4]))
	}
	return found
}

// leavingHalves are the bands that TestBrokenSeeds looks at.
var leavingHalves = []int{1, 2, 3, 5, 8, 13, 21, 34}

// leavingCost returns the least cost of an alignment that leaves a band with `half` diagonals on
// either side, by dynamic programming over cells before and after that.
func leavingCost(p align.Penalties, of pair, half int, free bool) int {
	const none = 1 << 40
	n, m := len(of.pattern), len(of.text)
	end := m - n
	type cell [2][3]int // before and after; H, and with an open deletion or insertion
	empty := cell{{none, none, none}, {none, none, none}}
	rows := [2][]cell{make([]cell, m+1), make([]cell, m+1)}
	best := none
	for i := 0; i <= n; i++ {
		row, above := rows[i&1], rows[1-i&1]
		for j := 0; j <= m; j++ {
			c := empty
			if i == 0 && (j == 0 || free) {
				c[0][0] = 0
			}
			for l := range 2 {
				if j > 0 {
					c[l][1] = min(row[j-1][l][0]+p.GapOpen, row[j-1][l][1]) + p.GapExtend
				}
				if i > 0 {
					c[l][2] = min(above[j][l][0]+p.GapOpen, above[j][l][2]) + p.GapExtend
				}
				if i > 0 && j > 0 {
					cost := above[j-1][l][0]
					if of.pattern[i-1] != of.text[j-1] {
						cost += p.Mismatch
					}
					c[l][0] = min(c[l][0], cost)
				}
				c[l][0] = min(c[l][0], c[l][1], c[l][2])
			}
			if j-i >= half+max(end, 0) || i-j >= half+max(-end, 0) { // outside
				for s := range 3 {
					c[1][s] = min(c[0][s], c[1][s])
				}
				c[0] = empty[0]
			}
			row[j] = c
			if i == n && (j == m || free) {
				best = min(best, c[1][0])
			}
		}
	}
	return best
}

// TestBrokenSeeds compares what the kernel tells of alignments that leave a band with the cheapest
// ones, found by dynamic programming: it is never more, and not much less for some.
func TestBrokenSeeds(t *testing.T) {
	k := emu.ForTest(t)
	for _, free := range []bool{false, true} {
		kernels := gotohKernels(t, k, free)
		for seed, p := range []align.Penalties{
			{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 19, GapOpen: 36, GapExtend: 2},
			{Mismatch: 1, GapOpen: 0, GapExtend: 1}, {Mismatch: 4, GapOpen: 4, GapExtend: 1}, {Mismatch: 9, GapOpen: 2, GapExtend: 5},
		} {
			t.Run(fmt.Sprintf("%s/%v", gotohFamily(free), p), func(t *testing.T) {
				r := rand.New(rand.NewPCG(5, uint64(seed)))
				g := kernels[0]
				g.penalties = p
				pairs := seedPairs(r)
				want := g.optima(t, pairs)
				d := upload(t, k, p, pairs)
				d.setTasks(exactTasks(r, pairs, want, func(pair) int { return 1 << 30 }))
				tight, gains := 0, 0
				for at, l := range g.countSeeds(d) {
					of := pairs[d.tasks[at].Pair]
					for _, half := range leavingHalves {
						told, cost := l.least+int64(l.rise)*int64(half), leavingCost(p, of, half, free)
						if cost < 1<<40 && told > 16*int64(cost) {
							t.Fatalf("leaving %d diagonals costs %d, not %d sixteenths: %s", half, cost, told, d.name(at))
						}
						gaps := 2*p.GapOpen + 2*half*p.GapExtend
						if free {
							gaps = p.GapOpen + half*p.GapExtend
						}
						if told > 16*int64(gaps) {
							gains++
							if told > 16*int64(cost-p.Mismatch) { // another error would be too much
								tight++
							}
						}
					}
				}
				if tight == 0 || gains < len(pairs) {
					t.Errorf("%d of %d pairs: %d bounds are tight of %d above that of gaps", len(d.tasks), len(pairs), tight, gains)
				}
			})
		}
	}
}

// seedPairs are pairs whose errors break as many seeds as they can: letters of insertions that lie in two seeds, long
// ones in several, mismatches and deletions in one each, and gaps that lead far away and back.
func seedPairs(r *rand.Rand) []pair {
	var pairs []pair
	for range 60 {
		text := letters(r, "ACGT", 30+r.IntN(120))
		var pattern []byte
		every := 3 + r.IntN(12)
		for j := 0; j < len(text); {
			n := 1 + r.IntN(2*every)
			n = min(n, len(text)-j)
			pattern = append(pattern, text[j:j+n]...)
			j += n
			switch r.IntN(5) {
			case 0, 1:
				if j < len(text) {
					pattern = append(pattern, letters(r, "ACGT", 1)...)
					j++
				}
			case 2:
				pattern = append(pattern, letters(r, "ACGT", 1+r.IntN(1<<r.IntN(6)))...)
			case 3:
				j = min(j+1+r.IntN(1<<r.IntN(6)), len(text))
			}
		}
		pairs = append(pairs, pair{string(pattern), text})
	}
	// Alignments that leave a band of some width by one insertion, which breaks as many seeds as it
	// can, and come back by one deletion.
	for _, half := range leavingHalves {
		for range 4 {
			u, v, w := letters(r, "ACGT", 4+r.IntN(20)), letters(r, "ACGT", 4+r.IntN(20)), letters(r, "ACGT", 20+r.IntN(20))
			inserted, deleted := letters(r, "ACGT", half), letters(r, "ACGT", half)
			pairs = append(pairs, pair{u + inserted + v + w, u + v + deleted + w}, pair{u + v + inserted + w, u + deleted + v + w})
		}
	}
	// Two halves that fit where they do not belong.
	for range 20 {
		a, b, c := letters(r, "ACGT", 8+r.IntN(40)), letters(r, "ACGT", 2+r.IntN(30)), letters(r, "ACGT", 2+r.IntN(30))
		pairs = append(pairs, pair{a + b + a, a + c + a}, pair{b + a + c, c + a + b})
	}
	return pairs
}
