package gpu

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// within231 is the policy of patterns within texts at 2,3,1, with the kernels that ship, and rates that are known.
func within231(t *testing.T, rate float64) (*passes.Policy, *estimate.Rates) {
	t.Helper()
	e := openEmulated(t, spanOptionsOf(endsFree(align.Options{Penalties: align.DefaultPenalties, Free: freeText})[0]))
	r := *e.estimate.Rates()
	for i := range r {
		r[i].Bound, r[i].Again, r[i].Known, r[i].Bounding = rate, 2*rate, true, false
	}
	return &e.policy, &r
}

// family returns the family of the kernel of a task.
func family(p *passes.Policy, t *passes.Task) string {
	return p.Kernels.Kernels[t.Kernel].Family().Name
}

// Lengths that stand for others are at least as long, with at least as many letters around the pattern, and few.
func TestAlike(t *testing.T) {
	distinct := map[[2]int]bool{}
	for pattern := 1; pattern < 400; pattern += 3 {
		for around := 0; around < 300; around += 7 {
			n, m := alike(pattern, pattern+around)
			if n < pattern || m-n < around || n >= pattern+alikePattern || m-n >= around+alikeAround {
				t.Fatalf("%d and %d letters for %d and %d", n, m, pattern, pattern+around)
			}
			distinct[[2]int{n, m}] = true
		}
	}
	if len(distinct) > 51*11 {
		t.Errorf("%d different lengths", len(distinct))
	}
	var s starts
	at := map[*start]bool{}
	for n := alikePattern; n <= 240; n += alikePattern { // as many as there are entries for
		for around := 0; around < 2000; around += alikeAround {
			at[s.ofAlike(n, n+around)] = true
		}
	}
	if len(at) < 30*60 {
		t.Errorf("%d entries for %d lengths", len(at), 30*63)
	}
}

// Reads of few errors within short flanks take wavefronts; where every guess is likely to be too
// low, the whole matrix is taken.
func TestWithinChoices(t *testing.T) {
	p, r := within231(t, 0.1)
	for _, tc := range []struct {
		pattern, text int
		families      []string
	}{
		{150, 260, []string{"warp_free", "block_free"}}, {300, 420, []string{"warp_free", "block_free"}}, {1500, 1600, []string{"block_free"}},
	} {
		k := passes.Task{Pattern: int32(tc.pattern), Text: int32(tc.text), Class: uint8(estimate.LengthClass(tc.text))}
		if err := p.FirstWithin(&k, false, 0, r, nil); err != nil || k.Attempts != 0 {
			t.Fatal(err, k)
		}
		if f := family(p, &k); !slices.Contains(tc.families, f) {
			t.Errorf("%d and %d letters: %s", tc.pattern, tc.text, f)
		}
	}
	high, rh := within231(t, 0.15)
	k := passes.Task{Pattern: 3000, Text: 3110, Class: uint8(estimate.LengthClass(3110))}
	if err := high.UnboundedWithin(&k, rh, nil); err != nil || high.Kernels.Waves(int(k.Kernel)) {
		t.Errorf("%s, %v", family(high, &k), err)
	}
}

// A pass by wavefronts that fails is followed by one with a higher bound, and in the end by one that needs none.
func TestWithinGoesOn(t *testing.T) {
	p, r := within231(t, 0.02)
	k := passes.Task{Pattern: 600, Text: 700, Class: uint8(estimate.LengthClass(700))}
	if err := p.FirstWithin(&k, false, 0, r, nil); err != nil {
		t.Fatal(err)
	}
	for n := 0; p.Kernels.Waves(int(k.Kernel)); n++ {
		before := k.Bound
		if _, err := p.Next(&k, 0, kernel.Bound{}, r, nil); err != nil {
			t.Fatal(err)
		}
		if p.Kernels.Waves(int(k.Kernel)) && k.Bound <= before || n > 20 {
			t.Fatalf("bound %d after %d", k.Bound, before)
		}
	}
	if int(k.Bound) < p.Model.Worst(600, 700) {
		t.Errorf("%s with bound %d", family(p, &k), k.Bound)
	}
}

