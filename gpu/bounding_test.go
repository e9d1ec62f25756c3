package gpu

import (
	"testing"

	"wfagpu/gpu/internal/abi"
)

// A long pair far above its first bound goes on with a bounding pass, and then with the bound
// that the pass finds, or else with twice the first bound.
func TestBoundingAfterFirstBound(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 2000), Options{})
	p, maxBounds := &e.policy, *e.scheduler.maxBounds.Load()
	r := &rates{}
	for i := range r {
		r[i].bound, r[i].known = 0.05, true
	}
	first := func(length int32) task {
		task := task{pattern: length, text: length, class: uint8(lengthClass(int(length)))}
		if err := p.first(&task, r, maxBounds); err != nil {
			t.Fatal(err)
		}
		return task
	}
	next := func(task *task) {
		t.Helper()
		if _, err := p.next(task, abi.Flags(0), 0, r, maxBounds); err != nil {
			t.Fatal(err)
		}
	}
	long := first(60_000)
	if p.bounds(long.kernel) {
		t.Fatal("the first pass is not exact")
	}
	bound := int(long.bound)
	next(&long)
	if !p.bounds(long.kernel) || int(long.bound) != p.worst(60_000, 60_000) {
		t.Errorf("after the first pass: kernel %d, bound %d, want a bounding pass", long.kernel, long.bound)
	}
	found := long
	p.bounded(&found, 9000, maxBounds)
	if found.attempts != certain || found.bound < 9000 || p.bounds(found.kernel) {
		t.Errorf("after a bound is found: %+v", found)
	}
	for want := 2 * bound; int(long.bound) < p.worst(60_000, 60_000) || p.bounds(long.kernel); want *= 2 {
		next(&long)
		if got := int(long.bound); p.bounds(long.kernel) || got < min(want, p.worst(60_000, 60_000)) {
			t.Fatalf("without a bound: bound %d in kernel %d, want %d or more", got, long.kernel, want)
		}
	}

	short := first(1000)
	bound = int(short.bound)
	next(&short)
	if got := int(short.bound); p.bounds(short.kernel) || got < bound*5/4 || got > 2*bound+8 {
		t.Errorf("a short pair: bound %d after %d, kernel %d", got, bound, short.kernel)
	}
}
