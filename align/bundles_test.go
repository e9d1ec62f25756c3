package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// bundlePairs returns pairs of up to most letters: unrelated ones, similar ones, ones with long gaps
// and repeats.
func bundlePairs(seed uint64, n, most int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 20))
	of := "ACGT"
	letters := func(n int) []byte {
		q := make([]byte, n)
		for i := range q {
			q[i] = of[r.IntN(len(of))]
		}
		return q
	}
	size, same := most, false
	for i := range n {
		if i%70 == 0 {
			size, same = 1+r.IntN(most), r.IntN(2) == 0
		}
		length := func() int {
			if same {
				return size
			}
			return 1 + r.IntN(size)
		}
		of = []string{"ACGT", "ACGT", "AC", "ACGTN"}[r.IntN(4)]
		p := letters(length())
		q := letters(length())
		switch r.IntN(5) {
		case 0: // errors
			q = slices.Clone(p)
			for range 1 + len(q)/6 {
				q[r.IntN(len(q))] = of[r.IntN(len(of))]
			}
		case 1: // a long gap in either, or one in each
			from, to := r.IntN(len(p)+1), r.IntN(len(p)+1)
			q = slices.Concat(letters(r.IntN(20)), p[:min(from, to)], letters(r.IntN(1+size/4)), p[max(from, to):])
			if r.IntN(2) == 0 {
				p, q = q, p
			}
		case 2: // repeats
			unit := letters(1 + r.IntN(7))
			p = slices.Repeat(unit, 1+len(p)/len(unit))
			q = append(letters(r.IntN(9)), slices.Repeat(unit, 1+len(q)/len(unit))...)
		}
		p, q = p[:min(len(p), size)], q[:min(len(q), size)]
		if len(p) == 0 || len(q) == 0 {
			p, q = letters(1), letters(1)
		}
		cases = append(cases, aligntest.Case{Name: fmt.Sprintf("pair %d", i), Pattern: p, Text: q})
	}
	return cases
}

// Batches of pairs that are aligned several at a time have the alignments of the plain matrix,
// whatever the memory.
func TestBundles(t *testing.T) {
	many := 420
	if testing.Short() {
		many = 210
	}
	for i, s := range aligntest.Scorings() {
		for j, span := range []align.Span{align.Global, align.EndsFree, align.EndsFree, align.Extension, align.Local} {
			if s.Match == 0 && span.EndsAnywhere() {
				continue
			}
			o := align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: span, Threads: 1}
			if span == align.EndsFree {
				o.Free = []align.Free{
					{}, {TextBegin: align.FreeAll, TextEnd: align.FreeAll}, {PatternBegin: 9, TextBegin: 30, TextEnd: 17},
				}[j]
			}
			t.Run(fmt.Sprintf("%d/%d", i, j), func(t *testing.T) {
				t.Parallel()
				cases := append(bundlePairs(uint64(10*i+j), many, 90), bundlePairs(uint64(10*i+j), many/3, 330)...)
				want := byMatrix(t, o)
				wants := make([]align.Result, len(cases))
				for k, c := range cases {
					wants[k] = want(c.Pattern, c.Text)
				}
				o := o
				for _, o.Level = range align.Levels() {
					if o.Level == align.LevelGo {
						continue // has no bundles
					}
					for _, o.Memory = range []int{0, 1 << 20, 1 << 18} {
						for _, o.ScoreOnly = range []bool{false, true} {
							checkBundles(t, o, cases, wants)
						}
					}
				}
			})
		}
	}
}

// checkBundles holds bundles, and the engine, to wants.
func checkBundles(t *testing.T, o align.Options, cases []aligntest.Case, wants []align.Result) {
	t.Helper()
	check := func(how string, b *align.Batch, has func(i int) bool) {
		t.Helper()
		for i, c := range cases {
			if !has(i) {
				continue
			}
			r, w := b.Results[i], wants[i]
			if o.Span == align.Global {
				w.Place = b.Pairs[i].Whole()
			} else if o.ScoreOnly {
				w.Place = align.Place{}
			}
			if o.ScoreOnly {
				w.CIGAR = nil
			}
			if r.Err != nil || r.Score != w.Score || r.Place != w.Place || !slices.Equal(r.CIGAR, w.CIGAR) {
				t.Fatalf("%s, %+v: score %d, place %+v, CIGAR %v, error %v, want %d, %+v, %v, for %s\n%q\n%q", how, o,
					r.Score, r.Place, r.CIGAR, r.Err, w.Score, w.Place, w.CIGAR, c.Name, c.Pattern, c.Text)
			}
		}
	}
	b := aligntest.NewBatch(cases)
	b.PrepareResults()
	ok, err := align.AlignBundles(o, b)
	if err != nil {
		t.Fatal(err)
	}
	check("bundles", b, func(i int) bool { return ok != nil && ok[i] })
	few := 0
	for _, ok := range ok {
		if ok {
			few++
		}
	}
	if ok != nil && few < len(cases)/4 && o.Memory == 0 {
		t.Fatalf("%+v: %d of %d pairs", o, few, len(cases))
	}
	if o.Memory == 0 {
		e, err := align.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		check("the engine", b, func(int) bool { return true })
	}
}
