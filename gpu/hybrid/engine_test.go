package hybrid_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// on are the options of an engine on a machine. The variables of whoever runs the
// tests are for the real GPUs.
func on(t testing.TB, m *hybridtest.Machine) hybrid.Options {
	t.Helper()
	if os.Getenv(gpu.KernelsVariable) != "" {
		t.Setenv(gpu.KernelsVariable, "")
	}
	return hybrid.Options{System: m, CPU: align.Options{Threads: 2}}
}

// mustOpen opens an engine that is closed at the end of the test.
func mustOpen(t testing.TB, o hybrid.Options) *hybrid.Engine {
	t.Helper()
	e, err := hybrid.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func mustAlign(t *testing.T, e *hybrid.Engine, b *align.Batch) {
	t.Helper()
	if err := e.AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

// equalPairs is a batch of n pairs without a difference, one of them in letters
// that no GPU takes.
func equalPairs(n int) *align.Batch {
	b := &align.Batch{First: 1}
	for range n - 1 {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGT"), Text: []byte("acgu")})
	}
	b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("NNN"), Text: []byte("NNN")})
	return b
}

// Pairs are counted where they were aligned, and by cause.
func TestStats(t *testing.T) { synctest.Test(t, testStats) }

func testStats(t *testing.T) {
	o := on(t, hybridtest.NewMachine(&hybridtest.GPU{Name: "A"}, &hybridtest.GPU{Name: "B"}))
	o.Devices = hybrid.RequireGPU
	e := mustOpen(t, o)
	b := equalPairs(10)
	mustAlign(t, e, b)
	for i, r := range b.Results {
		if want := fmt.Sprintf("%d=", len(b.Pairs[i].Pattern)); r.Err != nil || r.Score != 0 || r.CIGAR.String() != want {
			t.Errorf("pair %d: %+v", i, r)
		}
	}
	s := e.Stats()
	if len(s.GPUs) != 2 || s.GPUs[0].Device.Name != "A" || s.GPUs[1].Device.Ordinal != 1 {
		t.Fatalf("%+v", s)
	}
	a, other := s.GPUs[0], s.GPUs[1]
	if a.Pairs != 9 || a.Finished() != 9 || a.Fallback != (hybrid.FallbackCounts{Letters: 1}) || other.Pairs != 0 || s.CPU.Pairs != 1 || s.CPU.Early != 0 || s.CPU.Beside != 0 {
		t.Errorf("%+v", s)
	}
}

// A GPU that fails is named, and ends the batch.
func TestGPUFails(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700}
	e := mustOpen(t, on(t, hybridtest.NewMachine(&hybridtest.GPU{Name: "A", FailAt: map[int64]error{1: failure}})))
	err := e.AlignBatch(t.Context(), equalPairs(3))
	var named *hybrid.GPUError
	if !errors.As(err, &named) || named.Device.Name != "A" || !errors.Is(err, failure) || err.Error() != "GPU 0 (A) failed: cuStreamSynchronize: CUDA error 700" {
		t.Errorf("got %v", err)
	}
}

// What the options say reaches the GPUs.
func TestGPUOptions(t *testing.T) {
	p := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	approx := &align.Approx{Band: 64}
	g := &hybridtest.GPU{}
	mustOpen(t, hybrid.Options{
		System: hybridtest.NewMachine(&hybridtest.GPU{}, g), Ordinals: []int{1},
		CPU:      align.Options{Penalties: p, ScoreOnly: true, Approx: approx},
		MaxError: gpu.ErrorBound{Score: 9}, Memory: 1 << 30, MemoryPart: 0.5,
	})
	want := gpu.Options{Penalties: p, ScoreOnly: true, Device: 1, MaxError: gpu.ErrorBound{Score: 9}, Approx: approx, Memory: 1 << 30, MemoryPart: 0.5}
	if g.Options != want {
		t.Errorf("opened with %+v, want %+v", g.Options, want)
	}
}

// Engines with one share divide what is free.
func TestMemoryShare(t *testing.T) {
	const free = 10 << 30
	g := &hybridtest.GPU{Free: free}
	m := hybridtest.NewMachine(g)
	o := on(t, m)
	o.Share = hybrid.NewMemoryShare(2)
	mustOpen(t, o)
	g.Free = 0 // what the first one takes does not count
	mustOpen(t, o)
	if a, b := g.Options.Memory, g.Second.Options.Memory; a != b || a != free*9/10/2 {
		t.Errorf("memory of %d and %d bytes, %d are free", a, b, free)
	}
	for _, tc := range []struct {
		bytes int64
		part  float64
		want  int64
	}{
		{1 << 30, 0, 1 << 29}, {1, 0, 1}, {0, 0.5, free / 4}, {1 << 40, 0.5, free / 4}, {1 << 30, 0.5, 1 << 29}, {0, 1, free / 2},
	} {
		o.Memory, o.MemoryPart = tc.bytes, tc.part
		m.GPUs[0] = &hybridtest.GPU{}
		mustOpen(t, o)
		if got := m.GPUs[0].Options; got.Memory != tc.want || got.MemoryPart != 0 {
			t.Errorf("%d bytes, part %v: memory of %d bytes and part %v, want %d bytes", tc.bytes, tc.part, got.Memory, got.MemoryPart, tc.want)
		}
	}
}

// A failure on closing is returned, every time, unless GPUs are left open.
func TestClose(t *testing.T) {
	failure := errors.New("cuCtxDestroy: CUDA error 4")
	for _, leaveOpen := range []bool{false, true} {
		g := &hybridtest.GPU{CloseErr: failure}
		o := on(t, hybridtest.NewMachine(g))
		o.LeaveOpen = leaveOpen
		e, err := hybrid.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		mustAlign(t, e, equalPairs(2))
		for range 2 {
			if err := e.Close(); errors.Is(err, failure) == leaveOpen {
				t.Errorf("left open %v: %v", leaveOpen, err)
			}
		}
		if want := map[bool]int{false: 1, true: 0}[leaveOpen]; g.Closed != want {
			t.Errorf("left open %v: closed %d times", leaveOpen, g.Closed)
		}
		if s := e.Stats(); len(s.GPUs) != 1 || s.GPUs[0].Pairs != 1 || len(e.Status().GPUs) != 1 {
			t.Errorf("after Close: %+v", s)
		}
	}
}

// The reasons why GPUs are not used are told once each.
func TestFaults(t *testing.T) {
	f := hybrid.Faults{errors.Join(errOld, errImage), errOld}
	if got, want := f.Error(), "GPU 1: too old; GPU 0: no kernels for this GPU"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(f, gpu.ErrNoKernels) || errors.Is(f, gpu.ErrNoDriver) {
		t.Error("the faults do not match what they are")
	}
	if got := (hybrid.Faults)(nil).Error(); got != "" {
		t.Errorf("no fault is %q", got)
	}
}
