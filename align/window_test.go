package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Noisy reads that wait have the alignments of the plain matrix, in bands or, where these do not have all
// optimal ones, by other methods.
func TestInsideLikely(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	var cases []aligntest.Case
	for i := range 160 {
		read := letters(r, "ACGT", 110+r.IntN(60))
		q := slices.Clone(read)
		rate := []float64{0.05, 0.1, 0.22, 0.3}[r.IntN(4)]
		for at := 0; at < len(q); at++ {
			switch {
			case r.Float64() >= rate:
			case r.IntN(6) == 0:
				q = slices.Insert(q, at, letters(r, "ACGT", 1+r.IntN(6))...)
			case r.IntN(6) == 0:
				q = slices.Delete(q, at, min(len(q), at+1+r.IntN(6)))
			default:
				q[at] = "ACGT"[r.IntN(4)]
			}
		}
		flank := slices.Clone(letters(r, "ACGT", r.IntN(200)))
		if i%8 == 0 { // a part of the read is elsewhere in the text
			flank = slices.Concat(read[len(read)/3:], flank)
		}
		cases = append(cases, aligntest.Case{Name: "noisy read", Pattern: read, Text: slices.Concat(flank, q, letters(r, "ACGT", r.IntN(200)))})
	}
	lost, waited := 0, 0
	for _, free := range []align.Free{
		{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, {TextBegin: 120, TextEnd: align.FreeAll}, {TextBegin: align.FreeAll, TextEnd: 90},
	} {
		for _, o := range []align.Options{
			{}, {Match: 1}, {Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}},
			{Penalties: align.Penalties{Mismatch: 5, GapExtend: 3}},
		} {
			o.Span, o.Free, o.Threads = align.EndsFree, free, 1
			wants := resultsBy(byMatrix(t, o), cases)
			for _, o.Level = range align.Levels() {
				for _, o.ScoreOnly = range []bool{false, true} {
					b := aligntest.NewBatch(cases)
					b.Results = make([]align.Result, len(b.Pairs))
					w, l, err := align.AlignWaiting(o, b)
					if err != nil {
						t.Fatal(err)
					}
					lost, waited = lost+l, waited+w
					for j, c := range cases {
						wantResult(t, o, c, b.Results[j], wants[j], "pair", j)
					}
				}
			}
		}
	}
	if slices.Contains(align.Levels(), "avx2") && (lost == 0 || waited == lost) {
		t.Errorf("%d of %d pairs were not aligned in lanes", lost, waited)
	}
}
