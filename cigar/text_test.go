package cigar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	tests := []struct {
		c                 CIGAR
		extended, classic string
	}{
		{nil, "*", "*"},
		{CIGAR{}, "*", "*"},
		{build(Match, 1), "1=", "1M"},
		{build(Match, 9, Mismatch, 10, Ins, 99, Del, 100), "9=10X99I100D", "19M99I100D"},
		{build(Mismatch, 1, Match, 2, Mismatch, 3), "1X2=3X", "6M"},
		{build(AlignMatch, 4, Match, 1), "4M1=", "5M"},
		{build(Ins, 1, Del, 1, Ins, 1), "1I1D1I", "1I1D1I"},
		{build(Match, MaxLen+5), "268435460=", "268435460M"},
	}
	for _, tc := range tests {
		if got := tc.c.String(); got != tc.extended {
			t.Errorf("String() = %s, want %s", got, tc.extended)
		}
		if got := string(tc.c.AppendText([]byte("x\t"), Classic)); got != "x\t"+tc.classic {
			t.Errorf("AppendText(Classic) = %s, want %s", got, "x\t"+tc.classic)
		}
		back, err := Parse(tc.extended)
		if err != nil || !slices.Equal(back, tc.c) {
			t.Errorf("Parse(%s) = %v, %v", tc.extended, back, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "cigar: empty text; an alignment without columns is written *"},
		{"12", "cigar: position 1: length 12 has no operation after it"},
		{"3=12", "cigar: position 3: length 12 has no operation after it"},
		{"=", "cigar: position 1: want a length, found '='"},
		{"3==", "cigar: position 3: want a length, found '='"},
		{"3= 2X", "cigar: position 3: want a length, found ' '"},
		{"-3=", "cigar: position 1: want a length, found '-'"},
		{"2=0X", "cigar: position 3: a run of length 0"},
		{"5S", "cigar: position 2: operation 'S' is none of = X I D M"},
		{"5=3i", "cigar: position 4: operation 'i' is none of = X I D M"},
		{"5=*", "cigar: position 3: want a length, found '*'"},
		{"99999999999999999999999=", "cigar: position 1: the alignment has more than 68719476736 columns"},
		{"68719476736I1I", "cigar: position 13: the alignment has more than 68719476736 columns"},
		{"1=68719476735X1=", "cigar: position 15: the alignment has more than 68719476736 columns"},
	}
	for _, tc := range tests {
		c, err := Parse(tc.text)
		if err == nil || err.Error() != tc.want || c != nil {
			t.Errorf("Parse(%q) = %v, %v, want %s", tc.text, c, err, tc.want)
		}
	}
}

func TestAppendTextDoesNotAllocate(t *testing.T) {
	c := build(Match, 75, Mismatch, 1, Match, 1234, Ins, 3, Match, 20)
	buf := make([]byte, 0, 128)
	if n := testing.AllocsPerRun(100, func() { buf = c.AppendText(buf[:0], Extended) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

// FuzzParse: no text panics, and accepted text prints and parses back to the
// same alignment.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"*", "", "1=", "12=1X3I4D", "5M", "3=3=", "268435456D", "1S", "00012=", "9=9", "=", "99999999999999999999="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			return
		}
		text := c.String()
		back, err := Parse(text)
		if err != nil || !slices.Equal(back, c) {
			t.Fatalf("%q printed as %q, which parses as %v, %v", s, text, back, err)
		}
		classic, err := Parse(string(c.AppendText(nil, Classic)))
		if err != nil || classic.QueryLen() != c.QueryLen() || classic.TargetLen() != c.TargetLen() {
			t.Fatalf("%q in classic style is %v, %v", s, classic, err)
		}
	})
}

func BenchmarkAppendText(b *testing.B) {
	for _, runs := range []int{5, 50, 500} {
		c, err := Parse(strings.Repeat("23=1X140=2I7=1D", runs/5))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("elems=%d", len(c)), func(b *testing.B) {
			var buf []byte
			for b.Loop() {
				buf = c.AppendText(buf[:0], Extended)
			}
			b.SetBytes(int64(len(buf)))
		})
	}
}
