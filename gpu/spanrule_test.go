package gpu

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// within231 is the policy of patterns within texts at 2,3,1, with the kernels that ship, and rates that are known.
func within231(t *testing.T, rate float64) (*policy, *estimate.Rates) {
	t.Helper()
	e := openEmulated(t, spanOptionsOf(endsFree(align.Options{Penalties: align.DefaultPenalties, Free: freeText})[0]))
	r := *e.estimate.Rates()
	for i := range r {
		r[i].Bound, r[i].Again, r[i].Known, r[i].Bounding = rate, 2*rate, true, false
	}
	return &e.policy, &r
}

// family returns the family of the kernel of a task.
func (p *policy) family(t *task) string { return p.kernels.Kernels[t.kernel].Family().Name }

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
		k := task{pattern: int32(tc.pattern), text: int32(tc.text), class: uint8(estimate.LengthClass(tc.text))}
		if err := p.firstWithin(&k, false, 0, r, nil); err != nil || k.attempts != 0 {
			t.Fatal(err, k)
		}
		if f := p.family(&k); !slices.Contains(tc.families, f) {
			t.Errorf("%d and %d letters: %s", tc.pattern, tc.text, f)
		}
	}
	high, rh := within231(t, 0.15)
	k := task{pattern: 3000, text: 3110, class: uint8(estimate.LengthClass(3110))}
	if err := high.unboundedWithin(&k, rh, nil); err != nil || high.kernels.Waves(int(k.kernel)) {
		t.Errorf("%s, %v", high.family(&k), err)
	}
}

// A pass by wavefronts that fails is followed by one with a higher bound, and in the end by one that needs none.
func TestWithinGoesOn(t *testing.T) {
	p, r := within231(t, 0.02)
	k := task{pattern: 600, text: 700, class: uint8(estimate.LengthClass(700))}
	if err := p.firstWithin(&k, false, 0, r, nil); err != nil {
		t.Fatal(err)
	}
	for passes := 0; p.kernels.Waves(int(k.kernel)); passes++ {
		before := k.bound
		if _, err := p.next(&k, 0, kernel.Bound{}, r, nil); err != nil {
			t.Fatal(err)
		}
		if p.kernels.Waves(int(k.kernel)) && k.bound <= before || passes > 20 {
			t.Fatalf("bound %d after %d", k.bound, before)
		}
	}
	if int(k.bound) < p.model.Worst(600, 700) {
		t.Errorf("%s with bound %d", p.family(&k), k.bound)
	}
}

// The score of a bounding pass is certain. Where such a pass leaves its band, an upper bound from before holds, or a
// guess follows.
func TestBoundingWithin(t *testing.T) {
	p, r := within231(t, 0.2)
	for i := range r {
		r[i].Bounding = true
	}
	of := func(text int) *task {
		return &task{pattern: 6000, text: int32(text), class: uint8(estimate.LengthClass(text))}
	}
	k := of(6110)
	if err := p.firstWithin(k, false, 0, r, nil); err != nil || !p.bounds(k.kernel) {
		t.Fatalf("%s, %v", p.family(k), err)
	}
	if band := p.kernels.Kernels[k.kernel].Band(); band.MaxDrift < 55 {
		t.Errorf("%+v for a path that begins with up to 110 letters", band)
	}
	found := *k
	if err := p.known(&found, 900, r, nil); err != nil || found.bound != 900 || found.attempts != certain || p.family(&found) != "gotoh_free" {
		t.Errorf("%s: %+v, %v", p.family(&found), found, err)
	}
	lost := *k
	if _, err := p.next(&lost, abi.FlagLost, kernel.Bound{}, r, nil); err != nil || p.bounds(lost.kernel) || lost.attempts == certain {
		t.Errorf("%+v, %v", lost, err)
	}
	above := of(6110)
	if err := p.firstWithin(above, true, 1000, r, nil); err != nil || !p.bounds(above.kernel) || above.bound != 1000 {
		t.Fatalf("%s, %+v, %v", p.family(above), above, err)
	}
	if _, err := p.next(above, abi.FlagLost, kernel.Bound{}, r, nil); err != nil || above.bound != 1000 || above.attempts != certain {
		t.Errorf("%+v, %v", above, err)
	}
	far := of(7000) // letters ahead of the pattern leave every band
	if err := p.firstWithin(far, false, 0, r, nil); err != nil || p.bounds(far.kernel) {
		t.Errorf("%s, %v", p.family(far), err)
	}
}

