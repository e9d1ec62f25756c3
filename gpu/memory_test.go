package gpu

import (
	"context"
	"sync"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
)

// With little memory alignments are the same; pairs for which there is no room fall
// back to the other engine.
func TestLittleMemoryOnFake(t *testing.T) {
	b := mixedPairs(t, 150, 11)
	b.Pairs = append(b.Pairs, hardPairs(t, 2).Pairs...)
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		least := neededMemory(t, opts)
		for _, memory := range []int{least, max(least, 200), 500} {
			e := openOnFake(t, newFakeGPU(t, memory), opts)
			for range 2 {
				mustAlignAll(t, withCPU(t, e, o), b)
				wantAsOnCPU(t, o, b)
			}
			wantStats(t, e, 2*len(b.Pairs))
		}
	})
}

// Rows that do not fit together take several launches, and so do alignments.
func TestInPartsOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties}
	run := func(t *testing.T, memory, times int, bound ErrorBound, few *align.Batch) *fakeGPU {
		t.Helper()
		g := newFakeGPU(t, memory)
		e := openOnFake(t, g, Options{MaxError: bound})
		b := repeated(few, times)
		mustAlignAll(t, e, b)
		wantRepeated(t, o, few, b)
		wantStats(t, e, len(b.Pairs))
		return g
	}
	t.Run("launches", func(t *testing.T) {
		few := simulated(t, 300, simulate.Options{Length: 1000, ErrorRate: 0.1, Seed: 31})
		g := run(t, neededMemory(t, Options{}), 1, ErrorBound{Score: 500}, few)
		if n := g.launched("wfa_block") + g.launched("wfa_warp"); n < 5 {
			t.Errorf("%d launches, want several", n)
		}
	})
	t.Run("a few pairs a launch", func(t *testing.T) {
		few := simulated(t, 7, simulate.Options{Length: 900, ErrorRate: 0.02, Model: simulate.Substitution, Seed: 32})
		g := run(t, neededMemory(t, Options{}), 100, ErrorBound{Score: 1790}, few)
		if n := g.launched("wfa_block"); n < 50 {
			t.Errorf("%d launches, want more", n)
		}
	})
	t.Run("launches of alignments", func(t *testing.T) {
		few := simulated(t, 10, simulate.Options{Length: 1000, ErrorRate: 0.5, Seed: 33})
		run(t, 4000, 2*launchCigars/1000/10, ErrorBound{Score: 1500}, few)
	})
}

// Options.Memory and MemoryPart bound what the engine takes.
func TestMemoryOptionOnFake(t *testing.T) {
	const all = 4000 << 20
	most := int64(neededMemory(t, Options{})+100) << 20
	for _, o := range []Options{{Memory: most}, {MemoryPart: float64(most) / all}, {Memory: most, MemoryPart: 1}} {
		g := newFakeGPU(t, all>>20)
		var mu sync.Mutex
		used := uint64(0)
		g.before = func(string) driver.Result {
			mu.Lock()
			defer mu.Unlock()
			used = max(used, g.Used(0))
			return driver.Success
		}
		e := openOnFake(t, g, o)
		b := mixedPairs(t, 300, 13)
		mustAlignAll(t, withCPU(t, e, align.Options{}), b)
		wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
		if used == 0 || used > uint64(most) {
			t.Errorf("%+v: %d bytes were in use, %d are allowed", o, used, most)
		}
	}
}

