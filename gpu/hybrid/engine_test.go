package hybrid_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
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

// The engine meets the contract of all engines, whatever it is made of.
func TestContract(t *testing.T) {
	for _, gpus := range []int{0, 1, 3} {
		for _, early := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d GPUs, early %v", gpus, early), func(t *testing.T) {
				aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine {
					m := hybridtest.NewMachine()
					for range gpus {
						m.GPUs = append(m.GPUs, &hybridtest.GPU{})
					}
					m.Hint = gpus
					options := on(t, m)
					options.CPU, options.StartEarly = o, early
					return mustOpen(t, options)
				})
			})
		}
	}
}

var (
	errOld   = fmt.Errorf("GPU 1: %w", gpu.ErrTooOld)
	errImage = fmt.Errorf("GPU 0: %w", gpu.ErrNoKernels)
)

// What the options make of a machine's GPUs.
func TestOpen(t *testing.T) {
	const refused = -1
	const good, old = "A", "" // names of GPUs
	for _, tc := range []struct {
		name   string
		gpus   []string
		o      hybrid.Options
		used   int
		faults string
		match  error // among the faults
	}{
		{"auto", []string{good, good}, hybrid.Options{}, 2, "", nil},
		{"auto, one too old", []string{good, old}, hybrid.Options{}, 1, "GPU 1: too old", gpu.ErrTooOld},
		{"auto, all too old", []string{old, old}, hybrid.Options{}, 0, "GPU 1: too old", gpu.ErrTooOld},
		{"auto, none", nil, hybrid.Options{}, 0, "no NVIDIA GPU: none in this test", gpu.ErrNoDevice},
		{"CPU", []string{good}, hybrid.Options{Devices: hybrid.CPUOnly}, 0, "", nil},
		{"GPU", []string{old, good}, hybrid.Options{Devices: hybrid.RequireGPU}, 1, "GPU 1: too old", gpu.ErrTooOld},
		{"GPU, none usable", []string{old}, hybrid.Options{Devices: hybrid.RequireGPU}, refused, "GPU 1: too old", gpu.ErrTooOld},
		{"GPU, none", nil, hybrid.Options{Devices: hybrid.RequireGPU}, refused, "no NVIDIA GPU: none in this test", gpu.ErrNoDevice},
		{"numbers", []string{good, old, good}, hybrid.Options{Ordinals: []int{2, 0}}, 2, "", nil},
		{"numbers, one too old", []string{good, old}, hybrid.Options{Ordinals: []int{0, 1}}, refused, "GPU 1: too old", gpu.ErrTooOld},
		{"a number that is missing", []string{good}, hybrid.Options{Ordinals: []int{1}}, refused, "GPU 1: cuDeviceGet: CUDA error 101", gpu.ErrNoDevice},
		{"a number that matters", []string{good}, hybrid.Options{Devices: hybrid.CPUOnly, Ordinals: []int{0}}, 1, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := hybridtest.NewMachine()
			for _, name := range tc.gpus {
				g := &hybridtest.GPU{Name: name}
				if name == old {
					g.OpenErr = errOld
				}
				m.GPUs = append(m.GPUs, g)
			}
			var ready []hybrid.Status
			tc.o.System, tc.o.CPU = m, align.Options{Threads: 3}
			tc.o.Ready = func(s hybrid.Status) { ready = append(ready, s) }
			t.Setenv(gpu.KernelsVariable, "")
			e, err := hybrid.Open(t.Context(), tc.o)
			if tc.used == refused {
				var faults hybrid.Faults
				if e != nil || !errors.As(err, &faults) || err.Error() != tc.faults || !errors.Is(err, tc.match) || len(ready) > 0 {
					t.Errorf("got %v, %v; told of %v", e, err, ready)
				}
			} else {
				if err != nil {
					t.Fatal(err)
				}
				s := e.Status()
				if len(s.GPUs) != tc.used || s.Faults.Error() != tc.faults || s.Opening || s.CPU.Threads != 3 || s.CPU.Level == "" {
					t.Errorf("status %+v", s)
				}
				if tc.match != nil && !errors.Is(s.Faults, tc.match) {
					t.Errorf("faults %v", s.Faults)
				}
				if len(ready) != 1 || len(ready[0].GPUs) != tc.used || ready[0].Opening {
					t.Errorf("told of %+v", ready)
				}
				for range 2 {
					if err := e.Close(); err != nil {
						t.Error(err)
					}
				}
			}
			for i, g := range m.GPUs {
				if g.Opened() != (g.Closed == 1) {
					t.Errorf("GPU %d: opened %v, closed %d times", i, g.Opened(), g.Closed)
				}
			}
		})
	}
}