// The score of a bounding pass is certain. Where such a pass leaves its band, an upper bound from before holds, or a
// guess follows.
func TestBoundingWithin(t *testing.T) {
	p, r := within231(t, 0.2)
	for i := range r {
		r[i].Bounding = true
	}
	of := func(text int) *passes.Task {
		return &passes.Task{Pattern: 45_000, Text: int32(text), Class: uint8(estimate.LengthClass(text))}
	}
	k := of(45_110)
	if err := p.FirstWithin(k, false, 0, r, nil); err != nil || !p.Bounds(k.Kernel) {
		t.Fatalf("%s, %v", family(p, k), err)
	}
	if band := p.Kernels.Kernels[k.Kernel].Band(); band.MaxDrift < 55 {
		t.Errorf("%+v for a path that begins with up to 110 letters", band)
	}
	found := *k
	if err := p.Known(&found, 9000, r, nil); err != nil || found.Bound != 9000 || found.Attempts != passes.Certain || family(p, &found) != "gotoh_free" {
		t.Errorf("%s: %+v, %v", family(p, &found), found, err)
	}
	lost := *k
	if _, err := p.Next(&lost, abi.FlagLost, kernel.Bound{}, r, nil); err != nil || p.Bounds(lost.Kernel) || lost.Attempts == passes.Certain {
		t.Errorf("%+v, %v", lost, err)
	}
	above := of(45_110)
	if err := p.FirstWithin(above, true, 1000, r, nil); err != nil || !p.Bounds(above.Kernel) || above.Bound != 1000 {
		t.Fatalf("%s, %+v, %v", family(p, above), above, err)
	}
	if _, err := p.Next(above, abi.FlagLost, kernel.Bound{}, r, nil); err != nil || above.Bound != 1000 || above.Attempts != passes.Certain {
		t.Errorf("%+v, %v", above, err)
	}
	far := of(47_000) // letters ahead of the pattern leave every band
	if err := p.FirstWithin(far, false, 0, r, nil); err != nil || p.Bounds(far.Kernel) {
		t.Errorf("%s, %v", family(p, far), err)
	}
}

