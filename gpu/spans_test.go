package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
)

// spanOptionsOf returns options for the GPU.
func spanOptionsOf(o align.Options) Options {
	return Options{Penalties: o.Penalties, Match: o.Match, LongGap: o.LongGap, Span: o.Span, Free: o.Free, ScoreOnly: o.ScoreOnly, Cutoff: o.Cutoff}
}

// wantSpansAsOnCPU compares the results of pairs that did not fall back with those of the CPU
// engine, with CIGARs their places, too, and returns their number.
func wantSpansAsOnCPU(t *testing.T, o align.Options, b *align.Batch) (aligned int) {
	t.Helper()
	onCPU := alignOnCPU(t, o, b)
	wrong := 0
	for i := range b.Pairs {
		p, got, want := &b.Pairs[i], &b.Results[i], &onCPU[i]
		if _, ok := got.Err.(FallbackCause); ok {
			continue
		}
		aligned++
		if got.Err == nil && want.Err == nil && got.Score == want.Score && (o.ScoreOnly || got.Place == want.Place) && slices.Equal(got.CIGAR, want.CIGAR) {
			continue
		}
		if wrong++; wrong <= 3 {
			t.Errorf("%+v: pair %d, %.300q and %.300q: got %d, %.300v, %+v, %v; want %d, %.300v, %+v, %v", o, i, p.Pattern, p.Text,
				got.Score, got.CIGAR, got.Place, got.Err, want.Score, want.CIGAR, want.Place, want.Err)
		}
	}
	return aligned
}

// TestEmulatedSpans: the engine, device code included, aligns pairs of all spans and scorings as
// the CPU engine does, to the byte.
func TestEmulatedSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	finished, scores := int64(0), int64(0)
	for i, o := range aligntest.SpanOptions() {
		if o.ZDrop > 0 {
			continue
		}
		if o.Span == align.EndsFree {
			o.Free = aligntest.RandomFree(r, 40)
		}
		cases := append(aligntest.SpanCases(uint64(i), 40, 70), aligntest.SpanCases(uint64(i), 4, 400)...)
		for _, o.ScoreOnly = range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%v/%v", o.Span, o.Scoring(), o.ScoreOnly), func(t *testing.T) {
				e := openEmulated(t, spanOptionsOf(o))
				b := aligntest.NewBatch(cases)
				if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
					t.Fatal(err)
				}
				n := wantSpansAsOnCPU(t, o, b)
				s := wantStats(t, e, len(b.Pairs))
				if int64(n) != s.Finished() || s.Fallback.Length+s.Fallback.Memory > 0 {
					t.Errorf("%d pairs as on the CPU: %+v", n, s)
				}
				if m, _ := o.Model(); !m.Plain() {
					finished += s.Kernels["span"]
					if s.Finished() != s.Trivial+s.Kernels["span"] {
						t.Errorf("%+v", s)
					}
				}
				scores += s.Fallback.Scores
			})
		}
	}
	if finished == 0 || scores == 0 {
		t.Errorf("%d pairs aligned by the span family, %d with scores that it does not take", finished, scores)
	}
}

// Reads in their targets with flanks, and unlike pairs, of all spans and lengths, on the GPU as on
// the CPU. Under -short, one in twenty.
func TestSpansOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	r := rand.New(rand.NewPCG(7, 8))
	for _, set := range []struct{ length, count int }{{150, 40_000}, {1000, 1500}, {4000, 120}, {20_000, 6}} {
		if testing.Short() {
			set.count = max(set.count/20, 2)
		}
		for i, o := range aligntest.SpanOptions() {
			if o.ZDrop > 0 {
				continue
			}
			if o.Span == align.EndsFree {
				o.Free = aligntest.RandomFree(r, 300)
			}
			b := simulated(t, set.count, simulate.Options{Length: set.length, ErrorRate: 0.08, Seed: uint64(90 + i)})
			for j := range b.Pairs {
				p, flank := &b.Pairs[j], 10+r.IntN(max(set.length/5, 20))
				other := b.Pairs[r.IntN(len(b.Pairs))].Text
				flank = min(flank, len(other))
				if j%3 != 0 {
					p.Text = slices.Concat(other[:flank], p.Text, other[len(other)-flank:])
				}
				if j%3 == 2 {
					p.Pattern = slices.Concat(other[len(other)-flank:], p.Pattern)
				}
			}
			for _, o.ScoreOnly = range []bool{false, true} {
				t.Run(fmt.Sprintf("%d/%d/%v/%v", set.length, o.Span, o.Scoring(), o.ScoreOnly), func(t *testing.T) {
					e := openReal(t, spanOptionsOf(o))
					b := &align.Batch{Pairs: b.Pairs}
					if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
						t.Fatal(err)
					}
					n, s := wantSpansAsOnCPU(t, o, b), e.Stats()
					t.Logf("%d pairs as on the CPU: %+v", n, s)
					if s.Finished()+s.Fallback.Scores != int64(len(b.Pairs)) {
						t.Errorf("%d pairs were finished on the GPU, %+v", s.Finished(), s)
					}
				})
			}
		}
	}
}

// 1 letter against ten million, and the other way round: scores of any length.
func TestLongSpansOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	long := simulated(t, 1, simulate.Options{Length: 10_000_000, ErrorRate: 0.01, Seed: 3}).Pairs[0].Text
	for _, o := range []Options{
		{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll, PatternBegin: align.FreeAll, PatternEnd: align.FreeAll}, Match: 1, ScoreOnly: true},
		{Span: align.Local, Match: 1, ScoreOnly: true},
	} {
		e, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for _, b := range []*align.Batch{
			{Pairs: []align.Pair{{Pattern: long[5_000_000:5_000_001], Text: long}}},
			{Pairs: []align.Pair{{Pattern: long, Text: long[5_000_000:5_000_001]}}},
		} {
			if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
				t.Fatal(err)
			}
			if r := b.Results[0]; r.Err != nil || r.Score != 1 {
				t.Errorf("%+v: %d, %v", o.Span, r.Score, r.Err)
			}
		}
	}
}
