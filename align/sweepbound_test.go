package align_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// noisyPairs returns reads with 5 to 35 % errors within texts with flanks, of more letters than a beam
// is for. Some have a long gap, letters that are not of DNA, tandem repeats or an equal place beside
// the read; some texts begin or end with the read, or within it.
func noisyPairs(seed uint64, n, most int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 23))
	letters := func(n int) []byte { return letters(r, "ACGT", n) }
	for range n {
		target := letters(most/2 + r.IntN(most/2))
		if r.IntN(4) == 0 { // a tandem repeat
			unit, at := letters(1+r.IntN(12)), r.IntN(len(target))
			target = slices.Insert(target, at, slices.Repeat(unit, 1+r.IntN(300)/len(unit))...)
		}
		if r.IntN(6) == 0 {
			for range 30 {
				target[r.IntN(len(target))] = 'N'
			}
		}
		rate := 5 + r.IntN(30)
		var pattern []byte
		for _, c := range target {
			switch x := r.IntN(300); {
			case x < rate:
			case x < 2*rate:
				pattern = append(pattern, letters(1+r.IntN(3))...)
			case x < 3*rate:
				pattern = append(pattern, letters(1)...)
				continue
			}
			pattern = append(pattern, c)
		}
		switch at := r.IntN(len(pattern)); r.IntN(6) {
		case 0:
			pattern = slices.Insert(pattern, at, letters(r.IntN(250))...)
		case 1:
			pattern = slices.Delete(pattern, at, min(len(pattern), at+r.IntN(150)))
		}
		flanks := [2][]byte{letters(r.IntN(300)), letters(r.IntN(300))}
		for side := range flanks {
			switch r.IntN(6) {
			case 0:
				flanks[side] = nil
			case 1: // a part of the target, which the read is aligned to as well
				at := r.IntN(len(target))
				flanks[side] = slices.Clone(target[at:min(len(target), at+r.IntN(300))])
			}
		}
		text := slices.Concat(flanks[0], target, flanks[1])
		switch cut := r.IntN(200); r.IntN(8) {
		case 0:
			text = text[min(cut, len(text)-1):]
		case 1:
			text = text[:max(1, len(text)-cut)]
		}
		cases = append(cases, aligntest.Case{Name: "a noisy pair", Pattern: pattern, Text: text})
	}
	return cases
}

// clippedPairs returns pairs with mismatches that are further apart than seeds, and others near the end. Some lack many
// letters of the text.
func clippedPairs(r *rand.Rand, n int) (cases []aligntest.Case) {
	for range n {
		text := letters(r, "ACGT", 400+r.IntN(600))
		pattern := slices.Clone(text)
		missing := r.IntN(500) * r.IntN(2)
		other := func(i int) { pattern[i] = "CGTA"[strings.IndexByte("ACGT", pattern[i])] }
		for i := 10 + r.IntN(30); i < len(text)-20; i += 25 + r.IntN(30) {
			other(i)
		}
		for i := len(text) - 1 - r.IntN(3); i < len(text); i++ {
			other(i)
		}
		text = slices.Insert(text, r.IntN(len(text)), letters(r, "ACGT", missing)...)
		cases = append(cases, aligntest.Case{Name: "a clipped pair", Pattern: pattern, Text: text})
	}
	return cases
}

// insertedPairs returns pairs whose pattern has many letters more than the text, between equal ones.
func insertedPairs(r *rand.Rand, n int) (cases []aligntest.Case) {
	for range n {
		some := func(n int) []byte { return letters(r, "ACGT", n) }
		x, y, z := some(80+r.IntN(200)), some(200+r.IntN(1000)), some(200+r.IntN(1000))
		text := slices.Concat(x, z)
		if r.IntN(2) == 0 {
			text = append(text, text[:r.IntN(len(text))]...)
		}
		cases = append(cases, aligntest.Case{Name: "an insertion", Pattern: slices.Concat(x, y, z), Text: text})
	}
	return cases
}

