package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Every method for spans follows the definition, or the plain matrix where that takes long.
func TestSpanMethods(t *testing.T) {
	many, long := 90, 10
	if testing.Short() {
		many, long = 30, 5
	}
	for i, o := range aligntest.SpanOptions() {
		if o.ZDrop > 0 {
			continue // which is not for the methods
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 15))
			small := aligntest.SpanCases(uint64(i), many, 24)
			large := append(aligntest.SpanCases(uint64(i), long, 400), aligntest.SpanCases(uint64(i)+1, long/5, 1800)...)
			for at := 0; at < len(small); at += 15 {
				o.Free = aligntest.RandomFree(r, 24)
				checkSpanMethods(t, o, small[at:min(at+15, len(small))], aligntest.Of(o).Align)
			}
			for at := 0; at < len(large); at += 5 {
				o.Free = aligntest.RandomFree(r, 300)
				checkSpanMethods(t, o, large[at:min(at+5, len(large))], byMatrix(t, o))
			}
		})
	}
}

// Reads within texts that have several copies of them, with about as many errors, which seeds and
// bounds have to tell apart.
func TestSpanCopies(t *testing.T) {
	many := 300
	if testing.Short() {
		many = 100
	}
	for i, s := range aligntest.Scorings() {
		if s.Match > 0 {
			continue
		}
		o := align.Options{Penalties: s.Penalties, LongGap: s.LongGap, Span: align.EndsFree}
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		checkSpanMethods(t, o, copies(uint64(i), many, 120), byMatrix(t, o))
		checkSpanMethods(t, o, copies(uint64(i), many/50, 1000), byMatrix(t, o))
		o.Free = align.Free{TextBegin: 150, TextEnd: 70}
		checkSpanMethods(t, o, copies(uint64(i), many, 120), byMatrix(t, o))
	}
}

// copies returns pairs of a pattern of up to most letters and a text of copies of it, with errors
// and other letters between them. The errors of a copy are mismatches that spoil as many seeds as
// they can, gaps and mismatches anywhere or in one place, or one long gap near an end.
func copies(seed uint64, n, most int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 16))
	random := func(n int) []byte { return letters(r, "ACGT", n) }
	for i := range n {
		pattern := random(16 + r.IntN(most-15))
		errors := r.IntN(2 + len(pattern)/8)
		var text []byte
		for range 1 + r.IntN(3) {
			text = append(text, random(r.IntN(most))...)
			q := slices.Clone(pattern)
			errors := max(0, errors+r.IntN(3)-1)
			kind, place := r.IntN(4), r.IntN(len(q))
			if kind == 3 { // a long gap, with few letters on one side
				at := min(len(q), 7+r.IntN(8))
				if r.IntN(2) == 0 {
					at = len(q) - at
				}
				q, errors = slices.Insert(q, at, random(6+r.IntN(7))...), 0
			}
			for j := range errors {
				at := r.IntN(len(q) + 1)
				if kind == 0 {
					at = (2*j + 1) * len(q) / (2 * errors)
					q[at] = "CGTA"[slices.Index([]byte("ACGT"), q[at])]
					continue
				}
				if kind == 1 {
					at = min(len(q), place+r.IntN(8))
				}
				switch r.IntN(3) {
				case 0:
					q = slices.Insert(q, at, random(1+r.IntN(12))...)
				case 1:
					q = slices.Delete(q, at, min(len(q), at+1+r.IntN(12)))
				default:
					q = slices.Replace(q, at, min(len(q), at+1), random(1)...)
				}
			}
			text = append(text, q...)
		}
		text = append(text, random(r.IntN(most))...)
		cases = append(cases, aligntest.Case{Name: fmt.Sprintf("pair %d of copies", i), Pattern: pattern, Text: text})
	}
	return cases
}

// Pairs whose costs come near to the range of cells, and exceed that of 16 bits.
func TestSweepRanges(t *testing.T) {
	for i, s := range []align.Scoring{
		{Penalties: align.Penalties{Mismatch: 7, GapOpen: 12, GapExtend: 20}},
		{Penalties: align.Penalties{Mismatch: 255, GapOpen: 255, GapExtend: 254}},
		{Penalties: align.Penalties{Mismatch: 41, GapOpen: 11, GapExtend: 30}, LongGap: align.Gap{Open: 200, Extend: 13}},
		{Penalties: align.Penalties{Mismatch: 7, GapOpen: 12, GapExtend: 20}, Match: 11},
	} {
		cases := append(copies(uint64(i), 2, 300), copies(uint64(i), 2, 1700)...)
		for j := range cases {
			if j%2 == 1 { // unrelated
				cases[j].Text = cases[(j+2)%len(cases)].Text
			}
		}
		for span := align.Global; span <= align.Local; span++ {
			o := align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: span}
			if s.Match == 0 && span > align.EndsFree {
				continue
			}
			o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
			checkSpanMethods(t, o, cases, byMatrix(t, o))
		}
	}
}

