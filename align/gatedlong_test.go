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
			done += wantTaken(t, by, o, append(cases, longGapPairs(r, many/4)...))
		}
	}
	if done < 4*many {
		t.Errorf("%d pairs have gates", done)
	}
}

// longGapPairs returns n pairs of equal letters but for a long gap, perhaps of a copy, and few errors near it.
func longGapPairs(r *rand.Rand, n int) (cases []aligntest.Case) {
	for i := range n {
		p := letters(r, "ACGT", 250+r.IntN(500))
		q := slices.Clone(p)
		at, l := r.IntN(len(p)+1), 1+r.IntN(400)
		if r.IntN(6) == 0 {
			at = []int{0, len(p)}[r.IntN(2)]
		}
		other := letters(r, "ACGT", l)
		if r.IntN(3) == 0 {
			other = slices.Clone(p[max(0, at-l):at])
		}
		q = slices.Insert(q, at, other...)
		for range []int{0, 0, 1, 3}[i%4] {
			j := min(len(p)-1, max(0, at-20+r.IntN(40)))
			switch r.IntN(3) {
			case 0:
				p[j] = "ACGT"[r.IntN(4)]
			case 1:
				p = slices.Delete(p, j, j+1)
			default:
				p = slices.Insert(p, j, letters(r, "ACGT", 1+r.IntN(3))...)
			}
		}
		if r.IntN(2) == 0 {
			p, q = q, p
		}
		cases = append(cases, aligntest.Case{Name: "long gap", Pattern: p, Text: q})
	}
	return cases
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
