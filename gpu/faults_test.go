package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// faultScript is what a device goes through while its calls fail: an engine is
// opened, two batches are aligned, the second with longer pairs and so more
// memory for rows, and the engine is closed.
type faultScript struct {
	options Options
	cpu     *align.Engine
	batches [2]*align.Batch
	want    [2][]align.Result
}

func newFaultScript(t *testing.T, o align.Options, opts Options) *faultScript {
	t.Helper()
	o.Threads = 1
	opts.MaxError = ErrorBound{Fraction: 0.05}
	s := &faultScript{options: opts}
	var err error
	if s.cpu, err = align.New(o); err != nil {
		t.Fatal(err)
	}
	s.batches[0] = mixedPairs(t, 12, 100)
	s.batches[1] = mixedPairs(t, 6, 101)
	s.batches[1].Pairs = append(s.batches[1].Pairs, simulated(t, 2, simulate.Options{Length: 5000, ErrorRate: 0.2, Seed: 102}).Pairs...)
	s.batches[1].Pairs = append(s.batches[1].Pairs, simulated(t, 2, simulate.Options{Length: 300, ErrorRate: 0.4, Seed: 103}).Pairs...)
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
	e, err := open(api, drivertest.Image, s.options)
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

// releasing are the calls after whose failure something stays behind, until the
// context goes.
var releasing = []string{
	"cuMemFree", "cuMemFreeHost", "cuStreamDestroy", "cuEventDestroy", "cuModuleUnload", "cuDevicePrimaryCtxRelease",
}

// gpu is large enough for one lane and some rows.
func (s *faultScript) gpu(t *testing.T) *fakeGPU { return newFakeGPU(t, leastMemory(t, s.options)+60) }

func forFaultScripts(t *testing.T, f func(t *testing.T, s *faultScript, calls []string)) {
	forModes(t, func(t *testing.T, o align.Options, opts Options) {
		s := newFaultScript(t, o, opts)
		g := s.gpu(t)
		api := g.API()
		g.ClearLog()
		if o := s.runInTime(t, api); o.failed() || o.wrong != "" {
			t.Fatalf("without a fault: %v; %s", &o, o.wrong)
		}
		f(t, s, g.Log())
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

// target is the call that fails with the n-th: setting the context is for the
// sake of the next.
func target(calls []string, n int) string {
	if calls[n-1] == "cuCtxSetCurrent" && n < len(calls) {
		return calls[n]
	}
	return calls[n-1]
}

// One call fails for want of memory, and those after it work again. The run
// fails with the driver's error or gives the right results. Nothing is left
// behind, and the next batch is aligned.
func TestOneFailureOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		allocations := 0 // of device memory, before this call
		for _, n := range everyCall(calls) {
			g := s.gpu(t)
			api := g.API()
			g.FailNth(n, driver.ResultOutOfMemory)
			o := s.runInTime(t, api)
			call := target(calls, n)
			what := fmt.Sprintf("call %d of %d, %s for %s: %v", n, len(calls), calls[n-1], call, &o)
			if g.FailedIn() != calls[n-1] {
				t.Fatalf("%s: the fault was in %q", what, g.FailedIn())
			}
			if o.wrong != "" {
				t.Errorf("%s: %s", what, o.wrong)
			}
			for _, err := range []error{o.open, o.batches[0], o.batches[1], o.close} {
				if err != nil && !driver.IsOutOfMemory(err) {
					t.Errorf("%s: not the driver's error", what)
				}
			}
			if o.batches[0] != nil && o.batches[1] != nil {
				t.Errorf("%s: the second batch fails, too", what)
			}
			if calls[n-1] == "cuMemAlloc" {
				if allocations = count(calls[:n-1], "cuMemAlloc"); allocations > 0 && o.failed() {
					t.Errorf("%s: allocation %d is for rows, without which pairs can go to the CPU", what, allocations)
				}
			}
			left := g.Live()
			if slices.Contains(releasing, call) {
				if !o.failed() {
					t.Errorf("%s: a failed release goes unnoticed", what)
				}
				if call != "cuDevicePrimaryCtxRelease" && len(left) > 0 {
					t.Errorf("%s: left alive: %v", what, left)
				}
			} else if len(left) > 0 || len(g.Lost()) > 0 {
				t.Errorf("%s: left alive: %v, %v", what, left, g.Lost())
			}
		}
	})
}

func count(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
}

// One call finds that the device has failed, and from then on every call says
// so, as with CUDA; only the context can still be given up. The run fails with
// that error, at once, and has no wrong results.
func TestDeviceFailureOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		for i, n := range everyCall(calls) {
			code := []driver.Result{719, 700}[i%2]
			g := s.gpu(t)
			api := g.API()
			name := api.GetErrorName
			api.GetErrorName = func(r driver.Result) string {
				if r == code {
					for _, call := range calls {
						if call != "cuDevicePrimaryCtxRelease" {
							g.FailEvery(call, code)
						}
					}
				}
				return name(r)
			}
			g.FailNth(n, code)
			o := s.runInTime(t, api)
			what := fmt.Sprintf("call %d of %d, %s: %v", n, len(calls), calls[n-1], &o)
			if !o.failed() {
				t.Errorf("%s: no error", what)
			}
			if o.wrong != "" {
				t.Errorf("%s: %s", what, o.wrong)
			}
			for _, err := range []error{o.open, o.batches[0], o.batches[1], o.close} {
				var failure *Error
				if err != nil && (!errors.As(err, &failure) || driver.Result(failure.Code) != code) {
					t.Errorf("%s: not the driver's error", what)
				}
			}
			if left := g.Live(); len(left) > 0 && calls[n-1] != "cuDevicePrimaryCtxRelease" {
				t.Errorf("%s: left alive: %v", what, left)
			}
		}
	})
}

