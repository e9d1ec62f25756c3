package aligntest

import (
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// By hand, under 2,3,1 unless stated.
func TestGotohByHand(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		penalties     align.Penalties
		score         int
		cigar         string
	}{
		{"", "", align.DefaultPenalties, 0, ""},
		{"A", "A", align.DefaultPenalties, 0, "1="},
		{"A", "C", align.DefaultPenalties, 2, "1X"},
		{"", "ACG", align.DefaultPenalties, 6, "3D"},
		{"ACG", "", align.DefaultPenalties, 6, "3I"},
		{"ACGT", "ACT", align.DefaultPenalties, 4, "2=1I1="},
		{"ACT", "ACGT", align.DefaultPenalties, 4, "2=1D1="},
		{"acgu", "ACGT", align.DefaultPenalties, 0, "4="},
		{"N", "n", align.DefaultPenalties, 0, "1="},
		{"N", "A", align.DefaultPenalties, 2, "1X"},
		// Two gaps of one base are cheaper than a mismatch of 255.
		{"A", "C", align.Penalties{Mismatch: 255, GapOpen: 0, GapExtend: 1}, 2, "1I1D"},
	} {
		score, c := Gotoh([]byte(tc.pattern), []byte(tc.text), tc.penalties)
		if score != tc.score {
			t.Errorf("%q against %q at %v: score %d, want %d", tc.pattern, tc.text, tc.penalties, score, tc.score)
		}
		if got := runs(c); got != tc.cigar && got != "1D1I" {
			t.Errorf("%q against %q at %v: CIGAR %s, want %s", tc.pattern, tc.text, tc.penalties, got, tc.cigar)
		}
	}
}

// Every alignment of two short sequences, by recursion over columns: what the
// dynamic programs must agree with.
func cheapest(pattern, text []byte, p align.Penalties, last cigar.Op) int {
	if len(pattern) == 0 && len(text) == 0 {
		return 0
	}
	best := infinity
	gap := func(op cigar.Op) int {
		if last == op {
			return p.GapExtend
		}
		return p.GapOpen + p.GapExtend
	}
	if len(pattern) > 0 {
		best = min(best, gap(cigar.Ins)+cheapest(pattern[1:], text, p, cigar.Ins))
	}
	if len(text) > 0 {
		best = min(best, gap(cigar.Del)+cheapest(pattern, text[1:], p, cigar.Del))
	}
	if len(pattern) > 0 && len(text) > 0 {
		column := 0
		if pattern[0] != text[0] {
			column = p.Mismatch
		}
		best = min(best, column+cheapest(pattern[1:], text[1:], p, cigar.Match))
	}
	return best
}

func TestOraclesAgainstEnumeration(t *testing.T) {
	r := newRand(71)
	for _, p := range PenaltySets() {
		for range 60 {
			pattern, text := sequence(r, dna, r.IntN(6)), sequence(r, dna, r.IntN(6))
			want := cheapest(pattern, text, p, 0)
			score, c := Gotoh(pattern, text, p)
			if score != want {
				t.Errorf("%v: Gotoh gives %d, want %d, for %q and %q", p, score, want, pattern, text)
			}
			if err := Check(pattern, text, p, align.Result{Score: want, CIGAR: c}); err != nil {
				t.Errorf("%v: %v, for %q and %q", p, err, pattern, text)
			}
			if got := BandedScore(pattern, text, p); got != want {
				t.Errorf("%v: BandedScore gives %d, want %d, for %q and %q", p, got, want, pattern, text)
			}
		}
	}
}

// Longer pairs, where the band leaves cells out.
func TestBandedScoreAgainstGotoh(t *testing.T) {
	cases := append(RandomCases(72, 300, 400), EdgeCases()...)
	for i, c := range cases {
		p := PenaltySets()[i%len(PenaltySets())]
		want, aligned := Gotoh(c.Pattern, c.Text, p)
		if got := BandedScore(c.Pattern, c.Text, p); got != want {
			t.Errorf("BandedScore gives %d, Gotoh %d, for %s", got, want, describe(c, align.Options{Penalties: p}))
		}
		if err := Check(c.Pattern, c.Text, p, align.Result{Score: want, CIGAR: aligned}); err != nil {
			t.Errorf("%v, for %s", err, describe(c, align.Options{Penalties: p}))
		}
	}
}
