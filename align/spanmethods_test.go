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
	many, long := 300, 30
	if testing.Short() {
		many, long = 40, 5
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
			for from := 0; from < len(small)+len(large); from += 15 {
				if from < len(small) {
					o.Free = aligntest.RandomFree(r, 24)
					cases := small[from:min(from+15, len(small))]
					checkSpanMethods(t, o, cases, aligntest.Of(o).Align)
					continue
				}
				o.Free = aligntest.RandomFree(r, 300)
				cases := large[from-len(small) : min(from-len(small)+15, len(large))]
				checkSpanMethods(t, o, cases, byMatrix(t, o))
			}
		})
	}
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

func checkSpanMethods(t *testing.T, o align.Options, cases []aligntest.Case, want func(pattern, text []byte) align.Result) {
	t.Helper()
	wants := make([]align.Result, len(cases))
	for i, c := range cases {
		wants[i] = want(c.Pattern, c.Text)
	}
	for _, o.Level = range align.Levels() {
		for _, method := range []string{align.SpanBySweep, align.SpanByBounded, align.SpanByWaves, align.SpanByChoice} {
			for _, o.Memory = range []int{0, 1 << 20} {
				for _, o.ScoreOnly = range []bool{false, true} {
					m, err := align.NewSpanBy(method, o)
					if err != nil {
						t.Fatal(err)
					}
					for i, c := range cases {
						r, ok := m.Align(c.Pattern, c.Text, nil)
						if !ok && r.Err == nil {
							continue
						}
						w := wants[i]
						if o.ScoreOnly {
							w.Place, w.CIGAR = align.Place{}, nil
						}
						if r.Err != nil || r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
							t.Fatalf("%s, %+v: score %d, place %+v, CIGAR %v, error %v, want %d, %+v, %v, for %s\n%q\n%q", method, o,
								r.Score, r.Place, r.CIGAR, r.Err, w.Score, w.Place, w.CIGAR, c.Name, c.Pattern, c.Text)
						}
					}
				}
			}
		}
	}
}
