package align_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
)

// Every pair of a batch is counted once, by whichever method and after whatever it has waited for.
func TestStatsCountPairsOnce(t *testing.T) {
	all := align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	r := rand.New(rand.NewPCG(71, 72))
	var b align.Batch
	for i := range 700 {
		text := letters(r, "ACGT", 1+r.IntN(400))
		pattern := edited(r, "ACGT", text, []float64{0, 0.01, 0.1, 0.3}[i%4])
		if i%9 == 0 {
			pattern = letters(r, "ACGT", len(text))
		}
		b.Pairs = append(b.Pairs, align.Pair{Pattern: pattern, Text: append(letters(r, "ACGT", r.IntN(80)), text...)})
	}
	for _, o := range []align.Options{
		{}, {Penalties: align.EditPenalties}, {LongGap: align.Gap{Open: 9, Extend: 1}, Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}},
		{Span: align.EndsFree, Free: all}, {Span: align.EndsFree, Free: all, Match: 1},
		{Span: align.Extension, Match: 2}, {Span: align.Local, Match: 2}, {Cutoff: 40}, {Span: align.EndsFree, Free: all, Cutoff: 40},
	} {
		for _, o.ScoreOnly = range []bool{false, true} {
			for _, o.Level = range align.Levels() {
				t.Run(fmt.Sprintf("%v/%v/%v/%v", o.Span, o.Match, o.Level, o.ScoreOnly), func(t *testing.T) {
					o := o
					o.Threads = 2
					e, err := align.New(o)
					if err != nil {
						t.Fatal(err)
					}
					if err := e.AlignBatch(context.Background(), &b); err != nil {
						t.Fatal(err)
					}
					s := e.Stats()
					if n := s.Wavefront + s.Checkpointed + s.Banded; n != int64(len(b.Pairs)) {
						t.Errorf("%d pairs are counted %d times: %+v", len(b.Pairs), n, s)
					}
				})
			}
		}
	}
}
