package gpu

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/emu"
)

// openEmulated opens an engine on a GPU that runs the kernels that ship, compiled
// for the CPU: everything but the driver and nvcc's code is the real thing.
func openEmulated(t testing.TB, o Options) *Engine {
	t.Helper()
	return openEmulatedWith(t, 2<<30, o)
}

// openEmulatedWith opens an engine on such a GPU with some bytes of memory. Observers see each launch.
func openEmulatedWith(t testing.TB, memory uint64, o Options, observers ...func(kernel string, a *abi.Params)) *Engine {
	t.Helper()
	kernels := emu.ForTest(t)
	d := drivertest.New(1)
	d.Devices[0].Memory = memory
	d.Devices[0].SMs = 2
	d.Recycle = true
	for _, name := range kernels.Names() {
		d.Kernels[name] = drivertest.Kernel{Registers: 64}
	}
	d.Launch = func(name string, grid, block, shared int, params unsafe.Pointer) driver.Result {
		if err := kernels.Launch(name, grid, block, shared, params, int(unsafe.Sizeof(abi.Params{}))); err != nil {
			t.Errorf("%s with grid %d, block %d, %d shared bytes: %v", name, grid, block, shared, err)
			return 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
		for _, observe := range observers {
			observe(name, (*abi.Params)(params))
		}
		return driver.Success
	}
	e, err := open(d.API(), fakeImage, o)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, e)
	return e
}

// TestEmulatedEngine: the whole engine, device code included, gives the results of
// the CPU engine to the byte. Pairs are small, as kernels on the CPU are slow.
func TestEmulatedEngine(t *testing.T) {
	cases := append(aligntest.EdgeCases(), aligntest.RandomCases(1, 120, 60)...)
	cases = append(cases, aligntest.RandomCases(2, 15, 400)...)
	narrow := &align.Approx{Band: 16, Lambda: 5}
	for _, tc := range []struct {
		penalties align.Penalties
		scoreOnly bool
		approx    *align.Approx
		aligned   []string // names under which pairs must be counted
		families  string   // of kernels
	}{
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, nil, []string{"warp", "block"}, wavefrontFamilies},
		{align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, true, nil, []string{"warp", "block"}, wavefrontFamilies},
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, nil, []string{"warp", "gotoh"}, ""},
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, &align.Approx{}, []string{"warp", "approx"}, wavefrontFamilies},
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, narrow, []string{"warp", "approx"}, wavefrontFamilies},
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, nil, []string{"gotoh"}, gotohFamilies},
		{align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}, false, nil, []string{"general"}, wavefrontFamilies},
		{align.EditPenalties, true, nil, []string{"gotoh"}, gotohFamilies},
		{align.EditPenalties, true, nil, []string{"edit"}, ""},
		{align.EditPenalties, false, nil, []string{"edit"}, editFamilies},
		{align.EditPenalties, false, narrow, []string{"edit", "approx"}, ""},
		{align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, true, narrow, []string{"gotoh", "approx"}, ""},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, false, narrow, []string{"general", "approx"}, "adaptive_rings adaptive_block general"},
		{align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 1}, true, &align.Approx{}, []string{"general", "approx"}, "adaptive_rings adaptive_block general"},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, true, &align.Approx{}, []string{"gotoh"}, "gotoh adaptive_rings general"}, // exact
		{align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, false, narrow, []string{"general", "approx"}, "adaptive_block general"},
		{align.EditPenalties, false, &align.Approx{Band: 61, Lambda: 3}, []string{"approx"}, "adaptive_rings adaptive_block general"},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, false, nil, []string{"gotoh"}, ""},
		{align.Penalties{Mismatch: 200, GapOpen: 150, GapExtend: 7}, false, nil, []string{"general"}, ""},
		{align.Penalties{Mismatch: 5, GapOpen: 3, GapExtend: 2}, false, nil, []string{"general"}, wavefrontFamilies},
		{align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, false, nil, []string{"span"}, wholeFamilies},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, false, nil, []string{"span"}, wholeFamilies},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, true, nil, []string{"span"}, wholeFamilies},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, false, nil, []string{"span"}, wholeFamilies},
		{align.EditPenalties, false, nil, []string{"span"}, wholeFamilies},
	} {
		t.Run(fmt.Sprintf("%v/score=%v/approx=%v/%s", tc.penalties, tc.scoreOnly, tc.approx, tc.families), func(t *testing.T) {
			t.Parallel()
			e := openEmulated(t, Options{Penalties: tc.penalties, ScoreOnly: tc.scoreOnly, Approx: tc.approx, families: tc.families})
			b := aligntest.NewBatch(cases)
			if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
				t.Fatal(err)
			}
			cpu := align.Options{Penalties: tc.penalties, ScoreOnly: tc.scoreOnly, Approx: tc.approx}
			if n := wantAlignedAsOnCPU(t, cpu, b); n < len(cases)/2 {
				t.Errorf("%d of %d pairs aligned on the GPU", n, len(cases))
			}
			for _, family := range tc.aligned {
				if e.Stats().Kernels[family] == 0 {
					t.Errorf("no pair aligned by %s: %+v", family, e.Stats())
				}
			}
		})
	}
}

