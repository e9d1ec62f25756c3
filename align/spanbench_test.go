package align_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"wfagpu/align"
)

// BenchmarkSpanCells measures the cells of matrices that the methods compute in a nanosecond, on
// pairs that are not similar.
func BenchmarkSpanCells(b *testing.B) {
	affine := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}
	for _, s := range []struct {
		name string
		o    align.Options
	}{
		{"global-two", align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, LongGap: align.Gap{Open: 24, Extend: 1}}},
		{"infix", align.Options{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, Penalties: affine}},
		{"local", align.Options{Span: align.Local, Match: 1, Penalties: affine}},
		{"local-two", align.Options{Span: align.Local, Match: 2, Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, LongGap: align.Gap{Open: 24, Extend: 1}}},
		{"extension", align.Options{Span: align.Extension, Match: 1, Penalties: affine}},
	} {
		for _, n := range []int{125, 250, 1000, 4000, 12000} {
			for _, s.o.ScoreOnly = range []bool{true, false} {
				b.Run(fmt.Sprintf("%s/%d/score=%v", s.name, n, s.o.ScoreOnly), func(b *testing.B) {
					r := rand.New(rand.NewPCG(1, 2))
					letters := func() []byte {
						q := make([]byte, n)
						for i := range q {
							q[i] = "ACGT"[r.IntN(4)]
						}
						return q
					}
					p, q := letters(), letters()
					if s.o.Level == "" {
						s.o.Level = align.Levels()[0]
					}
					m, err := align.NewSpanBy(align.SpanBySweep, s.o)
					if err != nil {
						b.Fatal(err)
					}
					best := time.Hour
					for range b.N {
						t := time.Now()
						if res, ok := m.Align(p, q, nil); !ok {
							b.Fatal(res)
						}
						best = min(best, time.Since(t))
					}
					b.ReportMetric(float64(n*n)/float64(best.Nanoseconds()), "cells/ns")
				})
			}
		}
	}
}
