package cigar

import "testing"

func TestScore(t *testing.T) {
	tests := []struct {
		name    string
		c       CIGAR
		x, o, e int
		want    int
	}{
		{"empty", nil, 2, 3, 1, 0},
		{"matches are free", build(Match, 1000), 2, 3, 1, 0},
		{"mismatches", build(Mismatch, 3, Match, 1, Mismatch, 1), 2, 3, 1, 8},
		{"one gap each way", build(Ins, 2, Match, 1, Del, 3), 4, 6, 2, 6 + 4 + 6 + 6},
		{"I beside D is two gaps", build(Ins, 1, Del, 1), 4, 6, 2, 16},
		{"I D I is three gaps", build(Ins, 1, Del, 1, Ins, 1), 4, 6, 2, 24},
		{"gap open 0", build(Ins, 2, Match, 1, Ins, 2), 1, 0, 1, 4},
		{"a run split by its length is one gap", build(Del, 2*MaxLen+1), 4, 6, 2, 6 + 2*(2*MaxLen+1)},
		{"neighbouring elements are one gap", CIGAR{NewElem(Ins, 1), NewElem(Ins, 2)}, 4, 6, 2, 12},
	}
	for _, tc := range tests {
		got, err := tc.c.Score(tc.x, tc.o, tc.e)
		if err != nil || got != tc.want {
			t.Errorf("%s: Score(%d,%d,%d) of %v = %d, %v, want %d", tc.name, tc.x, tc.o, tc.e, tc.c, got, err, tc.want)
		}
	}
}

func TestValues(t *testing.T) {
	two := Values{Mismatch: 4, GapOpen: 6, GapExtend: 2, LongOpen: 24, LongExtend: 1}
	similar := two
	similar.Match = 2
	tests := []struct {
		name string
		v    Values
		c    CIGAR
		want int
	}{
		{"empty", similar, nil, 0},
		{"no match score", two, build(Match, 100, Mismatch, 1), 4},
		{"matches", similar, build(Match, 100, Mismatch, 1), 196},
		{"a short gap", two, build(Ins, 17), 6 + 34},
		{"a gap of either cost", two, build(Del, 18), 42},
		{"a long gap", two, build(Del, 19), 43},
		{"a long gap in elements", two, CIGAR{NewElem(Del, 10), NewElem(Del, 9)}, 43},
		{"neighbours of two kinds", similar, build(Ins, 30, Del, 30, Match, 1), 2 - 2*54},
		{"linear gaps", Values{Match: 1, Mismatch: 1, GapExtend: 2}, build(Match, 5, Ins, 3), -1},
		{"a second cost without opening", Values{Mismatch: 1, GapOpen: 5, GapExtend: 3, LongExtend: 4}, build(Ins, 1, Match, 1, Ins, 9), 4 + 32},
	}
	for _, tc := range tests {
		if got, err := tc.v.Of(tc.c); err != nil || got != tc.want {
			t.Errorf("%s: %d, %v, want %d", tc.name, got, err, tc.want)
		}
	}
}

func TestScoreErrors(t *testing.T) {
	tests := []struct {
		c    CIGAR
		want string
	}{
		{build(Match, 2, AlignMatch, 3), "cigar: element 2: 3M cannot be scored, M does not tell matches from mismatches"},
		{CIGAR{4<<4 | 4}, "cigar: element 1: 4S is not an operation of an alignment"},
		{CIGAR{4<<4 | 12}, "cigar: element 1: 4? is not an operation of an alignment"},
	}
	for _, tc := range tests {
		if _, err := tc.c.Score(2, 3, 1); err == nil || err.Error() != tc.want {
			t.Errorf("Score of %v: %v, want %s", tc.c, err, tc.want)
		}
	}
}

func TestLengths(t *testing.T) {
	c := build(Match, 1, Mismatch, 20, AlignMatch, 300, Ins, 4000, Del, 50000)
	if got := c.QueryLen(); got != 4321 {
		t.Errorf("QueryLen() = %d, want 4321", got)
	}
	if got := c.TargetLen(); got != 50321 {
		t.Errorf("TargetLen() = %d, want 50321", got)
	}
	if q, d := CIGAR(nil).QueryLen(), CIGAR(nil).TargetLen(); q != 0 || d != 0 {
		t.Errorf("an empty alignment consumes %d and %d", q, d)
	}
}