// A bounding pass within a text counts as three times its work, one of global pairs as its work. After a gated pass, it
// follows where it takes little beside an exact one, counted so.
func TestBoundingWithinCountsMore(t *testing.T) {
	p, r := within231(t, 0.2)
	first, _ := automatic.First(6000, 6000)
	wider, _ := automatic.WiderUntested(first)
	times := func(p *policy, band align.AdaptiveBand) float64 {
		return p.boundWork(6000) / p.kernels.Kernels[p.kernels.Bounds(band, 6000, 6000)].Work(6000, 6000, 1, 1)
	}
	global := &openEmulated(t, Options{Penalties: align.DefaultPenalties}).policy
	if within, other := times(p, wider), times(global, first); within != 3 || other != 1 {
		t.Errorf("%v times the work, of global pairs %v times", within, other)
	}
	for length, bounding := range map[int]bool{6000: false, 20_000: true} {
		k := task{pattern: int32(length), text: int32(length + 100), class: uint8(estimate.LengthClass(length + 100))}
		if err := p.firstWithin(&k, true, length/2, r, nil); err != nil || p.bounds(k.kernel) != bounding {
			t.Errorf("%d letters: %s, %v", length, p.family(&k), err)
		}
	}
}

// A gated pass that has not aligned a pair is followed by one for ends of many errors, unless the score may be as high
// as that of pairs that no gated pass aligns, or there is no memory for it. Other passes follow that.
func TestEndsFollowGated(t *testing.T) {
	p, r := within231(t, 0.02)
	maxBounds := *openEmulated(t, spanOptionsOf(withinOptions()[0])).scheduler.maxBounds.Load()
	few := p.gatedScore(9000)
	for _, tc := range []struct {
		above, memory int
		want          bool
	}{{0, few, false}, {1, few, true}, {few, 2 * few, true}, {few, few - 1, false}, {few + 1, 2 * few, false}} {
		k := task{pattern: 9000, text: 9200, class: uint8(estimate.LengthClass(9200))}
		if err := p.first(&k, r, maxBounds); err != nil || int(k.kernel) != p.kernels.Gated {
			t.Fatalf("%s, %v", p.family(&k), err)
		}
		bounds := slices.Clone(maxBounds)
		bounds[p.kernels.Ends] = tc.memory
		if _, err := p.next(&k, 0, kernel.Bound{Score: tc.above}, r, bounds); err != nil || (int(k.kernel) == p.kernels.Ends) != tc.want {
			t.Fatalf("%+v: %s, %v", tc, p.family(&k), err)
		}
		if !tc.want {
			continue
		}
		if int(k.bound) < tc.above || k.attempts != certain {
			t.Errorf("%+v: %+v", tc, k)
		}
		if _, err := p.next(&k, 0, kernel.Bound{Score: tc.above}, r, bounds); err != nil || p.gates(k.kernel) {
			t.Errorf("%+v: then %s, %v", tc, p.family(&k), err)
		}
	}
}

// Kernels that do not bound scores are no wavefronts.
func TestWaves(t *testing.T) {
	p, _ := within231(t, 0.1)
	for i, k := range p.kernels.Kernels {
		waves := map[string]bool{"warp_free": true, "block_free": true, "long_free": true}[k.Family().Name]
		if p.kernels.Waves(i) != waves {
			t.Errorf("%s: %v", k.Family().Name, !waves)
		}
	}
}