// A probe comes before passes in bands with rims, whose bound follows what it tells: broken seeds and how far the ends
// are apart. A pair that exceeds that has a wider band.
func TestProbes(t *testing.T) {
	p, r := within231(t, 0.2)
	of := func(pattern, around int) *passes.Task {
		return &passes.Task{Pattern: int32(pattern), Text: int32(pattern + around), Class: uint8(estimate.LengthClass(pattern + around))}
	}
	for _, tc := range []struct {
		pattern int
		probes  bool
	}{{300, false}, {6000, true}, {30_000, true}, {41_000, false}} {
		k := of(tc.pattern, 110)
		if err := p.FirstWithin(k, false, 0, r, nil); err != nil || (int(k.Kernel) == p.Kernels.Probe) != tc.probes {
			t.Errorf("%d letters: %s, %v", tc.pattern, family(p, k), err)
		}
	}
	half := func(seeds, apart int32) (bound, slack int) {
		k := of(6000, 110)
		k.Bound = 12_000
		if err := p.Probed(k, kernel.Probed{Seeds: seeds, Apart: apart}, r, nil); err != nil || family(p, k) != "gotoh_free" || !p.AfterProbe(k) {
			t.Fatalf("%s, %v", family(p, k), err)
		}
		return int(k.Bound), p.Kernels.Certified(int(k.Kernel), 6000, 6110)
	}
	few, narrow := half(200, 10)
	if want := int(200*r[0].PerSeed) + p.Penalties.LongestStep(); few != want {
		t.Errorf("bound %d, want %d", few, want)
	}
	if many, wide := half(500, 10); many <= few || wide <= narrow {
		t.Errorf("bounds %d and %d in bands for %d and %d", few, many, narrow, wide)
	}
	if same, wide := half(200, 200); same != few || wide <= narrow {
		t.Errorf("bounds %d and %d in bands for %d and %d", few, same, narrow, wide)
	}
	k := of(6000, 110)
	if err := p.FirstWithin(k, true, 3000, r, nil); err != nil || int(k.Kernel) != p.Kernels.Probe || k.Bound != 3000 {
		t.Errorf("%+v, %v", k, err)
	}
	if err := p.Probed(k, kernel.Probed{Seeds: 2000, Apart: 10}, r, nil); err != nil || k.Bound != 3000 || k.Attempts != 0 {
		t.Errorf("%+v below a bound of 3000, %v", k, err)
	}
	k.Bound = 12_000
	if err := p.Probed(k, kernel.Probed{Seeds: 200, Apart: 10}, r, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Next(k, 0, kernel.Bound{Score: few + 1}, r, nil); err != nil || int(k.Bound) <= few || p.AfterProbe(k) {
		t.Errorf("%+v after a bound of %d, %v", k, few, err)
	}
	if next := p.Kernels.Certified(int(k.Kernel), 6000, 6110); next <= narrow {
		t.Errorf("band for %d after one for %d", next, narrow)
	}
}

// A bounding pass within a text counts as three times its work, one of global pairs as its work. After a gated pass, it
// follows where it takes little beside an exact one, counted so.
func TestBoundingWithinCountsMore(t *testing.T) {
	p, r := within231(t, 0.2)
	first, _ := passes.Automatic.First(6000, 6000)
	wider, _ := passes.Automatic.WiderUntested(first)
	times := func(p *passes.Policy, band align.AdaptiveBand) float64 {
		return p.BoundWork(6000) / p.Kernels.Kernels[p.Kernels.Bounds(band, 6000, 6000)].Work(6000, 6000, 1, 1)
	}
	global := &openEmulated(t, Options{Penalties: align.DefaultPenalties}).policy
	if within, other := times(p, wider), times(global, first); within != 3 || other != 1 {
		t.Errorf("%v times the work, of global pairs %v times", within, other)
	}
	for above, bounding := range map[int]bool{22_000: false, 41_000: true} { // certified in a narrow band, or in none
		const length = 45_000
		k := passes.Task{Pattern: int32(length), Text: int32(length + 100), Class: uint8(estimate.LengthClass(length + 100))}
		if err := p.FirstWithin(&k, true, above, r, nil); err != nil || p.Bounds(k.Kernel) != bounding {
			t.Errorf("score up to %d: %s, %v", above, family(p, &k), err)
		}
	}
}

// A gated pass that has not aligned a pair is followed by one for ends of many errors, unless the score may be as high
// as that of pairs that no gated pass aligns, or there is no memory for it. Other passes follow that.
func TestEndsFollowGated(t *testing.T) {
	p, r := within231(t, 0.02)
	maxBounds := *openEmulated(t, spanOptionsOf(withinOptions()[0])).scheduler.maxBounds.Load()
	few := p.GatedScore(9000)
	for _, tc := range []struct {
		above, memory int
		want          bool
	}{{0, few, false}, {1, few, true}, {few, 2 * few, true}, {few, few - 1, false}, {few + 1, 2 * few, false}} {
		k := passes.Task{Pattern: 9000, Text: 9200, Class: uint8(estimate.LengthClass(9200))}
		if err := p.First(&k, r, maxBounds); err != nil || int(k.Kernel) != p.Kernels.Gated {
			t.Fatalf("%s, %v", family(p, &k), err)
		}
		bounds := slices.Clone(maxBounds)
		bounds[p.Kernels.Ends] = tc.memory
		if _, err := p.Next(&k, 0, kernel.Bound{Score: tc.above}, r, bounds); err != nil || (int(k.Kernel) == p.Kernels.Ends) != tc.want {
			t.Fatalf("%+v: %s, %v", tc, family(p, &k), err)
		}
		if !tc.want {
			continue
		}
		if int(k.Bound) < tc.above || k.Attempts != passes.Certain {
			t.Errorf("%+v: %+v", tc, k)
		}
		if _, err := p.Next(&k, 0, kernel.Bound{Score: tc.above}, r, bounds); err != nil || p.Gates(k.Kernel) {
			t.Errorf("%+v: then %s, %v", tc, family(p, &k), err)
		}
	}
}

// Kernels that do not bound scores are no wavefronts.
func TestWaves(t *testing.T) {
	p, _ := within231(t, 0.1)
	for i, k := range p.Kernels.Kernels {
		waves := map[string]bool{"warp_free": true, "block_free": true, "long_free": true}[k.Family().Name]
		if p.Kernels.Waves(i) != waves {
			t.Errorf("%s: %v", k.Family().Name, !waves)
		}
	}
}
