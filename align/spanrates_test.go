package align_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// spanRates are the spans and scorings whose rates are measured.
var spanRates = []struct {
	name string
	o    align.Options
}{
	{"global-linear", align.Options{Penalties: align.Penalties{Mismatch: 3, GapExtend: 2}}},
	{"global-affine", align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}},
	{"global-two", align.Options{Penalties: twoRates, LongGap: longRates}},
	{"free-linear", align.Options{Span: align.EndsFree, Free: textFree, Penalties: align.Penalties{Mismatch: 3, GapExtend: 2}}},
	{"free-affine", align.Options{Span: align.EndsFree, Free: textFree, Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}},
	{"free-two", align.Options{Span: align.EndsFree, Free: textFree, Penalties: twoRates, LongGap: longRates}},
	{"extension-linear", align.Options{Span: align.Extension, Match: 2, Penalties: align.Penalties{Mismatch: 4, GapExtend: 3}}},
	{"extension-affine", align.Options{Span: align.Extension, Match: 2, Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}},
	{"extension-two", align.Options{Span: align.Extension, Match: 2, Penalties: twoRates, LongGap: longRates}},
	{"local-linear", align.Options{Span: align.Local, Match: 2, Penalties: align.Penalties{Mismatch: 4, GapExtend: 3}}},
	{"local-affine", align.Options{Span: align.Local, Match: 2, Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}}},
	{"local-two", align.Options{Span: align.Local, Match: 2, Penalties: twoRates, LongGap: longRates}},
}

var (
	textFree  = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	twoRates  = align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}
	longRates = align.Gap{Open: 24, Extend: 1}
)

// BenchmarkSpanRates measures the cells of whole matrices for each nanosecond of CPU time in which
// the engine aligns batches of pairs: unrelated ones of one length or of several, and ones that differ
// in 15 of 100 letters.
func BenchmarkSpanRates(b *testing.B) {
	for _, s := range spanRates {
		for _, n := range []int{125, 250, 512, 1000, 4000} {
			for _, kind := range []string{"unrelated", "mixed", "similar"} {
				for _, s.o.ScoreOnly = range []bool{true, false} {
					b.Run(fmt.Sprintf("%s/%d/%s/score=%v", s.name, n, kind, s.o.ScoreOnly), func(b *testing.B) {
						cases, cells := rateCases(n, kind)
						s.o.Threads = 1
						e, err := align.New(s.o)
						if err != nil {
							b.Fatal(err)
						}
						batch := aligntest.NewBatch(cases)
						rate := 0.0
						for i := range b.N + 1 { // the first one makes room
							before, runs := cpuSeconds(b), 0
							for runs == 0 || i > 0 && cpuSeconds(b)-before < 0.02 {
								if err := e.AlignBatch(b.Context(), batch); err != nil {
									b.Fatal(err)
								}
								runs++
							}
							if i == 0 {
								continue
							}
							rate = max(rate, float64(cells)*float64(runs)/1e9/(cpuSeconds(b)-before))
						}
						b.ReportMetric(rate, "cells/ns")
					})
				}
			}
		}
	}
}

// rateCases returns pairs of about n letters and the number of their cells.
func rateCases(n int, kind string) (cases []aligntest.Case, cells int) {
	r := rand.New(rand.NewPCG(uint64(n), 19))
	letters := func(n int) []byte {
		q := make([]byte, n)
		for i := range q {
			q[i] = "ACGT"[r.IntN(4)]
		}
		return q
	}
	for range map[bool]int{true: 256, false: 128}[n <= 1000] {
		c := aligntest.Case{Pattern: letters(n)}
		switch kind {
		case "unrelated":
			c.Text = letters(n)
		case "mixed":
			c.Pattern, c.Text = letters(n/2+r.IntN(n)), letters(n/2+r.IntN(n))
		case "similar":
			for _, l := range c.Pattern {
				switch x := r.Float64(); {
				case x < 0.09:
					c.Text = append(c.Text, letters(1)...)
				case x < 0.12:
					c.Text = append(c.Text, l, letters(1)[0])
				case x >= 0.15:
					c.Text = append(c.Text, l)
				}
			}
		}
		cases = append(cases, c)
		cells += len(c.Pattern) * len(c.Text)
	}
	return cases, cells
}
