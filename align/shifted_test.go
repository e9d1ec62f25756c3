package align_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// shiftedScorings have reduced penalties beyond MaxPenalty, or at the edges of what methods take.
func shiftedScorings() []align.Options {
	return []align.Options{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1},
		{Penalties: align.Penalties{Mismatch: 251, GapOpen: 241, GapExtend: 239}, Match: 254},
		{Penalties: align.Penalties{Mismatch: 255, GapOpen: 255, GapExtend: 1}, Match: 254},
		{Penalties: align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 255}, Match: 255},
		{Penalties: align.Penalties{Mismatch: 3, GapOpen: 127, GapExtend: 62}, Match: 1},
	}
}

// TestShiftedPenalties holds every method to the rule at the penalties that match scores lead to,
// which exceed those that users can give.
func TestShiftedPenalties(t *testing.T) {
	// Wavefronts take time in proportion to the square of the score: few letters, then.
	many := 10
	if testing.Short() {
		many = 3
	}
	cases := append(aligntest.RandomCases(5, 5*many, 60), tieCases(3, many)[:many]...)
	for _, o := range shiftedScorings() {
		m, err := o.Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, o.Level = range align.Levels() {
			for _, o.Memory = range []int{0, 1} {
				a := newAligner(t, o)
				for _, c := range cases {
					cost, want := slowAlignment(c.Pattern, c.Text, m.Affine())
					for _, method := range align.Methods(a) {
						s, got, ok, err := align.AlignBy(a, method, c.Pattern, c.Text, cost*m.Scale)
						if err != nil || ok && (s != cost*m.Scale || !slices.Equal(got, want)) {
							t.Fatalf("%s, %s at %+v: cost %d, %v (%v), want %d, %v, for %s\n%q\n%q",
								method, o.Level, m, s, got, err, cost*m.Scale, want, c.Name, c.Pattern, c.Text)
						}
					}
					s, got, err := a.Align(c.Pattern, c.Text, nil)
					if score := m.Score(cost, len(c.Pattern)+len(c.Text)); err != nil || s != score || !slices.Equal(got, want) {
						t.Fatalf("%s at %+v: score %d, %v (%v), want %d, %v, for %s\n%q\n%q",
							o.Level, m, s, got, err, score, want, c.Name, c.Pattern, c.Text)
					}
				}
			}
		}
	}
}

// TestShiftedBatches holds batches, whose pairs may join groups, to the oracle at such penalties.
func TestShiftedBatches(t *testing.T) {
	cases := aligntest.RandomCases(77, 300, 200)
	for _, o := range shiftedScorings() {
		m, err := o.Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, o.Level = range align.Levels() {
			b := aligntest.NewBatch(cases)
			mustAlign(t, o, b)
			for i, c := range cases {
				cost, want := slowAlignment(c.Pattern, c.Text, m.Affine())
				if score := m.Score(cost, len(c.Pattern)+len(c.Text)); b.Results[i].Score != score || !slices.Equal(b.Results[i].CIGAR, want) {
					t.Fatalf("%+v: score %d, %v, want %d, %v, for %s", o, b.Results[i].Score, b.Results[i].CIGAR, score, want, c.Name)
				}
			}
		}
	}
}
