package hybrid_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// An engine aligns on the CPU before the GPUs are open, tells when they are, and
// then aligns on them.
func TestStartEarly(t *testing.T) {
	for _, tc := range []struct {
		name string
		gpus []*hybridtest.GPU
		used int
	}{
		{"GPUs", []*hybridtest.GPU{{Name: "A"}, {Name: "B"}, {OpenErr: errOld}}, 2},
		{"none usable", []*hybridtest.GPU{{OpenErr: errOld}}, 0},
		{"none", nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			release, ready := make(chan struct{}), make(chan hybrid.Status, 1)
			o := on(t, hybridtest.NewMachine(tc.gpus...).OpeningOn(release))
			o.StartEarly = true
			var e *hybrid.Engine
			o.Ready = func(s hybrid.Status) {
				if stats := e.Stats(); s.Opening || len(stats.GPUs) != tc.used || tc.used > 0 && stats.GPUs[0].Finished() > 0 {
					t.Errorf("told of %+v with %+v", s, stats)
				}
				ready <- s
			}
			e = mustOpen(t, o)
			if s := e.Status(); !s.Opening || s.GPUs != nil || s.Faults != nil {
				t.Errorf("before: %+v", s)
			}
			before, most := e.InFlight()
			if before != 4 || most != max(4, 8*max(1, len(tc.gpus))) {
				t.Errorf("before: %d batches in flight, at most %d", before, most)
			}
			mustAlign(t, e, equalPairs(5))
			if s := e.Stats(); s.CPU.Pairs() != 5 || s.CPU.Early != 0 || len(s.GPUs) != 0 {
				t.Errorf("before: %+v", s)
			}
			long := make(chan error)
			go func() { long <- e.AlignBatch(t.Context(), longPair()) }()
			close(release)
			if s := <-ready; len(s.GPUs) != tc.used {
				t.Errorf("told of %+v", s)
			}
			if err := <-long; err != nil {
				t.Error(err)
			}
			mustAlign(t, e, equalPairs(5))
			s := e.Stats()
			if tc.used == 0 {
				if s.CPU.Pairs() != 11 || s.CPU.Early != 0 || len(s.GPUs) != 0 {
					t.Errorf("after: %+v", s)
				}
				return
			}
			if finished := s.GPUs[0].Finished() + s.GPUs[1].Finished(); s.CPU.Pairs() != 6 || s.CPU.Early != 5 || finished != 5 {
				t.Errorf("after: %+v", s)
			}
			if now, _ := e.InFlight(); now != 8*tc.used {
				t.Errorf("after: %d batches in flight", now)
			}
		})
	}
}

// GPUs that open after Close are not used and are released, and nobody is told.
func TestOpenTooLate(t *testing.T) {
	release, closed := make(chan struct{}), make(chan struct{})
	o := on(t, hybridtest.NewMachine(&hybridtest.GPU{OnClose: func() { close(closed) }}).OpeningOn(release))
	o.StartEarly = true
	o.Ready = func(hybrid.Status) { t.Error("told after Close") }
	e := mustOpen(t, o)
	mustAlign(t, e, equalPairs(2))
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	close(release)
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the GPU was not closed")
	}
	if s := e.Stats(); !e.Status().Opening || len(s.GPUs) != 0 || s.CPU.Pairs() != 2 || s.CPU.Early != 0 {
		t.Errorf("after Close: %+v", s)
	}
}

// An interrupt does not wait for pairs that wait for the GPUs.
func TestInterruptWhileWaiting(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	o := on(t, hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release))
	o.StartEarly = true
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, interrupt)
	if err := mustOpen(t, o).AlignBatch(ctx, longPair()); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// Only auto starts early, and only where no error can come of the GPUs.
func TestWhoStartsEarly(t *testing.T) {
	kernels := filepath.Join(t.TempDir(), "kernels.ptx")
	if err := os.WriteFile(kernels, []byte(ptx), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		change func(o *hybrid.Options, m *hybridtest.Machine)
		want   bool
	}{
		{"auto", func(*hybrid.Options, *hybridtest.Machine) {}, true},
		{"not asked for", func(o *hybrid.Options, _ *hybridtest.Machine) { o.StartEarly = false }, false},
		{"gpu", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Devices = hybrid.RequireGPU }, false},
		{"cpu", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Devices = hybrid.CPUOnly }, false},
		{"numbers", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Ordinals = []int{0} }, false},
		{"share", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Share = hybrid.NewMemoryShare(2) }, false},
		{"none expected", func(_ *hybrid.Options, m *hybridtest.Machine) { m.Hint = 0 }, false},
		{"kernels", func(*hybrid.Options, *hybridtest.Machine) { t.Setenv(gpu.KernelsVariable, kernels) }, false},
	} {
		release := make(chan struct{})
		m := hybridtest.NewMachine(&hybridtest.GPU{})
		m.Hint = 3
		o := on(t, m)
		o.StartEarly = true
		tc.change(&o, m)
		if tc.want {
			m.BeforeCount = func() { <-release }
		}
		e := mustOpen(t, o)
		if got := e.Status().Opening; got != tc.want {
			t.Errorf("%s: early %v, want %v", tc.name, got, tc.want)
		}
		close(release)
	}
}

// A run that starts early gives the alignments of any other: pairs beyond the
// memory of the CPU wait.
func TestLongPairsWaitForGPUs(t *testing.T) {
	release := make(chan struct{})
	g := &hybridtest.GPU{}
	o := on(t, hybridtest.NewMachine(g).OpeningOn(release))
	o.StartEarly, o.CPU = true, align.Options{Threads: 1, Memory: 1 << 20}
	e := mustOpen(t, o)
	done := make(chan error)
	go func() { done <- e.AlignBatch(t.Context(), longPair()) }()
	select {
	case err := <-done:
		t.Errorf("a long pair did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if s := e.Stats(); s.CPU.Pairs() != 0 || s.GPUs[0].Finished() != 1 {
		t.Errorf("%+v", s)
	}
}
