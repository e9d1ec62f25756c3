package align_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Reads whose best alignment leaves the band around the diagonals of most seeds, or is beside it, have the
// alignments of the plain matrix.
func TestLaneCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 11))
	random := func(n int) []byte { return letters(r, "ACGT", n) }
	noisy := func(s []byte, rate float64) []byte {
		s = slices.Clone(s)
		for i := range s {
			if r.Float64() < rate {
				s[i] = "ACGT"[r.IntN(4)]
			}
		}
		return s
	}
	cases := copies(7, 60, 160)
	for i := range 190 {
		a, b, c := random(30+r.IntN(80)), random(10+r.IntN(60)), random(20+r.IntN(80))
		rate := 0.3 * r.Float64()
		shift := random(1 + r.IntN(50))
		flank := 150
		if i%3 == 0 {
			flank = 1200
		}
		var read, text []byte
		switch i % 6 {
		case 0: // the middle is on a higher diagonal
			read, text = slices.Concat(a, b, shift, c), slices.Concat(a, random(len(shift)), b, c)
		case 1: // on a lower one
			read, text = slices.Concat(a, shift, b, c), slices.Concat(a, b, random(len(shift)), c)
		case 2: // the begin or the end is far away
			read, text = slices.Concat(a, b, c), slices.Concat(a, shift, b, shift, c)
		case 3: // a copy that is as good nearby
			read = slices.Concat(a, c)
			text = slices.Concat(noisy(read, rate), shift, read)
		default: // most seeds are where errors are in one place, and cost more than elsewhere
			read, rate = slices.Concat(a, b, c), 0
			spread, dense := slices.Clone(read), slices.Concat(a, random(len(b)), c)
			for at := r.IntN(12); at < len(read); at += 10 + r.IntN(8) {
				spread[at] = "CGTA"[strings.IndexByte("ACGT", spread[at])]
			}
			text = slices.Concat(spread, shift, dense)
			if i%2 == 0 {
				text = slices.Concat(dense, shift, spread)
			}
		}
		text = slices.Concat(random(r.IntN(flank)), noisy(text, rate), random(r.IntN(flank)))
		cases = append(cases, aligntest.Case{Name: "shifted parts", Pattern: read, Text: text})
	}
	for _, o := range []align.Options{
		{}, {Match: 1}, {Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}},
		{Penalties: align.Penalties{Mismatch: 5, GapExtend: 1}}, {Penalties: align.Penalties{Mismatch: 9, GapOpen: 2, GapExtend: 3}},
	} {
		o.Span, o.Free, o.Threads = align.EndsFree, align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, 1
		want := byMatrix(t, o)
		b := aligntest.NewBatch(cases)
		b.Results = make([]align.Result, len(b.Pairs))
		waited, lost, err := align.AlignWaiting(o, b)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(align.Levels(), "avx2") && waited < lost+50 {
			t.Errorf("%+v: of %d pairs that wait, %d are not aligned together", o, waited, lost)
		}
		for i, c := range cases {
			wantResult(t, o, c, b.Results[i], want(c.Pattern, c.Text), "pair", i)
		}
	}
}
