package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
)

// variants are reads with few errors, most with a structural variant, and noisy reads.
func variants(t testing.TB, count, length int) *align.Batch {
	t.Helper()
	b := simulated(t, count, simulate.Options{
		Length: length, ErrorRate: 0.001, MaxErrorRate: 0.01, Model: simulate.SV, Seed: 5,
		Variants: simulate.Variants{Share: 0.8, Least: 50, Most: length / 2},
	})
	noisy := simulated(t, count/4, simulate.Options{
		Length: length, ErrorRate: 0.1, Model: simulate.SV, Seed: 6,
		Variants: simulate.Variants{Share: 0.8, Least: 50, Most: length / 2},
	})
	b.Pairs = append(b.Pairs, noisy.Pairs...)
	for i, share := range []float64{0.1, 1} {
		b.Pairs = append(b.Pairs, stretches(t, count/10, length, share, uint64(7+i)).Pairs...)
	}
	return b
}

// detours are reads with a stretch of some errors on other diagonals, beyond the first band of a pair
// and within that of a middle.
func detours(t testing.TB, count, length int) *align.Batch {
	t.Helper()
	b := stretches(t, count, length, 0.05, 3)
	r := rand.New(rand.NewPCG(4, 4))
	for i := range b.Pairs {
		p := &b.Pairs[i]
		from, to := length/5, length*7/10
		p.Pattern = slices.Concat(p.Pattern[:from], p.Pattern[from+70:to], p.Pattern[to-70:to], p.Pattern[to:])
		for range 60 {
			p.Pattern[from+r.IntN(to-from)] = "ACGT"[r.IntN(4)]
		}
	}
	return b
}

// stretches are reads of few errors but in a stretch of more than 1,024 letters, of which a share are
// replaced. Such a middle takes a band.
func stretches(t testing.TB, count, length int, share float64, seed uint64) *align.Batch {
	t.Helper()
	b := simulated(t, count, simulate.Options{Length: length, ErrorRate: 0.004, Seed: seed})
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range b.Pairs {
		n := min(1100+r.IntN(1+len(p.Pattern)/4), len(p.Pattern)/2)
		from := len(p.Pattern)/5 + r.IntN(len(p.Pattern)/5)
		for i := from; i < from+n; i++ {
			if r.Float64() < share {
				p.Pattern[i] = "ACGT"[r.IntN(4)]
			}
		}
	}
	return b
}

// Pairs that cross a long gap are cut: those of unequal lengths at once, others when they leave
// their first band. None falls back, and all results are those of the CPU alone.
func TestPiecesOnFake(t *testing.T) {
	for _, approx := range []align.Approx{{}, {Lambda: 20}, {Band: 64}} {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &approx}
			e := openOnFake(t, newFakeGPU(t, 4000), Options{ScoreOnly: scoreOnly, Approx: o.Approx})
			b := variants(t, 60, 3000)
			early := 0
			for _, p := range b.Pairs {
				if _, first := approx.Cuts(len(p.Pattern), len(p.Text)); first {
					early++
				}
			}
			s := asInBands(t, withCPU(t, e, o), o, b)
			switch {
			case s.Fallback.Pairs() > 0:
				t.Errorf("%+v: %d pairs fall back", approx, s.Fallback.Pairs())
			case approx.Band != 0 && s.Kernels["pieces"] > 0:
				t.Errorf("%+v: %d pairs were cut", approx, s.Kernels["pieces"])
			case approx.Band == 0 && (s.Kernels["pieces"] < 20 || s.Passes["approx"].First+int64(early) <= int64(len(b.Pairs)) || s.Kernels["approx"] == 0):
				t.Errorf("%+v: of %d pairs, %d of unequal lengths: %+v", approx, len(b.Pairs), early, s)
			}
		}
	}
}

// undone are reads with a gap that another one undoes nearby: pairs that reach their end in the first band, and whose
// scores there are doubtful.
func undone(t testing.TB, count int) *align.Batch {
	t.Helper()
	b := simulated(t, count, simulate.Options{Length: 4000, ErrorRate: 0.002, Model: simulate.Substitution, Seed: 8})
	r := rand.New(rand.NewPCG(8, 8))
	for i := range b.Pairs {
		p := &b.Pairs[i]
		gap, from := 64+r.IntN(20), 1500
		to := from + 150 + r.IntN(70)
		inserted := make([]byte, gap)
		for i := range inserted {
			inserted[i] = "ACGT"[r.IntN(4)]
		}
		p.Text = slices.Concat(p.Text[:from], inserted, p.Text[from:to], p.Text[to+gap:])
	}
	return b
}

// Pairs of a doubtful score are cut, with and without tests of progress that are often enough.
func TestDoubtfulPairsOnFake(t *testing.T) {
	for _, lambda := range []int{0, 20, 200} {
		for _, scoreOnly := range []bool{false, true} {
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &align.Approx{Lambda: lambda}}
			e := openOnFake(t, newFakeGPU(t, 4000), Options{ScoreOnly: scoreOnly, Approx: o.Approx})
			b := undone(t, 20)
			s := asInBands(t, withCPU(t, e, o), o, b)
			if s.Kernels["pieces"] < 15 || s.Passes["approx"].First != int64(len(b.Pairs)) || s.Widened > 0 {
				t.Errorf("λ %d: %+v", lambda, s)
			}
		}
	}
}

