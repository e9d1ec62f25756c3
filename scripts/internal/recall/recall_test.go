package recall

import (
	"errors"
	"testing"

	"wfagpu/align"
)

var pair = align.Pair{Pattern: []byte("ACGTACGT"), Text: []byte("ACGAACGTT")}

// The optimum of pair under 2,3,1: a mismatch, and a gap of one in the end.
const optimum = 2 + 3 + 1

func TestAddText(t *testing.T) {
	tests := []struct {
		name, cigar      string
		reported         int
		rescore          bool
		optimal, invalid int
		doubled          bool
	}{
		{name: "optimal", cigar: "3=1X4=1D", reported: 6, optimal: 1},
		{name: "optimal, in classic letters", cigar: "8M1D", reported: 6, optimal: 1},
		{name: "M for matches alone", cigar: "3M1X4M1D", reported: 6, optimal: 1},
		{name: "I and D exchanged", cigar: "3M1X4M1I", reported: 6, optimal: 1},
		{name: "not optimal", cigar: "3=1I1D4=1D", reported: 12, doubled: true},
		{name: "an edit distance, rescored", cigar: "3=1X4=1D", reported: 2, rescore: true, optimal: 1},
		{name: "an edit distance, taken for a score", cigar: "3=1X4=1D", reported: 2, invalid: 1},
		{name: "mismatch written as match", cigar: "8=1D", reported: 4, invalid: 1},
		{name: "too short", cigar: "3=1X4=", reported: 2, invalid: 1},
		{name: "too long", cigar: "20M", reported: 2, invalid: 1},
		{name: "no CIGAR", cigar: "3=1?", reported: 2, invalid: 1},
		{name: "clipped", cigar: "8M1S", reported: 2, invalid: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tally Tally
			r := Rule{Penalties: align.DefaultPenalties, Rescore: test.rescore}
			if err := tally.AddText(r, pair, optimum, test.reported, test.cigar); err != nil {
				t.Fatal(err)
			}
			if tally.Checked != 1 || tally.Optimal != test.optimal || tally.Invalid != test.invalid {
				t.Errorf("%+v, want optimal %d, invalid %d", tally, test.optimal, test.invalid)
			}
			if (tally.Invalid > 0) != (tally.First != nil) {
				t.Errorf("%d invalid with reason %v", tally.Invalid, tally.First)
			}
			if test.doubled && tally.Excess() != 100 {
				t.Errorf("excess of %g %%, want 100", tally.Excess())
			}
		})
	}
}

func TestBelowTheOptimum(t *testing.T) {
	var tally Tally
	err := tally.AddText(Rule{Penalties: align.DefaultPenalties}, pair, optimum+1, 6, "3=1X4=1D")
	if !errors.Is(err, ErrBelow) {
		t.Errorf("a valid alignment below the optimum gives %v", err)
	}
	if err := tally.AddScore(6, 5); err != nil || tally.Invalid != 1 {
		t.Errorf("a score below the optimum, without an alignment: %v, %+v", err, tally)
	}
}

func TestShares(t *testing.T) {
	var tally Tally
	for _, score := range []int{6, 6, 6, 12} {
		if err := tally.AddScore(6, score); err != nil {
			t.Fatal(err)
		}
	}
	if tally.Recall() != 75 || tally.Excess() != 25 {
		t.Errorf("recall %g %%, excess %g %%, want 75 and 25", tally.Recall(), tally.Excess())
	}
}