// TestEmulatedBounding: passes in an adaptive band find the bounds of exact ones, for
// pairs of all sorts: alike, unlike, and with a gap that no band holds.
func TestEmulatedBounding(t *testing.T) {
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 5, GapOpen: 3, GapExtend: 2}} {
		for _, scoreOnly := range []bool{false, true} {
			e := openEmulated(t, Options{Penalties: p, ScoreOnly: scoreOnly, families: wavefrontFamilies})
			b := &align.Batch{}
			for i, rate := range []float64{0.01, 0.1, 0.3} {
				b.Pairs = append(b.Pairs, simulated(t, 2, simulate.Options{Length: 2600, ErrorRate: rate, Seed: uint64(i)}).Pairs...)
			}
			long := b.Pairs[0]
			long.Text = slices.Concat(long.Text[:1000], bytes.Repeat([]byte("ACGGT"), 100), long.Text[1000:])
			b.Pairs = append(b.Pairs, long)
			mustAlignAll(t, e, b)
			if n := wantAlignedAsOnCPU(t, align.Options{Penalties: p, ScoreOnly: scoreOnly}, b); n != len(b.Pairs) {
				t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
			}
			if s := e.Stats(); s.Passes["bounding"].First != int64(len(b.Pairs)) {
				t.Errorf("%+v", s)
			}
		}
	}
}

// TestEmulatedOverflow: pairs longer than the largest offset, which is 3,200 in the emulation, take kernels
// with rings, and those whose runs of matches are longer another pass.
func TestEmulatedOverflow(t *testing.T) {
	b := simulated(t, 4, simulate.Options{Length: 5000, ErrorRate: 0.02, Seed: 7})
	b.Pairs[0].Text = slices.Concat(b.Pairs[0].Pattern[:2500], b.Pairs[0].Pattern[2503:])
	b.Pairs[1].Text = b.Pairs[1].Pattern
	for _, scoreOnly := range []bool{false, true} {
		o := align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, ScoreOnly: scoreOnly, Approx: &align.Approx{Band: 300, Lambda: 50}}
		e := openEmulated(t, Options{
			Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx, MaxError: ErrorBound{Fraction: 5}, families: "adaptive_rings adaptive_block general",
		})
		mustAlignAll(t, e, b)
		if n := wantAlignedAsOnCPU(t, o, b); n != len(b.Pairs) {
			t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
		}
		s := e.Stats()
		if passes := s.Passes["approx"]; s.Kernels["approx"] != int64(len(b.Pairs)) || passes.Second == 0 || int(passes.Second) == len(b.Pairs) {
			t.Errorf("%+v", s)
		}
	}
}

