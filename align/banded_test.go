package align

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// bandMode is a way to run a band.
type bandMode struct {
	memory           int // decides how often states are saved
	scoreOnly, fixed bool
}

// bandModes lists all combinations.
func bandModes() (modes []bandMode) {
	for _, memory := range []int{1 << 30, 1 << 18, 1 << 16} {
		for _, scoreOnly := range []bool{false, true} {
			for _, fixed := range []bool{false, true} {
				modes = append(modes, bandMode{memory, scoreOnly, fixed})
			}
		}
	}
	return modes
}

// TestBandAgreesWithWavefronts forces pairs of all kinds through every mode of the band, on every
// code path that has one, and compares scores and alignments with those of plain wavefronts.
func TestBandAgreesWithWavefronts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	penalties := []Penalties{{2, 3, 1}, {4, 6, 2}, {1, 0, 1}, {1, 2, 1}, {3, 1, 4}, {5, 3, 2}, {10, 20, 30}, {1, 1, 1}}
	pairs := 60
	if testing.Short() {
		pairs = 12
	}
	type reference struct {
		pattern, text []byte
		score         int
		cigar         cigar.CIGAR
	}
	var all []reference
	for i := range pairs {
		pen := penalties[i%len(penalties)]
		pattern, text := bandPair(t, r, i)
		want := newTestAligner(t, Options{Penalties: pen, Level: LevelGo, Memory: 1 << 30})
		score, c, err := want.Align(pattern, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, reference{pattern, text, score, c})
	}
	eachSIMDLevel(t, func(t *testing.T, level Level) {
		finished := map[bandMode]int{}
		for i, want := range all {
			pen := penalties[i%len(penalties)]
			for _, mode := range bandModes() {
				a := newTestAligner(t, Options{Penalties: pen, Level: level, Memory: mode.memory, ScoreOnly: mode.scoreOnly})
				x, err := a.loadExact(want.pattern, want.text)
				if err != nil {
					t.Fatal(err)
				}
				if x.band == nil {
					t.Fatalf("no band for penalties %v", pen)
				}
				x.band.load(x.pattern, x.text)
				guess := want.score / a.model.Scale * 3 / 4
				var s int
				var c cigar.CIGAR
				var ok bool
				if mode.fixed {
					s, c, ok, err = x.inBand.try(nil, guess)
				} else {
					x.band.allow(x.band.reach(2*guess + 64))
					s, c, ok, err = x.inBand.within(nil, x.band.estimate())
				}
				if err != nil {
					t.Fatalf("pair %d, %v, %+v: %v", i, pen, mode, err)
				}
				if !ok {
					continue
				}
				finished[mode]++
				if s*a.model.Scale != want.score || !mode.scoreOnly && !slices.Equal(c, want.cigar) {
					t.Fatalf("pair %d, %v, %+v: score %d, CIGAR %v, want %d, %v", i, pen, mode, s*a.model.Scale, c, want.score, want.cigar)
				}
			}
		}
		for _, mode := range bandModes() {
			if finished[mode] == 0 {
				t.Errorf("%+v finished no pair", mode)
			}
		}
	})
}

// bandPair returns a pair of up to 3,000 bases with up to 25 % errors, of which
// some have bursts of gaps and some a long repeat in the pattern.
func bandPair(t *testing.T, r *rand.Rand, i int) (pattern, text []byte) {
	t.Helper()
	model := simulate.Uniform
	if i%3 == 1 {
		model = simulate.Bursts
	}
	g, err := simulate.New(simulate.Options{Length: 100 + r.IntN(2900), ErrorRate: 0.25 * r.Float64(), Model: model, Seed: uint64(i)})
	if err != nil {
		t.Fatal(err)
	}
	pattern, text = g.Next()
	pattern, text = slices.Clone(pattern), slices.Clone(text)
	if i%5 == 2 {
		pattern = slices.Insert(pattern, len(pattern)/2, text[:r.IntN(len(text))]...)
	}
	return pattern, text
}

func newTestAligner(t *testing.T, o Options) *Aligner {
	t.Helper()
	a, err := NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestSteadyStateAllocatesNothing holds for wavefronts, bands, groups of bands and lanes.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, level := range Levels() {
		var stats Stats
		for _, rate := range []float64{0.01, 0.05, 0.12} {
			for _, length := range []int{150, 1000} {
				g, err := simulate.New(simulate.Options{Length: length, ErrorRate: rate, Seed: 7})
				if err != nil {
					t.Fatal(err)
				}
				var b Batch
				for range 64 {
					p, q := g.Next()
					b.Pairs = append(b.Pairs, Pair{Pattern: slices.Clone(p), Text: slices.Clone(q)})
				}
				a := newTestAligner(t, Options{Level: level})
				run := func() {
					b.PrepareResults()
					a.alignRange(&b, 0, len(b.Pairs))
					a.finishExactLanes(&b, true)
				}
				for range 100 { // until all that waits has had the longest pair
					run()
				}
				if n := testing.AllocsPerRun(3, run); n > 0 {
					t.Errorf("%s, %d bases, %.0f %%: %.1f allocations for 64 pairs", level, length, 100*rate, n)
				}
				stats.add(a.stats)
			}
		}
		if stats.Wavefront == 0 || stats.Banded == 0 && kernelsFor(level).band != nil {
			t.Errorf("%s: a method has aligned no pair: %+v", level, stats)
		}
	}
}