// Long insertions at little cost, where errors cost much.
func TestSweepBoundsOfInsertions(t *testing.T) {
	many := 24
	if testing.Short() {
		many = 12
	}
	for i, s := range []align.Scoring{
		{Penalties: align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 1}, Match: 5},
		{Penalties: align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 1}, Match: 7},
		{Penalties: align.Penalties{Mismatch: 33, GapOpen: 41, GapExtend: 1}, Match: 5},
		{Penalties: align.Penalties{Mismatch: 53, GapOpen: 192, GapExtend: 2}, Match: 5, LongGap: align.Gap{Open: 194, Extend: 1}},
		{Penalties: align.Penalties{Mismatch: 36, GapOpen: 66, GapExtend: 1}, Match: 2},
	} {
		for at, span := range []align.Span{align.Extension, align.Local} {
			cases := insertedPairs(rand.New(rand.NewPCG(uint64(i), 61+uint64(at))), many)
			o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Match: s.Match, Span: span}
			wantBounded(t, o, cases, 0)
		}
	}
}

// Bounded sweeps leave out no cell of an optimal alignment that ends anywhere, or begins anywhere, too: of noisy
// reads, some of which have other letters than the text at one end or both, or in the middle.
func TestSweepBoundsOfAnyEnds(t *testing.T) {
	many := 10
	if testing.Short() {
		many = 6
	}
	for i, s := range append(aligntest.Scorings(), align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapExtend: 24}, Match: 1}) {
		if s.Match == 0 {
			continue
		}
		for at, span := range []align.Span{align.Extension, align.Local} {
			r := rand.New(rand.NewPCG(uint64(i), 25+uint64(at)))
			cases := noisyPairs(uint64(1000+2*i+at), many, 1100)
			for j := range cases {
				c := &cases[j]
				n := len(c.Pattern)
				switch other := letters(r, "ACGT", r.IntN(400)); r.IntN(6) {
				case 0:
					c.Pattern = append(c.Pattern, other...)
				case 1:
					c.Pattern = append(other, c.Pattern...)
				case 2:
					c.Pattern = slices.Concat(c.Pattern[:n/3], other, c.Pattern[n/3:])
				case 3:
					c.Pattern, c.Text = c.Text, c.Pattern
				}
			}
			cases = append(cases, clippedPairs(r, many/2)...)
			o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Match: s.Match, Span: span}
			wantBounded(t, o, cases, 0, 1<<19)
		}
	}
}

// Bounded sweeps leave out no cell of an optimal alignment of noisy reads.
func TestSweepBounds(t *testing.T) {
	many := 16
	if testing.Short() {
		many = 8
	}
	for i, s := range aligntest.Scorings() {
		r := rand.New(rand.NewPCG(uint64(i), 24))
		for at, free := range []align.Free{
			{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, {TextBegin: 100, TextEnd: 200},
			{PatternBegin: align.FreeAll, TextEnd: align.FreeAll}, aligntest.RandomFree(r, 300),
		} {
			cases := noisyPairs(uint64(4*i+at), many, 1100)
			if free.PatternBegin > 300 { // begins in the first column, some behind most of the pattern
				for j := range cases {
					q := &cases[j].Text
					*q = (*q)[max(0, len(*q)-30-r.IntN(200<<r.IntN(3))):]
				}
			}
			o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Match: s.Match, Span: align.EndsFree, Free: free}
			wantBounded(t, o, cases, 0, 1<<19)
		}
	}
}

// wantBounded holds bounded sweeps of all levels, with some sizes of memory, against the matrix.
func wantBounded(t *testing.T, o align.Options, cases []aligntest.Case, memories ...int) {
	t.Helper()
	wants := resultsBy(byMatrix(t, o), cases)
	for _, o.Level = range align.Levels() {
		for _, o.Memory = range memories {
			m, err := align.NewSpanBy(align.SpanByBounded, o)
			if err != nil {
				t.Fatal(err)
			}
			for j, c := range cases {
				if r, ok := m.Align(c.Pattern, c.Text, nil); ok || r.Err != nil {
					wantResult(t, o, c, r, wants[j])
				}
			}
		}
	}
}