// Another process takes the device's memory after Open: there is none for loads, or no
// more for launches, and results are the same.
func TestShrinkingMemoryOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		g := newFakeGPU(t, 2000)
		e := openOnFake(t, g, opts)
		r := withCPU(t, e, o)

		// Not even a load.
		g.Resize(0, 0)
		b := mixedPairs(t, 60, 14)
		if err := alignInTime(t, r, context.Background(), b); !driver.IsOutOfMemory(err) {
			t.Errorf("without memory: %v", err)
		}
		staged := e.Stats() // pairs that were found to be for the CPU, or trivial
		g.Resize(0, 2000<<20)
		mustAlignAll(t, r, b)
		wantAsOnCPU(t, o, b)

		// No growing.
		g.Resize(0, 0)
		pairs := len(b.Pairs) + int(staged.Finished()+staged.Fallback.Pairs())
		for seed := range uint64(3) {
			b := mixedPairs(t, 200, 15+seed)
			b.Pairs = append(b.Pairs, simulated(t, 3, simulate.Options{Length: 5000, ErrorRate: 0.2, Seed: 16}).Pairs...)
			pairs += len(b.Pairs)
			mustAlignAll(t, r, b)
			wantAsOnCPU(t, o, b)
		}
		wantStats(t, e, pairs)
	})
}

// Memory that another process has taken for a while is used again when it is back.
func TestMemoryComesBackOnFake(t *testing.T) {
	g := newFakeGPU(t, 2000)
	api := g.API()
	e, err := open(api, fakeImage, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	taken := true
	alloc := api.MemAlloc
	api.MemAlloc = func(bytes uint64) (driver.Ptr, driver.Result) {
		if taken && g.Used(0) > 0 { // of loads
			return 0, driver.ResultOutOfMemory
		}
		return alloc(bytes)
	}
	b := mixedPairs(t, 100, 18)
	mustAlignAll(t, e, b)
	before := e.Stats().Fallback.Memory
	if before == 0 {
		t.Error("without memory no pair falls back")
	}
	taken = false
	mustAlignAll(t, e, b)
	if again := e.Stats().Fallback.Memory - before; again > 0 {
		t.Errorf("with all memory back, %d pairs of %d fall back; without it, %d", again, len(b.Pairs), before)
	}
}

// Loads wait for the memory of earlier ones, of the same batch and of others.
func TestLoadsWaitForMemoryOnFake(t *testing.T) {
	few := longPairs(t)
	e := openOnFake(t, newFakeGPU(t, 4000), Options{Memory: leastMemory})
	var calls sync.WaitGroup
	for range 3 {
		calls.Go(func() {
			b := repeated(few, 70)
			mustAlignAll(t, e, b)
			wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
		})
	}
	calls.Wait()
	if s := wantStats(t, e, 3*70*len(few.Pairs)); s.MemoryTime == 0 {
		t.Errorf("no load waits for memory: %+v", s)
	}
}

// A pair does not fall back because the first guess at its score would take too
// much memory: these pairs have low scores.
func TestFirstGuessOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, neededMemory(t, Options{})), Options{})
	b := longPairs(t)
	mustAlignAll(t, e, b)
	if s := e.Stats(); s.Fallback.Memory > 0 {
		t.Errorf("%d pairs of %d, of 0.02 %% errors, fall back for want of memory", s.Fallback.Memory, len(b.Pairs))
	}
}

// Device and pinned memory hold anything at first.
func TestDirtyMemoryOnFake(t *testing.T) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		g := newFakeGPU(t, 300)
		api := g.API()
		alloc := api.MemAlloc
		api.MemAlloc = func(n uint64) (driver.Ptr, driver.Result) {
			p, r := alloc(n)
			if r == driver.Success {
				dirty(g.MemoryAt(p, int(n)))
			}
			return p, r
		}
		e, err := open(api, fakeImage, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for seed := range uint64(2) {
			b := mixedPairs(t, 100, 60+seed)
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
		}
	})
}

func dirty(b []byte) {
	copy(b, "\xa5\x96\xc3")
	for n := 3; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

// With little pinned memory, loads and launches are smaller.
func TestLittlePinnedMemoryOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	g.HostLimit = 512 << 10
	e := openOnFake(t, g, Options{})
	few := simulated(t, 40, simulate.Options{Length: 300, ErrorRate: 0.1, Seed: 41})
	b := repeated(few, 100)
	mustAlignAll(t, e, b)
	wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
	if n := g.launched("wfa_warp") + g.launched("wfa_block"); n < 10 {
		t.Errorf("%d launches, want more", n)
	}
}
