package cigar

import "testing"

func TestColumns(t *testing.T) {
	for text, want := range map[string]Columns{
		"*":              {},
		"4=":             {Matches: 4},
		"2=1X3I2D1=1D5=": {Matches: 8, Mismatches: 1, Insertions: 3, Deletions: 3, Gaps: 3},
		"3M1I":           {Mismatches: 3, Insertions: 1, Gaps: 1},
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Columns(); got != want || got.All()-got.Edits() != want.Matches {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	// Append splits a long run, which is one gap.
	long := CIGAR{}.Append(Ins, MaxLen+5)
	if got, want := long.Columns(), (Columns{Insertions: MaxLen + 5, Gaps: 1}); len(long) != 2 || got != want {
		t.Errorf("%v: %+v, want %+v", long, got, want)
	}
}

// TestDifference: rounded down, but for the least difference.
func TestDifference(t *testing.T) {
	for _, tc := range []struct {
		matches, columns int64
		want             int
	}{
		{5, 5, 0}, {0, 5, PerMillion}, {3, 4, 250_000}, {2, 3, 333_333}, {1, 3, 666_666}, {9_999_999, 10_000_000, 1}, {1<<40 - 1, 1 << 40, 1},
	} {
		if got := Difference(tc.matches, tc.columns); got != tc.want {
			t.Errorf("%d of %d: %d, want %d", tc.matches, tc.columns, got, tc.want)
		}
	}
}

func TestAppendCS(t *testing.T) {
	for _, tc := range []struct{ cigar, query, target, want string }{
		{"*", "", "", ""},
		{"4=", "ACGT", "acgu", ":4"},
		{"1X2=1X", "ACGT", "TCGN", "*ta:2*nt"},
		{"2X", "AC", "GT", "*ga*tc"},
		{"1I2=2D", "ACG", "CGTT", "+a:2-tt"},
		{"2I1D", "AC", "G", "+ac-g"},
		{"1=10D", "A", "ACGTACGTACG", ":1-cgtacgtacg"},
	} {
		c, err := Parse(tc.cigar)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(c.AppendCS([]byte("x"), []byte(tc.query), []byte(tc.target))); got != "x"+tc.want {
			t.Errorf("%s of %s with %s: %q, want %q", tc.cigar, tc.query, tc.target, got, tc.want)
		}
	}
	// Runs that are split in two elements are one.
	split := CIGAR{NewElem(Match, 1), NewElem(Match, 1), NewElem(Ins, 1), NewElem(Ins, 1), NewElem(Del, 1), NewElem(Del, 1)}
	if got := string(split.AppendCS(nil, []byte("ACGT"), []byte("ACTT"))); got != ":2+gt-tt" {
		t.Errorf("split runs: %q", got)
	}
}
