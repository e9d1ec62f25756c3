package gpu

import (
	"testing"

	"wfagpu/align"
)

// Calls with open parts share little memory.
func TestConcurrentGatedOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 2}
	e := openGated(t, newFakeGPU(t, neededMemory(t, Options{})), Options{}, 0.05)
	r := withCPU(t, e, o)
	few := fewErrors(t, 80, 10)
	alignConcurrently(t, r, o, few)
	if s := wantStats(t, e, 4*4*len(few.Pairs)); s.Kernels["gated"] < 100 {
		t.Errorf("%+v", s)
	}
}

// A call that is cancelled, or whose device fails, at any launch, those of open parts too, ends with its
// error, and the engine can be used again.
func TestGatedEndsOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties}
	b := fewErrors(t, 80, 11)
	for _, fails := range []bool{false, true} {
		g := newFakeGPU(t, 1000)
		ends := newEnds(g, fails)
		e := openGated(t, g, Options{}, 0.05)
		r := withCPU(t, e, o)
		ends.each(t, r, b)
		mustAlignAll(t, r, b)
		wantAsOnCPU(t, o, b)
	}
}