// The kernels that ship know of doubtful scores what the CPU does.
func TestEmulatedDoubtfulPairs(t *testing.T) {
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 6, GapOpen: 4, GapExtend: 3}} {
		o := align.Options{Penalties: p, Approx: &align.Approx{}}
		e := openEmulated(t, Options{Penalties: p, Approx: o.Approx})
		s := asInBands(t, withCPU(t, e, o), o, undone(t, 6))
		if s.Fallback.Pairs() > 0 || s.Kernels["pieces"] < 3 || s.Widened > 0 {
			t.Errorf("%v: %+v", p, s)
		}
	}
}

// The kernels that ship report which pairs leave their bands as the CPU does, and align pieces.
func TestEmulatedPieces(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		t.Run(fmt.Sprintf("score=%v", scoreOnly), func(t *testing.T) {
			t.Parallel()
			o := align.Options{Penalties: align.DefaultPenalties, ScoreOnly: scoreOnly, Approx: &align.Approx{}}
			e := openEmulated(t, Options{ScoreOnly: scoreOnly, Approx: o.Approx})
			s := asInBands(t, withCPU(t, e, o), o, variants(t, 24, 2600))
			if s.Fallback.Pairs() > 0 || s.Kernels["pieces"] < 8 || s.Kernels["approx"] < 5 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Middles of dense errors take a band: on the host, or, where it certifies their exact alignment, on
// the device. So tests count what the host aligns.
func TestBandedPiecesOnFake(t *testing.T) {
	for name, b := range map[string]*align.Batch{"detours": detours(t, 12, 6000), "stretches": stretches(t, 12, 6000, 1, 3)} {
		o := align.Options{Penalties: align.DefaultPenalties, Approx: &align.Approx{}}
		e := openOnFake(t, newFakeGPU(t, 4000), Options{Approx: o.Approx})
		s := asInBands(t, withCPU(t, e, o), o, b)
		if s.Kernels["pieces"] < 6 {
			t.Errorf("%s: %+v", name, s)
		}
		if onHost := e.assembler.banded.Load(); (onHost > 0) != (name == "stretches") {
			t.Errorf("%s: %d middles on the host", name, onHost)
		}
	}
}

// A pair of which a piece falls back falls back, for the cause of the piece.
func TestPiecesFallBackOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &align.Approx{}}
	b := variants(t, 30, 3000)
	for i := range b.Pairs[:6] {
		p := b.Pairs[i].Pattern
		p[len(p)-5] = 'N'
	}
	e := openOnFake(t, newFakeGPU(t, 4000), Options{Approx: o.Approx})
	if s := asInBands(t, withCPU(t, e, o), o, b); s.Fallback.Letters != 6 || s.Fallback.Pairs() != 6 || s.Kernels["pieces"] < 10 {
		t.Errorf("%+v", s)
	}

	g := newFakeGPU(t, 2000)
	api := g.API()
	alloc := api.MemAlloc
	api.MemAlloc = func(bytes uint64) (driver.Ptr, driver.Result) {
		if g.Used(0) > 0 { // no memory for launches
			return 0, driver.ResultOutOfMemory
		}
		return alloc(bytes)
	}
	e, err := open(api, fakeImage, Options{Approx: o.Approx})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	mustAlignAll(t, withCPU(t, e, o), b)
	wantAsOnCPU(t, o, b)
	if s := wantStats(t, e, len(b.Pairs)); s.Kernels["pieces"] > 0 || s.Fallback.Pairs() != int64(len(b.Pairs)) {
		t.Errorf("without memory for launches: %+v", s)
	}
}

// Calls with pieces share little memory, and wait for one another's.
func TestConcurrentPiecesOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Threads: 2, Approx: &align.Approx{}}
	g := newFakeGPU(t, neededMemory(t, Options{Approx: o.Approx}))
	e := openOnFake(t, g, Options{Approx: o.Approx})
	r := withCPU(t, e, o)
	few := variants(t, 20, 3000)
	alignConcurrently(t, r, o, few)
	if s := wantStats(t, e, 4*4*len(few.Pairs)); s.Kernels["pieces"] < 100 {
		t.Errorf("%+v", s)
	}
}

// A call that is cancelled at any launch, those of pieces too, ends with its error, and the engine can
// be used again.
func TestCancelledPiecesOnFake(t *testing.T) {
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &align.Approx{}}
	b := variants(t, 20, 3000)
	g := newFakeGPU(t, 1000)
	ends := newEnds(g, false)
	e := openOnFake(t, g, Options{Approx: o.Approx})
	r := withCPU(t, e, o)
	ends.each(t, r, b)
	mustAlignAll(t, r, b)
	wantAsOnCPU(t, o, b)
}
