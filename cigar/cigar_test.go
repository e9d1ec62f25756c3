package cigar

import (
	"slices"
	"testing"
)

func build(parts ...any) CIGAR {
	var c CIGAR
	for i := 0; i < len(parts); i += 2 {
		c = c.Append(parts[i].(Op), parts[i+1].(int))
	}
	return c
}

func TestAppend(t *testing.T) {
	tests := []struct {
		name string
		got  CIGAR
		want CIGAR
	}{
		{"nothing", build(Match, 0, Ins, -3), nil},
		{"one run", build(Match, 2, Match, 3), CIGAR{NewElem(Match, 5)}},
		{"two runs", build(Match, 2, Mismatch, 1), CIGAR{NewElem(Match, 2), NewElem(Mismatch, 1)}},
		{"filled to the limit", build(Del, MaxLen-1, Del, 1), CIGAR{NewElem(Del, MaxLen)}},
		{"split when lengthened", build(Del, MaxLen-1, Del, 3), CIGAR{NewElem(Del, MaxLen), NewElem(Del, 2)}},
		{"split at once", build(Ins, 2*MaxLen+7), CIGAR{NewElem(Ins, MaxLen), NewElem(Ins, MaxLen), NewElem(Ins, 7)}},
	}
	for _, tc := range tests {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, []Elem(tc.got), []Elem(tc.want))
		}
	}
}

func TestReverse(t *testing.T) {
	for _, tc := range [][2]CIGAR{
		{nil, nil},
		{build(Match, 3), build(Match, 3)},
		{build(Match, 3, Ins, 1), build(Ins, 1, Match, 3)},
		{build(Match, 3, Ins, 1, Del, 2), build(Del, 2, Ins, 1, Match, 3)},
	} {
		got := slices.Clone(tc[0])
		got.Reverse()
		if !slices.Equal(got, tc[1]) {
			t.Errorf("Reverse(%v) = %v, want %v", tc[0], got, tc[1])
		}
	}
}

func TestCanonical(t *testing.T) {
	equal := [][2]byte{{'a', 'A'}, {'t', 'U'}, {'u', 'T'}, {'n', 'N'}, {'z', 'Z'}, {'*', '*'}}
	for _, p := range equal {
		if Canonical[p[0]] != Canonical[p[1]] {
			t.Errorf("%q and %q differ", p[0], p[1])
		}
	}
	different := [][2]byte{{'N', 'A'}, {'R', 'A'}, {'@', '`'}, {'[', '{'}}
	for _, p := range different {
		if Canonical[p[0]] == Canonical[p[1]] {
			t.Errorf("%q and %q are equal", p[0], p[1])
		}
	}
}