// FuzzSpanMethods holds each method for spans to the definition.
func FuzzSpanMethods(f *testing.F) {
	f.Add([]byte("GATTACAGATTACAGG"), []byte("CCGATTACCAGATTACAGGA"), byte(2), byte(3), byte(1), byte(0), uint16(0xff00))
	f.Add([]byte("A"), []byte(""), byte(4), byte(6), byte(2), byte(0x1b), uint16(0x1234))
	f.Fuzz(func(t *testing.T, pattern, text []byte, x, o, e, more byte, free uint16) {
		const most = 120
		pattern, text = pattern[:min(len(pattern), most)], text[:min(len(text), most)]
		if slices.Contains(pattern, 0) || slices.Contains(text, 0) ||
			slices.Contains(pattern, 0xff) || slices.Contains(text, 0xff) {
			t.Skip("0x00 and 0xff are not letters")
		}
		opts := align.Options{
			Penalties: align.Penalties{Mismatch: max(1, int(x)), GapOpen: int(o), GapExtend: max(1, int(e))},
			Span:      align.Span(more & 3), Match: int(more >> 4),
		}
		if more&4 > 0 && e > 1 && o < 255 {
			opts.LongGap = align.Gap{Open: int(o) + 1, Extend: int(e) - 1}
		}
		if opts.Span > align.EndsFree {
			opts.Match = max(1, opts.Match)
		}
		number := func(i int) int {
			if n := int(free >> (4 * i) & 15); n < 15 {
				return n
			}
			return align.FreeAll
		}
		opts.Free = align.Free{PatternBegin: number(0), PatternEnd: number(1), TextBegin: number(2), TextEnd: number(3)}
		checkSpanMethods(t, opts, []aligntest.Case{{Pattern: pattern, Text: text}}, aligntest.Of(opts).Align)
	})
}

func byMatrix(t *testing.T, o align.Options) func(pattern, text []byte) align.Result {
	m, err := align.NewSpanBy(align.SpanByMatrix, o)
	if err != nil {
		t.Fatal(err)
	}
	return func(pattern, text []byte) align.Result {
		r, _ := m.Align(pattern, text, nil)
		return r
	}
}

// resultsBy are the results of the pairs by a function such as byMatrix.
func resultsBy(want func(pattern, text []byte) align.Result, cases []aligntest.Case) []align.Result {
	results := make([]align.Result, len(cases))
	for i, c := range cases {
		results[i] = want(c.Pattern, c.Text)
	}
	return results
}

// wantResult fails the test if a result of the pair is not the wanted one, less its place and its
// alignment where o asks for scores alone. what tells which result it is.
func wantResult(t *testing.T, o align.Options, c aligntest.Case, got, want align.Result, what ...any) {
	t.Helper()
	if o.ScoreOnly {
		want.Place, want.CIGAR = align.Place{}, nil
	}
	if got.Err != nil || got.Score != want.Score || got.Place != want.Place || !slices.Equal(got.CIGAR, want.CIGAR) {
		t.Fatalf("%v, %+v: score %d, place %+v, CIGAR %v, error %v, want %d, %+v, %v, for %s\n%q\n%q", what, o,
			got.Score, got.Place, got.CIGAR, got.Err, want.Score, want.Place, want.CIGAR, c.Name, c.Pattern, c.Text)
	}
}

func checkSpanMethods(t *testing.T, o align.Options, cases []aligntest.Case, want func(pattern, text []byte) align.Result) {
	t.Helper()
	wants := resultsBy(want, cases)
	for _, o.Level = range align.Levels() {
		for _, method := range []string{align.SpanBySweep, align.SpanByBounded, align.SpanByWaves, align.SpanByChoice, align.SpanByInside} {
			for _, o.Memory = range []int{0, 1 << 20, 1 << 19} {
				for _, o.ScoreOnly = range []bool{false, true} {
					m, err := align.NewSpanBy(method, o)
					if err != nil {
						t.Fatal(err)
					}
					if m == nil {
						continue // the method does not take the model
					}
					for i, c := range cases {
						r, ok := m.Align(c.Pattern, c.Text, nil)
						if !ok && r.Err == nil {
							continue
						}
						wantResult(t, o, c, r, wants[i], method)
					}
				}
			}
		}
	}
}
