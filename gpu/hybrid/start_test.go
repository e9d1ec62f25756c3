package hybrid_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// An engine in the background aligns on the CPU before the GPUs are open, tells
// when they are, and then aligns on them.
func TestBackground(t *testing.T) {
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
			o.Background = true
			o.Ready = func(s hybrid.Status) { ready <- s }
			e := mustOpen(t, o)
			if s := e.Status(); !s.Opening || s.GPUs != nil || s.Faults != nil {
				t.Errorf("before: %+v", s)
			}
			if n := e.InFlight(); n != 0 {
				t.Errorf("before: %d batches in flight", n)
			}
			mustAlign(t, e, equalPairs(5))
			if s := e.Stats(); s.CPU.Pairs != 5 || s.CPU.Early != 0 || len(s.GPUs) != 0 {
				t.Errorf("before: %+v", s)
			}
			close(release)
			if err := e.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			if s := <-ready; s.Opening || len(s.GPUs) != tc.used {
				t.Errorf("told of %+v", s)
			}
			mustAlign(t, e, equalPairs(5))
			s := e.Stats()
			if tc.used == 0 {
				if s.CPU.Pairs != 10 || s.CPU.Early != 0 || len(s.GPUs) != 0 || e.InFlight() != 4 {
					t.Errorf("after: %+v", s)
				}
				return
			}
			if e.InFlight() != 0 || len(s.GPUs) != 2 {
				t.Fatalf("after: %d batches in flight, %+v", e.InFlight(), s)
			}
			onGPUs := s.GPUs[0].Pairs + s.GPUs[1].Pairs
			fallback := s.GPUs[0].Fallback.Pairs() + s.GPUs[1].Fallback.Pairs()
			if s.CPU.Early != 5 || s.CPU.Pairs != 5+s.CPU.Beside+fallback || onGPUs+s.CPU.Pairs != 10 {
				t.Errorf("after: %+v", s)
			}
		})
	}
}

// GPUs that are required and opened in the background get all batches. If they are
// not usable, every batch has the reason as its error, and nobody is told.
func TestRequiredInBackground(t *testing.T) {
	for _, usable := range []bool{false, true} {
		release := make(chan struct{})
		g := &hybridtest.GPU{}
		if !usable {
			g.OpenErr = errOld
		}
		o := on(t, hybridtest.NewMachine(g).OpeningOn(release))
		o.Background, o.Devices = true, hybrid.RequireGPU
		told := make(chan struct{}, 1)
		o.Ready = func(hybrid.Status) { told <- struct{}{} }
		e := mustOpen(t, o)
		time.AfterFunc(time.Millisecond, func() { close(release) })
		err := e.AlignBatch(t.Context(), equalPairs(5))
		var faults hybrid.Faults
		if errors.As(err, &faults) == usable || !usable && !errors.Is(err, gpu.ErrTooOld) || len(told) > 0 != usable {
			t.Errorf("usable %v: error %v", usable, err)
		}
		if waited := e.Wait(t.Context()); (waited == nil) != usable {
			t.Errorf("usable %v: Wait returned %v", usable, waited)
		}
		s := e.Status()
		if s.Opening || len(s.GPUs) > 0 != usable || len(s.Faults) > 0 == usable {
			t.Errorf("usable %v: %+v", usable, s)
		}
		if stats := e.Stats(); usable && (stats.GPUs[0].Pairs != 4 || stats.CPU.Pairs != 1) {
			t.Errorf("%+v", stats)
		}
	}
}

// GPUs that open after Close are not used and are released, and nobody is told.
func TestOpenTooLate(t *testing.T) {
	release, closed := make(chan struct{}), make(chan struct{})
	o := on(t, hybridtest.NewMachine(&hybridtest.GPU{OnClose: func() { close(closed) }}).OpeningOn(release))
	o.Background = true
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
	if s := e.Stats(); !e.Status().Opening || len(s.GPUs) != 0 || s.CPU.Pairs != 2 || s.CPU.Early != 0 {
		t.Errorf("after Close: %+v", s)
	}
}

// GPUs are opened at once, unless the CPU alone finishes the input soon.
func TestRest(t *testing.T) {
	for _, tc := range []struct {
		name    string
		devices hybrid.Devices
		rest    func() float64
		start   bool // opened before the first batch
		opened  bool
	}{
		{"unknown", hybrid.Auto, nil, true, true},
		{"little", hybrid.Auto, func() float64 { return 1000 }, false, false},
		{"much", hybrid.Auto, func() float64 { return 1e9 }, false, true},
		{"little, but GPUs are required", hybrid.RequireGPU, func() float64 { return 0 }, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opened := false
				m := hybridtest.NewMachine(&hybridtest.GPU{})
				m.Hint, m.BeforeCount = 1, func() { opened = true }
				o := on(t, m)
				o.Background, o.Devices, o.Rest = true, tc.devices, tc.rest
				e, err := hybrid.Open(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if opened != tc.start {
					t.Errorf("before the first batch: opened %v", opened)
				}
				mustAlign(t, e, equalPairs(5))
				synctest.Wait()
				if opened != tc.opened {
					t.Errorf("opened %v", opened)
				}
				if n, want := e.InFlight(), map[bool]int{false: 4}[opened]; n != want {
					t.Errorf("%d batches in flight, want %d", n, want)
				}
				time.Sleep(time.Minute)
				e.Close()
				synctest.Wait()
				if opened != tc.opened {
					t.Errorf("after some time: opened %v", opened)
				}
			})
		})
	}
}

// An interrupt does not wait for the GPUs that batches wait for.
func TestInterruptWhileWaiting(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	o := on(t, hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release))
	o.Background, o.Devices = true, hybrid.RequireGPU
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, interrupt)
	e := mustOpen(t, o)
	if err := e.AlignBatch(ctx, equalPairs(2)); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	if err := e.Wait(ctx); err != context.Canceled {
		t.Errorf("Wait returned %v", err)
	}
}

// Open waits where nobody asks for the background, and where an error or the absence
// of a GPU is known at once.
func TestWhoWaits(t *testing.T) {
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
		{"not asked for", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Background = false }, false},
		{"gpu", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Devices = hybrid.RequireGPU }, true},
		{"gpu, none expected", func(o *hybrid.Options, m *hybridtest.Machine) { o.Devices, m.Hint = hybrid.RequireGPU, 0 }, true},
		{"cpu", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Devices = hybrid.CPUOnly }, false},
		{"numbers", func(o *hybrid.Options, _ *hybridtest.Machine) { o.Ordinals = []int{0} }, true},
		{"none expected", func(_ *hybrid.Options, m *hybridtest.Machine) { m.Hint = 0 }, false},
		{"kernels", func(*hybrid.Options, *hybridtest.Machine) { t.Setenv(gpu.KernelsVariable, kernels) }, false},
	} {
		release := make(chan struct{})
		m := hybridtest.NewMachine(&hybridtest.GPU{})
		m.Hint = 3
		o := on(t, m)
		o.Background = true
		tc.change(&o, m)
		if tc.want {
			m.BeforeCount = func() { <-release }
			m.BeforeOpen = func() error { <-release; return nil }
		}
		e := mustOpen(t, o)
		if got := e.Status().Opening; got != tc.want {
			t.Errorf("%s: in the background %v, want %v", tc.name, got, tc.want)
		}
		close(release)
		if err := e.Wait(t.Context()); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
