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
	"wfagpu/gpu/internal/estimate"
)

// freeText are the free ends of a pattern within a text.
var freeText = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}

// withinOptions are models of which the gated family takes patterns within texts.
func withinOptions() (list []align.Options) {
	for _, o := range []align.Options{
		{Penalties: align.DefaultPenalties, Free: freeText},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, Free: freeText, Cutoff: 150},
		{Penalties: align.Penalties{Mismatch: 12, GapOpen: 18, GapExtend: 6}, Free: align.Free{TextBegin: 100_000, TextEnd: 90_000}},
	} {
		list = append(list, endsFree(o)...)
	}
	return list
}

// gatedFreeFamilies are all families but those with wavefronts and free ends, which align most pairs sooner.
const gatedFreeFamilies = "gated_free gotoh_free span gated " + wavefrontFamilies

// wantWithin aligns pairs of which some take gated passes, and others are counted under one of some
// names, and holds them against the CPU's.
func wantWithin(t *testing.T, e *Engine, o align.Options, b *align.Batch, others ...string) {
	t.Helper()
	s := wantSpanStats(t, e, o, b)
	if s.Kernels["gated"] < int64(len(b.Pairs)/8) || s.counted(others) == 0 {
		t.Errorf("%+v", s)
	}
}

// counted returns the number of pairs that are counted under some names.
func (s *Stats) counted(names []string) (pairs int64) {
	for _, name := range names {
		pairs += s.Kernels[name]
	}
	return pairs
}

// Pairs of few errors take gated passes, and those that these do not align others: the results are those of the
// CPU, to the byte, with the kernels that ship.
func TestEmulatedWithin(t *testing.T) {
	for _, o := range withinOptions() {
		for _, insider := range []string{"all", "open", "none"} { // pairs that it takes behind gated passes
			t.Run(fmt.Sprintf("%v/%v/%s", o.Penalties, o.ScoreOnly, insider), func(t *testing.T) {
				g := spanOptionsOf(o)
				g.families = gatedFreeFamilies
				e := openEmulated(t, g)
				e.policy.Matrix = 0
				switch insider {
				case "all":
					e.runners.inside.least = 0
				case "none":
					e.runners.inside = nil
				}
				b := within(t, 24, 700, 5)
				b.Pairs = append(b.Pairs, align.Pair{}, align.Pair{Text: []byte("ACGT")})
				// Parts that stay open, between letters with gates.
				long, other := simulated(t, 2, simulate.Options{Length: 8000, ErrorRate: 0.003, Seed: 6}).Pairs, simulated(t, 3, simulate.Options{Length: 280, Seed: 7}).Pairs
				for _, p := range long {
					p.Pattern = slices.Concat(p.Pattern[:4000], other[0].Text, p.Pattern[4000:])
					p.Text = slices.Concat(other[2].Text[:70], p.Text[:4000], other[1].Text, p.Text[4000:], other[2].Text[100:190])
					b.Pairs = append(b.Pairs, p)
				}
				wantWithin(t, e, o, b, "gotoh", "span")
				s := e.Stats()
				if elsewhere := s.Finished() - s.Trivial - s.Kernels["gated"] - s.Kernels["gotoh"] - s.Kernels["span"]; (elsewhere == 0) != (insider == "none") {
					t.Errorf("%d pairs between gates: %+v", elsewhere, s)
				}
			})
		}
	}
}

// Parts that gated passes leave open are aligned alone, by the engine of middles, if they are not most of the work.
func TestEmulatedOpenParts(t *testing.T) {
	for _, o := range withinOptions() {
		if o.ScoreOnly {
			continue
		}
		if o.Cutoff > 0 {
			o.Cutoff = 700 // some cost more
		}
		t.Run(fmt.Sprint(o.Penalties, o.Cutoff), func(t *testing.T) {
			g := spanOptionsOf(o)
			g.families = gatedFreeFamilies
			e := openEmulated(t, g)
			e.policy.Matrix = 0
			b, other := simulated(t, 8, simulate.Options{Length: 9000, ErrorRate: 0.010, Seed: 6}), simulated(t, 8, simulate.Options{Length: 190, Seed: 7})
			for i := range b.Pairs {
				p, at := &b.Pairs[i], 1000+200*i
				noise := other.Pairs[i].Text
				p.Pattern = slices.Concat(p.Pattern[:at], noise[:110+5*i], p.Pattern[at+110+5*i:]) // in place of as many letters
				flank := other.Pairs[(i+1)%8].Text
				p.Text = slices.Concat(flank[40:40+10*i], p.Text, flank[:9*i])
			}
			mustAlignAll(t, e, b)
			wantSpansAsOnCPU(t, o, b)
			all, middle := e.Stats(), e.middle.Stats()
			if parts := middle.Launches > 0 && middle.Finished() == 0; !parts || all.Kernels["gated"]+all.Beyond < int64(len(b.Pairs)) {
				t.Errorf("%+v, of the engine of middles %+v", all, middle)
			}
		})
	}
}

