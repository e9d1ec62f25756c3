package align_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
)

// Pairs with more scores than cells end in the matrix, with the alignment that the rule asks for,
// or beyond a cutoff.
func TestMatrixOfFewCells(t *testing.T) {
	p := align.Penalties{Mismatch: 2, GapOpen: 0, GapExtend: 255}
	r := rand.New(rand.NewPCG(7, 255))
	var pairs []align.Pair
	for range 6 {
		pairs = append(pairs, align.Pair{Pattern: letters(r, "ACGT", 60+r.IntN(100)), Text: letters(r, "ACGT", 200+r.IntN(100))})
	}
	for _, level := range align.Levels() {
		for i, pair := range pairs {
			want, c := slowAlignment(pair.Pattern, pair.Text, p)
			for _, o := range []align.Options{{}, {ScoreOnly: true}, {Cutoff: want + 1}, {Cutoff: want}} {
				o.Penalties, o.Level, o.Threads = p, level, 1
				b := &align.Batch{Pairs: []align.Pair{pair}}
				stats := mustAlign(t, o, b)
				checkOptimum(t, fmt.Sprintf("pair %d, %+v", i, o), o, b.Results[0], want, c)
				if stats.Banded != 1 {
					t.Errorf("pair %d, %+v: %+v, want the matrix, which counts as a band", i, o, stats)
				}
			}
		}
	}
}