// Bad options of the CPU and unreadable kernels are errors of their own.
func TestOpenErrors(t *testing.T) {
	m := hybridtest.NewMachine(&hybridtest.GPU{})
	o := on(t, m)
	o.CPU.Level = "sse9"
	var faults hybrid.Faults
	if _, err := hybrid.Open(t.Context(), o); err == nil || errors.As(err, &faults) {
		t.Errorf("a bad code path: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "none")
	t.Setenv(gpu.KernelsVariable, missing)
	if _, err := hybrid.Open(t.Context(), hybrid.Options{System: m}); !errors.Is(err, os.ErrNotExist) || errors.As(err, &faults) {
		t.Errorf("missing kernels: %v", err)
	}
	if e, err := hybrid.Open(t.Context(), hybrid.Options{System: m, Devices: hybrid.CPUOnly}); err != nil {
		t.Errorf("missing kernels, on the CPU: %v, %v", e, err)
	}
	if err := os.WriteFile(missing, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	refused := hybridtest.NewMachine(&hybridtest.GPU{OpenErr: errImage})
	if _, err := hybrid.Open(t.Context(), hybrid.Options{System: refused}); !errors.As(err, &faults) || !errors.Is(err, gpu.ErrNoKernels) {
		t.Errorf("kernels that no GPU accepts: %v", err)
	}
	if m.GPUs[0].Opened() {
		t.Error("a GPU has been opened")
	}
}

// An interrupt does not wait for a GPU to open, and what opens later is closed.
func TestInterruptWhileOpening(t *testing.T) {
	release, closed := make(chan struct{}), make(chan struct{})
	m := hybridtest.NewMachine(&hybridtest.GPU{OnClose: func() { close(closed) }})
	m.BeforeOpen = func() error { <-release; return nil }
	ctx, interrupt := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	interrupt(cause)
	e, err := hybrid.Open(ctx, on(t, m))
	if e != nil || err != cause {
		t.Fatalf("got %v, %v", e, err)
	}
	close(release)
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the GPU was not closed")
	}
}

// Pairs are counted where they were aligned, and by cause.
func TestStats(t *testing.T) {
	m := hybridtest.NewMachine(&hybridtest.GPU{Name: "A"}, &hybridtest.GPU{Name: "B"})
	e := mustOpen(t, on(t, m))
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
	a := s.GPUs[0]
	if a.Finished() != 9 || a.Letters != 1 || a.Fallback() != 1 || s.GPUs[1].Finished() != 0 || s.CPU.Pairs() != 1 || s.CPU.Early != 0 {
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
		MaxError: gpu.ErrorBound{Score: 9}, Memory: 1 << 30,
	})
	want := gpu.Options{Penalties: p, ScoreOnly: true, Device: 1, MaxError: gpu.ErrorBound{Score: 9}, Approx: approx, Memory: 1 << 30}
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
	if a, b := g.Options.Memory, g.Second.Options.Memory; a != b || a != int64(free)/10*9/2 {
		t.Errorf("memory of %d and %d bytes, %d are free", a, b, free)
	}
	o.Memory = 1 << 30 // is less
	m.GPUs[0] = &hybridtest.GPU{}
	mustOpen(t, o)
	if got := m.GPUs[0].Options.Memory; got != 1<<30 {
		t.Errorf("memory of %d bytes, want less", got)
	}
}

// A failure on closing is returned, every time, unless GPUs are left open.
func TestClose(t *testing.T) {
	for _, leaveOpen := range []bool{false, true} {
		g := &hybridtest.GPU{}
		o := on(t, hybridtest.NewMachine(g))
		o.LeaveOpen = leaveOpen
		e := mustOpen(t, o)
		b := equalPairs(2)
		mustAlign(t, e, b)
		for range 2 {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		if want := map[bool]int{false: 1, true: 0}[leaveOpen]; g.Closed != want {
			t.Errorf("left open %v: closed %d times", leaveOpen, g.Closed)
		}
		if s := e.Stats(); len(s.GPUs) != 1 || s.GPUs[0].Finished() != 1 || len(e.Status().GPUs) != 1 {
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

// longPair waits for GPUs: the CPU might give another alignment.
func longPair() *align.Batch {
	text := bytes.Repeat([]byte("ACGGT"), 1000)
	return &align.Batch{First: 1, Pairs: []align.Pair{{Pattern: text, Text: text}}}
}