// Memory runs out for good at some allocation, of the device or of the host.
// Only without a first lane is that an error.
func TestNoMoreMemoryOnFake(t *testing.T) {
	forFaultScripts(t, func(t *testing.T, s *faultScript, calls []string) {
		for _, symbol := range []string{"cuMemAlloc", "cuMemHostAlloc"} {
			for most := range count(calls, symbol) {
				g := s.gpu(t)
				api := g.API()
				n := 0
				more := func() driver.Result {
					if n++; n > most {
						return driver.ResultOutOfMemory
					}
					return driver.Success
				}
				alloc, allocHost := api.MemAlloc, api.MemHostAlloc
				if symbol == "cuMemAlloc" {
					api.MemAlloc = func(size uint64) (driver.Ptr, driver.Result) {
						if r := more(); r != driver.Success {
							return 0, r
						}
						return alloc(size)
					}
				} else {
					api.MemHostAlloc = func(size uint64, flags uint32) (p unsafe.Pointer, r driver.Result) {
						if r := more(); r != driver.Success {
							return nil, r
						}
						return allocHost(size, flags)
					}
				}
				o := s.runInTime(t, api)
				what := fmt.Sprintf("%s succeeds %d times: %v", symbol, most, &o)
				if o.wrong != "" {
					t.Errorf("%s: %s", what, o.wrong)
				}
				if o.failed() != (most == 0) {
					t.Errorf("%s: failed %v, want %v", what, o.failed(), most == 0)
				}
				if left := g.Live(); len(left) > 0 || len(g.Lost()) > 0 {
					t.Errorf("%s: left alive: %v, %v", what, left, g.Lost())
				}
			}
		}
	})
}

// Kernels fail in the middle of a large batch, while several lanes are at work
// and others wait: the batch ends with the error.
func TestFailureAmongLanesOnFake(t *testing.T) {
	few := longPairs(t)
	failing := []int{1, 2, 3, 4}
	if testing.Short() {
		failing = []int{3}
	}
	for _, n := range failing {
		g := newFakeGPU(t, 4000)
		launch := make(chan int, 1)
		launch <- 0
		g.before = func(string) driver.Result {
			i := <-launch + 1
			launch <- i
			if i >= n {
				return 719
			}
			return driver.Success
		}
		e := openOnFake(t, g, Options{})
		err := alignInTime(t, withCPU(t, e, align.Options{}), context.Background(), repeated(few, 70))
		if err == nil || !strings.Contains(err.Error(), "719") {
			t.Errorf("launch %d fails: %v", n, err)
		}
		g.before = nil
		b := repeated(few, 2)
		mustAlignAll(t, e, b)
		wantRepeated(t, align.Options{Penalties: align.DefaultPenalties}, few, b)
	}
}

// A kernel that runs but reaches no pair is found out: nothing that it left
// undone passes for a result.
func TestNothingReachedOnFake(t *testing.T) {
	b := simulated(t, 5, simulate.Options{Length: 150, ErrorRate: 0.02, Seed: 104})
	for _, o := range []Options{{}, {packOnDevice: true}, {ScoreOnly: true}, {ScoreOnly: true, packOnDevice: true}} {
		for idle, says := range map[string]string{"wfa_trace": "letters from the GPU", "": "costs"} {
			if o.ScoreOnly && idle != "" {
				continue
			}
			g := newFakeGPU(t, 1000)
			kernel := g.Launch
			g.Launch = func(name string, grid, block, shared int, p unsafe.Pointer) driver.Result {
				if name != "wfa_pack" && strings.HasPrefix(name, idle) {
					return driver.Success
				}
				return kernel(name, grid, block, shared, p)
			}
			err := alignInTime(t, openOnFake(t, g, o), context.Background(), b)
			if err == nil || !strings.Contains(err.Error(), "internal error") || !strings.Contains(err.Error(), says) {
				t.Errorf("%+v, idle %q: %v", o, idle, err)
			}
		}
	}
}
