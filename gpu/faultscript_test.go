package gpu

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
)

// faultScript is what an engine does while calls of the driver fail: it is opened,
// aligns two batches, the second with longer pairs and so more memory for rows,
// and is closed.
type faultScript struct {
	options Options
	cpu     *align.Engine
	batches [2]*align.Batch
	want    [2][]align.Result
}

func newFaultScript(t *testing.T, o align.Options, opts Options) *faultScript {
	t.Helper()
	o.Threads = 1
	s := &faultScript{options: opts}
	var err error
	if s.cpu, err = align.New(o); err != nil {
		t.Fatal(err)
	}
	s.batches[0] = mixedPairs(t, 12, 100)
	s.batches[1] = mixedPairs(t, 6, 101)
	if o.Approx != nil { // in pieces
		s.batches[0].Pairs = append(s.batches[0].Pairs[:6], variants(t, 4, 1500).Pairs...)
		s.batches[1].Pairs = append(s.batches[1].Pairs, stretches(t, 2, 5000, 1, 104).Pairs...)
	} else {
		s.options.MaxError = ErrorBound{Fraction: 0.05}
		s.batches[1].Pairs = append(s.batches[1].Pairs, simulated(t, 2, simulate.Options{Length: 5000, ErrorRate: 0.2, Seed: 102}).Pairs...)
		s.batches[1].Pairs = append(s.batches[1].Pairs, simulated(t, 2, simulate.Options{Length: 300, ErrorRate: 0.4, Seed: 103}).Pairs...)
	}
	for i, b := range s.batches {
		want := &align.Batch{Pairs: b.Pairs}
		mustAlignAll(t, s.cpu, want)
		s.want[i] = want.Results
	}
	return s
}

// outcome is what came of a script.
type outcome struct {
	open, close error
	batches     [2]error
	wrong       string // results that are neither right nor excused by an error
}

func (o *outcome) failed() bool {
	return o.open != nil || o.batches[0] != nil || o.batches[1] != nil || o.close != nil
}

func (o *outcome) String() string {
	return fmt.Sprintf("open: %v; batches: %v; %v; close: %v", o.open, o.batches[0], o.batches[1], o.close)
}

// run goes through the script on a driver.
func (s *faultScript) run(api *driver.API) (o outcome) {
	e, err := open(api, fakeImage, s.options)
	if err != nil {
		o.open = err
		return o
	}
	r := &gpuAndCPU{GPU: e, CPU: s.cpu}
	for i, b := range s.batches {
		b := &align.Batch{Pairs: b.Pairs}
		if o.batches[i] = r.AlignBatch(context.Background(), b); o.batches[i] != nil {
			continue
		}
		for j, got := range b.Results {
			want := s.want[i][j]
			if got.Err != want.Err || got.Score != want.Score || !slices.Equal(got.CIGAR, want.CIGAR) {
				o.wrong += fmt.Sprintf("batch %d, pair %d: score %d, error %v, want %d; ", i, j, got.Score, got.Err, want.Score)
			}
		}
	}
	o.close = e.Close()
	return o
}

// runInTime is run, or a failed test when it hangs.
func (s *faultScript) runInTime(t *testing.T, api *driver.API) outcome {
	t.Helper()
	done := make(chan outcome, 1)
	go func() { done <- s.run(api) }()
	select {
	case o := <-done:
		return o
	case <-time.After(time.Minute):
		t.Fatal("the run hangs")
		return outcome{}
	}
}

// releasing are the calls whose failure keeps something alive until the context
// goes.
var releasing = []string{
	"cuMemFree", "cuMemFreeHost", "cuMemHostUnregister", "cuStreamDestroy", "cuEventDestroy", "cuModuleUnload", "cuDevicePrimaryCtxRelease",
}

// gpu is large enough for a load and launches of a few pairs.
func (s *faultScript) gpu(t *testing.T) *fakeGPU { return newFakeGPU(t, neededMemory(t, s.options)+60) }

func forFaultScripts(t *testing.T, f func(t *testing.T, s *faultScript, calls []string)) {
	run := func(t *testing.T, o align.Options, opts Options) {
		s := newFaultScript(t, o, opts)
		g := s.gpu(t)
		api := g.API()
		g.ClearLog()
		if o := s.runInTime(t, api); o.failed() || o.wrong != "" {
			t.Fatalf("without a fault: %v; %s", &o, o.wrong)
		}
		f(t, s, g.Log())
	}
	forModes(t, run)
	t.Run("pieces", func(t *testing.T) {
		approx := &align.Approx{}
		run(t, align.Options{Approx: approx}, Options{Approx: approx})
	})
}

// everyCall says which calls fail in turn: all of them, or some under -short.
func everyCall(calls []string) []int {
	step := 1
	if testing.Short() {
		step = 7
	}
	var ns []int
	for n := 1; n <= len(calls); n += step {
		ns = append(ns, n)
	}
	return ns
}

func count(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
}
