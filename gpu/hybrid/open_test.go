package hybrid_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

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

// ptx passes for the user's own kernels.
const ptx = ".version 8.0\n"

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
	if err := os.WriteFile(missing, []byte("\x7fELF, but of no GPU\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := hybrid.Open(t.Context(), hybrid.Options{System: m}); err == nil || errors.As(err, &faults) {
		t.Errorf("a file that is no kernels: %v", err)
	}
	if err := os.WriteFile(missing, []byte(ptx), 0o666); err != nil {
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

// What GPUs do not align is for the CPU, or an error if GPUs are required.
func TestOpenForModels(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	for name, cpu := range map[string]align.Options{
		"a z-drop":            {Span: align.Extension, Match: 1, ZDrop: 100},
		"approximate spans":   {Span: align.EndsFree, Approx: &align.Approx{}},
		"approximate, 2 gaps": {LongGap: align.Gap{Open: 24, Extend: 1}, Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, Approx: &align.Approx{}},
	} {
		cpu.Threads = 1
		m := hybridtest.NewMachine(&hybridtest.GPU{})
		e, err := hybrid.Open(t.Context(), hybrid.Options{CPU: cpu, System: m})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s := e.Status(); len(s.GPUs) != 0 || len(s.Faults) != 0 {
			t.Errorf("%s: %+v", name, s)
		}
		e.Close()
		for _, o := range []hybrid.Options{{CPU: cpu, System: m, Devices: hybrid.RequireGPU}, {CPU: cpu, System: m, Ordinals: []int{0}}} {
			if _, err := hybrid.Open(t.Context(), o); !errors.Is(err, hybrid.ErrModel) {
				t.Errorf("%s: %v, want ErrModel", name, err)
			}
		}
	}
}
