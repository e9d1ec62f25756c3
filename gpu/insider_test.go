package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// within returns reads within texts with flanks, of few errors and, every fourth one, of many.
func within(t testing.TB, count, length int, seed uint64) *align.Batch {
	return withinOf(t, align.EndsFree, count, length, seed)
}

// withinOf is within for a span: extensions begin with the text.
func withinOf(t testing.TB, span align.Span, count, length int, seed uint64) *align.Batch {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	b := simulated(t, count, simulate.Options{Length: length, ErrorRate: 0.002, MaxErrorRate: 0.02, Seed: seed})
	noisy := simulated(t, count, simulate.Options{Length: length, ErrorRate: 0.2, Seed: seed + 1})
	for i := range b.Pairs {
		p := &b.Pairs[i]
		if i%4 == 3 {
			*p = noisy.Pairs[i]
		}
		flank := noisy.Pairs[(i+1)%count].Text
		front := flank[:r.IntN(min(length/8, 140))]
		if span == align.Extension {
			front = nil
		}
		p.Text = slices.Concat(front, p.Text, flank[length-r.IntN(min(length/8, 140)):])
		if i%8 == 5 {
			p.Text = p.Text[length/6:] // the read begins outside
		}
		if i%8 == 6 {
			p.Pattern = slices.Clone(p.Text[length/9 : length])
		}
	}
	return b
}

// insideOptions are models of which pairs have gates.
func insideOptions() (list []align.Options) {
	all := align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	for _, o := range []align.Options{
		{Penalties: align.DefaultPenalties, Free: all},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Free: all, Cutoff: 150},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Free: all},
		{Penalties: align.Penalties{Mismatch: 4, GapExtend: 4}, Match: 2, Free: align.Free{TextBegin: 150, TextEnd: 300}},
	} {
		list = append(list, endsFree(o)...)
	}
	for _, o := range []align.Options{
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Match: 2, Span: align.Extension},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Match: 1, Span: align.Local},
	} {
		list = append(list, o)
		o.ScoreOnly = true
		list = append(list, o)
	}
	return list
}

// endsFree returns options for ends-free alignments, and for their scores alone.
func endsFree(o align.Options) []align.Options {
	o.Span = align.EndsFree
	scores := o
	scores.ScoreOnly = true
	return []align.Options{o, scores}
}

// wantInside aligns pairs of which some have gates and holds them against the CPU's.
func wantInside(t *testing.T, e *Engine, o align.Options, b *align.Batch) {
	t.Helper()
	s := wantSpanStats(t, e, o, b)
	if between := s.Finished() - s.Kernels["span"] - s.Trivial; between < int64(len(b.Pairs)/8) || s.Kernels["span"] == 0 {
		t.Errorf("%d between gates: %+v", between, s)
	}
}

// wantSpanStats aligns pairs, holds them against the CPU's, and returns the engine's statistics.
func wantSpanStats(t *testing.T, e *Engine, o align.Options, b *align.Batch) Stats {
	t.Helper()
	mustAlignAll(t, e, b)
	n, s := wantSpansAsOnCPU(t, o, b), wantStats(t, e, len(b.Pairs))
	t.Logf("%d pairs as on the CPU: %+v", n, s)
	if n != len(b.Pairs) || o.Cutoff > 0 && s.Beyond == 0 {
		t.Errorf("%d of %d pairs aligned: %+v", n, len(b.Pairs), s)
	}
	return s
}

// Pairs with gates have the results of the CPU, to the byte, with the kernels that ship.
func TestEmulatedInside(t *testing.T) {
	for _, o := range insideOptions() {
		t.Run(fmt.Sprintf("%d/%v/%d/%v", o.Span, o.Penalties, o.Match, o.ScoreOnly), func(t *testing.T) {
			opts := spanOptionsOf(o)
			opts.families = "span gotoh " + wavefrontFamilies // whole matrices are those of pairs alone
			e := openEmulated(t, opts)
			e.runners.inside.least = 0
			b := withinOf(t, o.Span, 24, 700, 5)
			b.Pairs = append(b.Pairs, align.Pair{}, align.Pair{Text: []byte("ACGT")})
			wantInside(t, e, o, b)
		})
	}
}

// openInsideOnFake opens an engine, with one of middles, on a fake GPU.
func openInsideOnFake(t testing.TB, g *fakeGPU, o align.Options) *Engine {
	t.Helper()
	opts := spanOptionsOf(o)
	opts.families = "span " + wavefrontFamilies
	g.model = o
	return openOnFake(t, g, opts)
}

// Only pairs whose matrix takes long are looked at for gates.
func TestInsideOnFake(t *testing.T) {
	o := insideOptions()[0]
	g := newFakeGPU(t, 4000)
	e := openInsideOnFake(t, g, o)
	b := within(t, 12, 6500, 6)
	b.Pairs = append(b.Pairs, within(t, 12, 800, 7).Pairs...)
	wantInside(t, e, o, b)
	if s := e.Stats(); s.Kernels["span"] < 12 {
		t.Errorf("%+v", s)
	}
	// Letters that the GPU does not take, between the gates.
	p := &b.Pairs[0]
	p.Pattern = slices.Clone(p.Pattern)
	p.Pattern[3000] = 'N'
	if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil || b.Results[0].Err != FallbackLetters {
		t.Errorf("error %v; %v", err, b.Results[0].Err)
	}
	wantStats(t, e, 2*len(b.Pairs))
}

// Long pairs with gates, with the real kernels. Under -short, a few.
func TestInsideOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, set := range []struct{ length, count int }{{8000, 400}, {40_000, 40}} {
		if testing.Short() {
			set.count /= 10
		}
		for _, o := range insideOptions() {
			t.Run(fmt.Sprintf("%d/%d/%v/%d/%v", set.length, o.Span, o.Penalties, o.Match, o.ScoreOnly), func(t *testing.T) {
				b := withinOf(t, o.Span, set.count, set.length, 9)
				opts := spanOptionsOf(o)
				opts.families = "span " + wavefrontFamilies // a gated pass takes most of these pairs by itself
				wantInside(t, openReal(t, opts), o, b)
			})
		}
	}
}

// The calls of engines of middles end with those of whole pairs.
func TestInsideEndsOnFake(t *testing.T) {
	o := insideOptions()[0]
	g := newFakeGPU(t, 4000)
	e := openInsideOnFake(t, g, o)
	e.runners.inside.least = 0
	b := within(t, 24, 600, 8)
	for _, name := range []string{"wfa_warp", "wfa_trace", "wfa_span"} {
		ctx, cancel := context.WithCancel(t.Context())
		g.before = func(launched string) driver.Result {
			if len(launched) >= len(name) && launched[:len(name)] == name {
				cancel()
			}
			return driver.Success
		}
		if err := alignInTime(t, e, ctx, b); err != context.Canceled {
			t.Errorf("cancelled at %s: %v", name, err)
		}
		g.before = func(launched string) driver.Result {
			if len(launched) >= len(name) && launched[:len(name)] == name {
				return 719
			}
			return driver.Success
		}
		if err := alignInTime(t, e, t.Context(), b); err == nil {
			t.Errorf("%s fails, and the call does not", name)
		}
		g.before = nil
	}
	mustAlignAll(t, e, b)
	wantSpansAsOnCPU(t, o, b)
}