// Pairs whose ends have many errors are aligned by the second of two gated passes.
func TestEmulatedEnds(t *testing.T) {
	for _, o := range withinOptions() {
		if o.Cutoff > 0 {
			continue
		}
		t.Run(fmt.Sprint(o.Penalties, o.ScoreOnly), func(t *testing.T) {
			g := spanOptionsOf(o)
			g.families = gatedFreeFamilies
			e := openEmulated(t, g)
			e.policy.Matrix = 0
			b := withBadEnds(t, 8, 12_000)
			mustAlignAll(t, e, b)
			wantSpansAsOnCPU(t, o, b)
			s := e.Stats()
			if second := s.Passes["gated"].Second; s.Kernels["gated"] < int64(len(b.Pairs)) || second < int64(len(b.Pairs)/2) {
				t.Errorf("%+v", s)
			}
			if got := e.estimate.Gated(estimate.LengthClass(12_000)); got.Failed > 0 || got.Passes != float64(len(b.Pairs)) {
				t.Errorf("of %d pairs: %+v", len(b.Pairs), got)
			}
		})
	}
}

// withBadEnds returns reads of few errors within flanks. One end of each has many errors: the last 600 letters, or the
// first 1,300, of which fewer are let pass.
func withBadEnds(t testing.TB, count, length int) *align.Batch {
	t.Helper()
	bad := func(length int, rate float64) []align.Pair {
		return simulated(t, count, simulate.Options{Length: length, ErrorRate: rate, Seed: 9}).Pairs
	}
	b := simulated(t, count, simulate.Options{Length: length, ErrorRate: 0.002, Seed: 8})
	first, last, flanks := bad(1300, 0.065), bad(600, 0.18), bad(600, 0)
	for i := range b.Pairs {
		p := &b.Pairs[i]
		if i%2 == 0 {
			p.Pattern, p.Text = slices.Concat(first[i].Pattern, p.Pattern), slices.Concat(first[i].Text, p.Text)
		} else {
			p.Pattern, p.Text = slices.Concat(p.Pattern, last[i].Pattern), slices.Concat(p.Text, last[i].Text)
		}
		flank := flanks[i].Text
		p.Text = slices.Concat(flank[:13*i], p.Text, flank[500:580])
	}
	return b
}

// Short pairs take gated passes as soon as scores say that these are likely to align them.
func TestEmulatedWithinLearns(t *testing.T) {
	o := withinOptions()[0]
	g := spanOptionsOf(o)
	g.families = gatedFreeFamilies
	e := openEmulated(t, g)
	few, many := within(t, 300, 400, 5), simulated(t, 300, simulate.Options{Length: 400, ErrorRate: 0.2, Seed: 6})
	for i := range few.Pairs {
		if i%4 == 3 {
			few.Pairs[i] = few.Pairs[i-1]
		}
	}
	gated := int64(0)
	for range 3 {
		mustAlignAll(t, e, few)
		wantSpansAsOnCPU(t, o, few)
		gated = e.Stats().Kernels["gated"]
	}
	if gated < int64(len(few.Pairs)) {
		t.Errorf("%+v", e.Stats())
	}
	e = openEmulated(t, g)
	for range 2 {
		mustAlignAll(t, e, many)
		wantSpansAsOnCPU(t, o, many)
	}
	if s := e.Stats(); s.Kernels["gated"] > 0 {
		t.Errorf("pairs of many errors take gated passes: %+v", s)
	}
}

// Pairs of few errors and of open parts on a device: for compute-sanitizer.
func TestSanitizedWithinOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, o := range withinOptions() {
		e, err := Open(spanOptionsOf(o))
		if err != nil {
			t.Fatal(err)
		}
		e.policy.Matrix = 0
		wantWithin(t, e, o, within(t, 48, 700, 5), "warp", "block", "gotoh", "span")
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Reads within texts, long ones and short ones, with the real kernels. Under -short, a few.
func TestWithinOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, set := range []struct{ length, count int }{{250, 40_000}, {1500, 4000}, {8000, 400}, {40_000, 40}} {
		if testing.Short() {
			set.count /= 10
		}
		b := within(t, set.count, set.length, 9)
		for _, o := range withinOptions() {
			t.Run(fmt.Sprintf("%d/%v/%v", set.length, o.Penalties, o.ScoreOnly), func(t *testing.T) {
				e := openReal(t, spanOptionsOf(o))
				for range 2 {
					b := &align.Batch{Pairs: b.Pairs}
					mustAlignAll(t, e, b)
					if n := wantSpansAsOnCPU(t, o, b); n != len(b.Pairs) {
						t.Errorf("%d of %d pairs", n, len(b.Pairs))
					}
				}
				t.Logf("%+v", e.Stats())
			})
		}
	}
}

// Real reads within flanks of 10 to 1,000 letters have the results of the CPU.
func TestWithinRealDataOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	names, load := aligntest.RealSets(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			cases := load(t, name).Cases
			for i, most := range []int{100, 1000} {
				b, letters := &align.Batch{}, 0
				r := rand.New(rand.NewPCG(uint64(i), 11))
				for _, p := range aligntest.NewBatch(cases).Pairs {
					p.Text = flanked(r, p.Text, most)
					if letters += len(p.Text); letters > 6_000_000 || testing.Short() && letters > 2_000_000 {
						break
					}
					b.Pairs = append(b.Pairs, p)
				}
				for _, o := range withinOptions() {
					e, err := Open(spanOptionsOf(o))
					if err != nil {
						t.Fatal(err)
					}
					b := &align.Batch{Pairs: b.Pairs}
					mustAlignAll(t, withCPU(t, e, o), b)
					if n := wantSpansAsOnCPU(t, o, b); n != len(b.Pairs) {
						t.Errorf("%d of %d pairs", n, len(b.Pairs))
					}
					t.Logf("flanks of up to %d, %v, score only %v: %d pairs: %+v", most, o.Penalties, o.ScoreOnly, len(b.Pairs), e.Stats())
					if err := e.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}
