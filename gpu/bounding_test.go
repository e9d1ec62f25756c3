package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// A long pair far above its first bound goes on with a bounding pass, and then with the bound
// that the pass finds, or else with twice the first bound.
func TestBoundingAfterFirstBound(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 2000), Options{})
	p, maxBounds := &e.policy, *e.scheduler.maxBounds.Load()
	r := &estimate.Rates{}
	for i := range r {
		r[i].Bound, r[i].Known = 0.05, true
	}
	first := func(length int32) passes.Task {
		task := passes.Task{Pattern: length, Text: length, Class: uint8(estimate.LengthClass(int(length)))}
		if err := p.First(&task, r, maxBounds); err != nil {
			t.Fatal(err)
		}
		return task
	}
	next := func(task *passes.Task) {
		t.Helper()
		if _, err := p.Next(task, abi.Flags(0), kernel.Bound{}, r, maxBounds); err != nil {
			t.Fatal(err)
		}
	}
	long := first(60_000)
	if p.Bounds(long.Kernel) {
		t.Fatal("the first pass is not exact")
	}
	bound := int(long.Bound)
	next(&long)
	if !p.Bounds(long.Kernel) || int(long.Bound) != p.Worst(60_000, 60_000) {
		t.Errorf("after the first pass: kernel %d, bound %d, want a bounding pass", long.Kernel, long.Bound)
	}
	found := long
	p.Bounded(&found, 9000, r, maxBounds)
	if found.Attempts != passes.Certain || found.Bound < 9000 || p.Bounds(found.Kernel) {
		t.Errorf("after a bound is found: %+v", found)
	}
	for want := 2 * bound; int(long.Bound) < p.Worst(60_000, 60_000) || p.Bounds(long.Kernel); want *= 2 {
		next(&long)
		if got := int(long.Bound); p.Bounds(long.Kernel) || got < min(want, p.Worst(60_000, 60_000)) {
			t.Fatalf("without a bound: bound %d in kernel %d, want %d or more", got, long.Kernel, want)
		}
	}

	short := first(1000)
	bound = int(short.Bound)
	next(&short)
	if got := int(short.Bound); p.Bounds(short.Kernel) || got < bound*5/4 || got > 2*bound+8 {
		t.Errorf("a short pair: bound %d after %d, kernel %d", got, bound, short.Kernel)
	}
}

// A long pair with an upper bound from a gated pass takes a bounding pass if that takes little beside an exact
// one. The exact pass has the bound that it finds, or else the one from before.
func TestBoundingAfterGated(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 2000), Options{Cutoff: 20_000, families: gatedFamilies})
	p, maxBounds := &e.policy, *e.scheduler.maxBounds.Load()
	r := &estimate.Rates{}
	for i := range r {
		r[i].Bound, r[i].Known, r[i].Gated = 0.05, true, true
	}
	for _, tc := range []struct {
		length int32
		above  int
		want   bool
	}{{5000, 400, false}, {60_000, 200, false}, {60_000, 12_000, true}, {60_000, 1 << 20, true}} {
		gated := passes.Task{Pattern: tc.length, Text: tc.length, Class: uint8(estimate.LengthClass(int(tc.length)))}
		if err := p.First(&gated, r, maxBounds); err != nil || !p.Gates(gated.Kernel) {
			t.Fatalf("%+v: %+v, %v", tc, gated, err)
		}
		next := func(task passes.Task, above int) passes.Task {
			t.Helper()
			if _, err := p.Next(&task, 0, kernel.Bound{Score: above}, r, maxBounds); err != nil {
				t.Fatal(err)
			}
			return task
		}
		bound := min(tc.above, p.Limit)
		after := next(gated, tc.above)
		if p.Bounds(after.Kernel) != tc.want || int(after.Bound) != bound || after.Attempts != passes.Certain {
			t.Errorf("%+v: %+v", tc, after)
		}
		if !tc.want {
			continue
		}
		unfit := after
		if err := p.Smaller(&unfit, r, maxBounds); err != nil {
			t.Fatal(err)
		}
		for _, exact := range []passes.Task{next(after, 0), unfit} {
			if p.Bounds(exact.Kernel) || int(exact.Bound) != bound || exact.Attempts != passes.Certain {
				t.Errorf("%+v: without a lower bound: %+v", tc, exact)
			}
		}
	}
}

// Such pairs have the results of the CPU.
func TestBoundingAfterGatedOnFake(t *testing.T) {
	b := simulated(t, 8, simulate.Options{Length: 20_000, ErrorRate: 0.08, Seed: 12})
	for _, scoreOnly := range []bool{false, true} {
		for _, cutoff := range []int{0, 2000} {
			g := newFakeGPU(t, 2000)
			g.gated = always(gatedBounds)
			e := openGated(t, g, Options{ScoreOnly: scoreOnly, Cutoff: cutoff}, 0.2)
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Cutoff: cutoff}
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
			if s := wantStats(t, e, len(b.Pairs)); s.Passes["gated"].First != 8 || s.Passes["bounding"].Second < 1 {
				t.Errorf("%+v", s)
			}
		}
	}
}
