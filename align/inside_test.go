package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// insidePairs returns reads of up to most letters within their texts, with flanks and a share of
// errors that differs from one run of pairs to the next. Some texts are repeats, or have letters N.
func insidePairs(seed uint64, n, most int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 17))
	letters := func(n int, of string) []byte {
		q := make([]byte, n)
		for i := range q {
			q[i] = of[r.IntN(len(of))]
		}
		return q
	}
	rate, size := 0.0, 0
	for i := range n {
		if i%40 == 0 {
			rate = []float64{0.005, 0.03, 0.1, 0.15, 0.3}[r.IntN(5)]
			size = 20 + r.IntN(most-19)
		}
		of := "ACGT"
		switch r.IntN(12) {
		case 0:
			of = "AC"
		case 1:
			of = "ACGTN"
		}
		read := letters(max(1, size+r.IntN(21)-10), of)
		if r.IntN(10) == 0 { // a repeat
			read = slices.Repeat(read[:1+r.IntN(9)], 1+len(read)/9)
		}
		q := slices.Clone(read)
		for at := 0; at < len(q); at++ {
			if r.Float64() >= rate {
				continue
			}
			switch r.IntN(4) {
			case 0:
				q = slices.Insert(q, at, letters(1+r.IntN(4), of)...)
			case 1:
				q = slices.Delete(q, at, min(len(q), at+1+r.IntN(4)))
			default:
				q[at] = of[r.IntN(len(of))]
			}
		}
		text := slices.Concat(letters(r.IntN(200), of), q, letters(r.IntN(200), of))
		if r.IntN(15) == 0 { // an end of the read is not in the text
			text = text[r.IntN(len(text)/2+1):]
		}
		if r.IntN(15) == 0 { // the text lacks a stretch of the read
			text = slices.Delete(q, len(q)/4, len(q)*3/4)
		}
		cases = append(cases, aligntest.Case{Name: fmt.Sprintf("read %d", i), Pattern: read, Text: text})
	}
	return cases
}

// Batches of reads within their texts, of which some wait for others, have the alignments of the
// plain matrix.
func TestInsideBatches(t *testing.T) {
	many := 160
	if testing.Short() {
		many = 80
	}
	for i, s := range aligntest.Scorings() {
		for _, free := range []align.Free{
			{TextBegin: align.FreeAll, TextEnd: align.FreeAll},
			{TextBegin: 90, TextEnd: align.FreeAll},
			{TextEnd: 120},
		} {
			o := align.Options{
				Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: align.EndsFree, Free: free, Threads: 1 + i%2,
			}
			cases := append(insidePairs(uint64(i), many, 300), copies(uint64(i), many/4, 120)...)
			if free.TextBegin > 100 {
				cases = append(cases, insidePairs(uint64(i)+100, many/10, 1200)...)
			}
			wants := resultsBy(byMatrix(t, o), cases)
			for _, o.Level = range align.Levels() {
				for _, o.ScoreOnly = range []bool{false, true} {
					e, err := align.New(o)
					if err != nil {
						t.Fatal(err)
					}
					b := aligntest.NewBatch(cases)
					if err := e.AlignBatch(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					for j, c := range cases {
						wantResult(t, o, c, b.Results[j], wants[j], "pair", j)
					}
				}
			}
		}
	}
}

// Texts have two copies of a read with as many errors, in one place or all over it: where both are
// optimal, no seed of the one shows that the other is not.
func TestInsideTies(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 18))
	for _, s := range aligntest.Scorings() {
		o := align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: align.EndsFree}
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		var cases []aligntest.Case
		for range 60 {
			letters := func(n int) []byte {
				q := make([]byte, n)
				for i := range q {
					q[i] = "ACGT"[r.IntN(4)]
				}
				return q
			}
			read := letters(30 + r.IntN(50))
			near, far := slices.Clone(read), slices.Clone(read)
			other := func(q []byte, at int) { q[at] = "CGTA"[slices.Index([]byte("ACGT"), q[at])] }
			seeds := len(read) / 10
			errors, from := 1+r.IntN(seeds+1), r.IntN(len(read)-seeds-1)
			for j := range errors {
				other(near, from+j)
				other(far, min(len(read)-1, j*len(read)/errors+r.IntN(len(read)/errors)))
			}
			text := slices.Concat(letters(r.IntN(30)), near, letters(r.IntN(30)), far, letters(r.IntN(30)))
			if r.IntN(2) == 0 {
				text = slices.Concat(letters(r.IntN(30)), far, letters(r.IntN(30)), near, letters(r.IntN(30)))
			}
			cases = append(cases, aligntest.Case{Name: "two copies", Pattern: read, Text: text})
		}
		checkSpanMethods(t, o, cases, byMatrix(t, o))
	}
}
