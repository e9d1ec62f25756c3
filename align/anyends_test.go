package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// clearPairs returns reads of few errors within texts with flanks, some with long gaps, repeats or ends that are not
// those of the text. The texts have up to so many letters before the read.
func clearPairs(r *rand.Rand, n, most, flank int) (cases []aligntest.Case) {
	for range n {
		target := letters(r, "ACGT", most/4+r.IntN(most))
		if r.IntN(3) == 0 {
			unit := letters(r, "ACGT", 1+r.IntN(30))
			target = slices.Insert(target, r.IntN(len(target)), slices.Repeat(unit, 1+r.IntN(10))...)
		}
		pattern := slices.Clone(target)
		for range r.IntN(1 + len(pattern)/30) {
			at := r.IntN(len(pattern) - 8)
			switch r.IntN(6) {
			case 0:
				pattern = slices.Delete(pattern, at, at+1+r.IntN(3))
			case 1:
				pattern = slices.Insert(pattern, at, letters(r, "ACGT", 1+r.IntN(3))...)
			default:
				pattern[at] = "ACGT"[r.IntN(4)]
			}
		}
		if r.IntN(3) == 0 {
			at := r.IntN(len(pattern))
			pattern = slices.Insert(pattern, at, letters(r, "ACGT", r.IntN(60))...)
		}
		if r.IntN(3) == 0 { // at either end, a mismatch or so from it
			at := len(pattern) - 1 - r.IntN(12)
			if r.IntN(2) == 0 {
				at = r.IntN(12)
			}
			pattern[at] = "ACGT"[r.IntN(4)]
		}
		before, behind := letters(r, "ACGT", r.IntN(flank+1)), letters(r, "ACGT", r.IntN(80))
		switch r.IntN(6) {
		case 0:
			pattern = slices.Concat(before, pattern, behind)
		case 1:
			target = slices.Concat(target[len(target)/8:], behind)
		case 2:
			target = slices.Concat(before, target[:len(target)-len(target)/8])
		case 3:
			target = append(target, behind...)
		default:
			target = slices.Concat(before, target, behind)
		}
		cases = append(cases, aligntest.Case{Name: "a clear pair", Pattern: pattern, Text: target})
	}
	return cases
}

// Alignments that end anywhere, or begin anywhere, too, are the same by gates as by the matrix, and similar pairs
// have gates.
func TestAnyEnds(t *testing.T) {
	many := 150
	if testing.Short() {
		many = 50
	}
	for i, s := range aligntest.Scorings() {
		if s.Match == 0 {
			continue
		}
		for _, span := range []align.Span{align.Extension, align.Local} {
			r := rand.New(rand.NewPCG(uint64(i), 41+uint64(span)))
			flank := 0
			if span == align.Local {
				flank = 80
			}
			cases := append(clearPairs(r, many, 300, flank), clearPairs(r, many/10, 900, flank)...)
			o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Match: s.Match, Span: span}
			for _, level := range append(align.Levels(), "") {
				o.Level, o.ScoreOnly = level, level == ""
				by, err := align.NewSpanBy(align.SpanByInside, o)
				if err != nil {
					t.Fatal(err)
				}
				done := wantTaken(t, by, o, cases)
				if done < len(cases)/8 {
					t.Errorf("%+v: %d of %d pairs have gates", o, done, len(cases))
				}
			}
		}
	}
}

// wantTaken holds the pairs that a method takes against the matrix and returns how many these are.
func wantTaken(t *testing.T, by *align.SpanBy, o align.Options, cases []aligntest.Case) (taken int) {
	t.Helper()
	want := byMatrix(t, o)
	for _, c := range cases {
		got, ok := by.Align(c.Pattern, c.Text, nil)
		if got.Err != nil {
			t.Fatal(got.Err)
		}
		if ok {
			wantResult(t, o, c, got, want(c.Pattern, c.Text))
			taken++
		}
	}
	return taken
}
