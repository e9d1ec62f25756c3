package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Where gaps have two costs, pairs have the same alignments part by part as by the matrix, long gaps included.
func TestGatedLong(t *testing.T) {
	many := 120
	if testing.Short() {
		many = 40
	}
	done := 0
	for i, s := range append(aligntest.Scorings(), longGapScorings()...) {
		if s.LongGap == (align.Gap{}) {
			continue
		}
		o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Match: s.Match}
		for _, level := range append(align.Levels(), "") {
			o.Level, o.ScoreOnly = level, level == ""
			by, err := align.NewSpanBy(align.SpanByParts, o)
			if err != nil {
				t.Fatal(err)
			}
			if by == nil {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(i), 47))
			cases := append(clearPairs(r, many, 700, 0), clearPairs(r, many/10, 1500, 0)...)
			for j := range cases {
				if c := &cases[j]; j%3 == 0 { // a long gap
					at := r.IntN(min(len(c.Pattern), len(c.Text)))
					if other := letters(r, "ACGT", r.IntN(300)); j%2 == 0 {
						c.Pattern = slices.Insert(c.Pattern, at, other...)
					} else {
						c.Text = slices.Insert(c.Text, at, other...)
					}
				}
			}
			done += wantTaken(t, by, o, cases)
		}
	}
	if done < 4*many {
		t.Errorf("%d pairs have gates", done)
	}
}

// longGapScorings are those of minimap2's presets, and one of which the gcd is that of the first gap alone.
func longGapScorings() []align.Scoring {
	return []align.Scoring{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Match: 1, LongGap: align.Gap{Open: 26, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 8, GapOpen: 12, GapExtend: 2}, Match: 2, LongGap: align.Gap{Open: 32, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, LongGap: align.Gap{Open: 24, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, LongGap: align.Gap{Open: 9, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 2, GapOpen: 0, GapExtend: 2}, LongGap: align.Gap{Open: 3, Extend: 1}},
	}
}