// TestEmulatedTiles: kernels of tiles align pairs too long for others, with a bound from
// a pass in an adaptive band, and with the user's, so high that several blocks share a
// pair.
func TestEmulatedTiles(t *testing.T) {
	b := simulated(t, 1, simulate.Options{Length: 33_000, ErrorRate: 0.002, Seed: 1})
	long := b.Pairs[0]
	long.Pattern = slices.Concat(long.Pattern[:20_000], long.Pattern[20_030:])
	b.Pairs = append(b.Pairs, long)
	for _, o := range []Options{{ScoreOnly: true}, {MaxError: ErrorBound{Score: 6000}}} {
		o.families = tilesFamilies
		t.Run(fmt.Sprintf("score=%v", o.ScoreOnly), func(t *testing.T) {
			e := openEmulated(t, o)
			mustAlignAll(t, e, b)
			if n := wantAlignedAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties, ScoreOnly: o.ScoreOnly}, b); n != len(b.Pairs) {
				t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
			}
			bounding := int64(0)
			if o.MaxError == (ErrorBound{}) {
				bounding = int64(len(b.Pairs))
			}
			if s := e.Stats(); s.Kernels["tiles"] != int64(len(b.Pairs)) || s.Passes["bounding"].First != bounding {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestEmulatedGated: gated passes align pairs of few errors, leave parts with many errors to other kernels,
// and find bounds of pairs of scores alone that have such parts.
func TestEmulatedGated(t *testing.T) {
	few := fewErrors(t, 40, 13)
	dense := simulated(t, 8*3, simulate.Options{Length: 300, ErrorRate: 0.35, Seed: 14}).Pairs
	b := &align.Batch{Pairs: few.Pairs}
	for i := range 8 { // three parts, of which none is most of the pair
		var p align.Pair
		for j := range 3 {
			f, d := &few.Pairs[4*i+j], &dense[3*i+j]
			p.Pattern, p.Text = slices.Concat(p.Pattern, f.Pattern, d.Pattern), slices.Concat(p.Text, f.Text, d.Text)
		}
		f := &few.Pairs[4*i+3]
		b.Pairs = append(b.Pairs, align.Pair{Pattern: slices.Concat(p.Pattern, f.Pattern), Text: slices.Concat(p.Text, f.Text)})
	}
	for _, p := range []align.Penalties{align.DefaultPenalties, align.EditPenalties, {Mismatch: 19, GapOpen: 36, GapExtend: 2}} {
		for _, scoreOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/score=%v", p, scoreOnly), func(t *testing.T) {
				t.Parallel()
				e := openEmulated(t, Options{Penalties: p, ScoreOnly: scoreOnly})
				takeGated(e, 0.1*float64(p.Mismatch+2*p.Gap(1))/3)
				b := repeated(b, 1)
				mustAlignAll(t, e, b)
				if n := wantAlignedAsOnCPU(t, align.Options{Penalties: p, ScoreOnly: scoreOnly}, b); n != len(b.Pairs) {
					t.Errorf("%d of %d pairs aligned on the GPU", n, len(b.Pairs))
				}
				s, first := e.Stats(), int64(0) // of parts, too
				for _, p := range s.Passes {
					first += p.First
				}
				if n := int64(len(b.Pairs)); s.Kernels["gated"] < n/2 || s.Passes["gated"].First < n*3/4 || scoreOnly != (first == n) {
					t.Errorf("%+v", s)
				}
			})
		}
	}
}

// wantAlignedAsOnCPU compares the pairs that did not fall back with the CPU
// engine, and returns their number.
func wantAlignedAsOnCPU(t *testing.T, o align.Options, b *align.Batch) (aligned int) {
	t.Helper()
	a, err := align.NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.Pairs {
		p, got := &b.Pairs[i], &b.Results[i]
		if _, ok := got.Err.(FallbackCause); ok {
			continue
		}
		aligned++
		score, c, err := a.Align(p.Pattern, p.Text, nil)
		if err != nil || got.Err != nil || score != got.Score || c.String() != got.CIGAR.String() {
			t.Errorf("pair %d, %q and %q: got %d, %s, %v; want %d, %s, %v",
				i, p.Pattern, p.Text, got.Score, got.CIGAR, got.Err, score, c, err)
		}
	}
	return aligned
}
