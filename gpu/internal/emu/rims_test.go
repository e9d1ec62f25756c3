package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// TestRims: what bands with rims certify is the optimum, with the alignment of the rule, wherever
// others leave the band; these may begin and end outside, too.
func TestRims(t *testing.T) {
	k := emu.ForTest(t)
	rounds, seed := emulationRounds()
	certified, leaves := 0, 0
	for _, g := range outsideKernels(t, k, true, 16) {
		if g.lanes*g.columns > 16*20 {
			continue // slow here
		}
		for _, p := range []align.Penalties{
			{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 3, GapOpen: 1, GapExtend: 2}, {Mismatch: 70, GapOpen: 50, GapExtend: 1}, {Mismatch: 16, GapOpen: 40, GapExtend: 2},
			// Whatever returns, the traceback finds alignments: just.
			{Mismatch: 4, GapOpen: 14, GapExtend: 1}, {Mismatch: 5, GapOpen: 8, GapExtend: 2},
		} {
			t.Run(fmt.Sprintf("%s%d/%v", g.name, g.lanes, p), func(t *testing.T) {
				r := rand.New(rand.NewPCG(11, seed))
				g.penalties = p
				pairs := withFlanks(r, detourPairs(r, &g, rounds/2))
				for range rounds / 2 {
					half, length := g.beside()/2, 3*g.strips()*g.columns+r.IntN(4000)
					pairs = append(pairs, tiedWithin(r, p, half/3+r.IntN(5*half/4), length), tiedLonger(r, p, half/3+r.IntN(5*half/4), length))
					pairs = append(pairs, tiedEnd(r, p, half/2+r.IntN(half), 30+r.IntN(half/2), length))
				}
				c, l := g.checkRims(t, k, pairs)
				t.Logf("%d certified, %d leave", c, l)
				certified += c
				leaves += l
			})
		}
	}
	if certified < rounds || leaves < rounds {
		t.Errorf("%d pairs are certified, the optimum of %d leaves the band", certified, leaves)
	}
}

// TestRareRim: a pair of which one alignment ends left of the band, in a strip that does not leave
// as there is no more text: 1140, and 1218 without that strip.
func TestRareRim(t *testing.T) {
	k := emu.ForTest(t)
	g, p := rarePair(t, k, "endingdetour.txt", true, 16, 32)
	if _, leaves := g.checkRims(t, k, []pair{p}); leaves != 1 {
		t.Errorf("the optimum of %d pairs leaves the band", leaves)
	}
}

// checkRims aligns pairs with rims. It returns how many scores need these to be certified, and the
// optimum of how many leaves the band.
func (g *gotohKernel) checkRims(t *testing.T, k *emu.Kernels, pairs []pair) (certified, leaves int) {
	t.Helper()
	want := g.optima(t, pairs)
	d := upload(t, k, g.penalties, pairs)
	tasks := anyScore(pairs)
	d.setTasks(tasks)
	g.run(d, true, false)
	for at, task := range tasks {
		if got := d.results[at]; got.Score < 0 && int(got.Cigar) > want[task.Pair].score {
			leaves++
		}
	}
	own := slices.Clone(tasks) // of which the bound tells whether affine gaps or indels cost more outside
	for i := range own {
		own[i].Bound = int32(want[own[i].Pair].score)
	}
	for i := range 4 {
		tasks, scoreOnly := [][]taskEntry{tasks, own}[i/2], i%2 == 0
		d.setTasks(tasks)
		g.run(d, scoreOnly, true)
		if !scoreOnly {
			d.traceback(g.traces(), 1)
		}
		found := slices.Clone(want)
		for at, task := range tasks {
			switch got := d.results[at]; {
			case got.Score < 0:
				found[task.Pair].score = 1 << 30
			case want[task.Pair].score > g.certifies(d.pairs[task.Pair]) && !scoreOnly:
				certified++
			}
		}
		d.check(g.name, found, func(pair) int { return 1 << 29 }, !scoreOnly)
	}
	return certified, leaves
}
