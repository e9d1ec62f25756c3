package gpu

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/pack"
)

// queued queues all pairs of a batch and forms no launch.
func queued(t testing.TB, e *Engine, batch *align.Batch) *call {
	t.Helper()
	c := testCall(batch)
	c.ctx, c.cancel = context.WithCancelCause(t.Context())
	c.loads.Store(1)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	s, give, err := e.staging.take(c)
	must(err)
	defer give()
	stream, err := e.dev.NewStream()
	must(err)
	defer func() { must(stream.Close()) }()
	for from := 0; from < len(batch.Pairs); {
		to, words := cut(batch.Pairs, from)
		pinned, err := e.staging.pinned.Take(c.ctx, 4*(words+pack.Tail), nil)
		must(err)
		s.rates, s.maxBounds = e.estimate.Rates(), *e.scheduler.maxBounds.Load()
		from = s.stage(c, view[uint32](pinned, len(pinned)/4), from, to)
		at, err := e.staging.memory.Take(c.ctx, 4*s.words+sequenceTail, func(int) {})
		must(err)
		must(stream.ToDevice(at.At, pinned[:4*s.words]))
		must(stream.Wait(c.ctx))
		l, groups := s.load(c, at)
		c.loads.Add(1)
		e.scheduler.mu.Lock()
		for i := range groups {
			e.scheduler.push(l, &groups[i], s.rates, false, time.Now())
		}
		e.scheduler.mu.Unlock()
		e.staging.pinned.Give(pinned)
	}
	c.release()
	return c
}

// Pairs of several batches share a launch.
func TestBatchesShareLaunchesOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	e := openOnFake(t, g, Options{MaxError: ErrorBound{Score: 60}})
	var calls []*call
	for seed := range uint64(5) {
		b := simulated(t, 20, simulate.Options{Length: 150, ErrorRate: 0.02, Model: simulate.Substitution, Seed: seed})
		calls = append(calls, queued(t, e, b))
	}
	e.scheduler.wake()
	for _, c := range calls {
		<-c.done
		wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, c.batch)
	}
	if n := g.launched("wfa_warp"); n != 1 {
		t.Errorf("%d launches of the pairs of %d batches", n, len(calls))
	}
}

// holdFirst makes the first launch of kernels with a prefix wait for a channel that is
// closed, or for its stop word. It returns a channel that is closed when it waits.
func holdFirst(g *fakeGPU, prefix string, until <-chan struct{}) (waits chan struct{}) {
	waits = make(chan struct{})
	var held atomic.Bool
	kernel := g.Launch
	g.Launch = func(name string, grid, block, shared int, p unsafe.Pointer) driver.Result {
		a := *(*abi.Params)(p)
		if strings.HasPrefix(name, prefix) && held.CompareAndSwap(false, true) {
			close(waits)
			for l := (&fakeLaunch{Params: &a, gpu: g}); !l.stopped(); {
				select {
				case <-until:
					return kernel(name, grid, block, shared, unsafe.Pointer(&a))
				case <-time.After(time.Millisecond):
				}
			}
		}
		return kernel(name, grid, block, shared, unsafe.Pointer(&a))
	}
	return waits
}

// A pair that takes long holds its own launch alone: other batches begin and end, and so
// do the other pairs of its batch.
func TestStragglersOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	release := make(chan struct{})
	waits := holdFirst(g, "wfa_block", release)
	e := openOnFake(t, g, Options{})
	o := align.Options{Penalties: align.DefaultPenalties}
	slow := simulated(t, 1, simulate.Options{Length: 1500, ErrorRate: 0.2, Seed: 1})
	slow.Pairs = append(slow.Pairs, simulated(t, 100, simulate.Options{Length: 100, ErrorRate: 0.02, Seed: 2}).Pairs...)
	done := make(chan error)
	go func() { done <- e.AlignBatch(t.Context(), slow) }()
	<-waits
	var calls sync.WaitGroup
	for seed := range uint64(10) {
		calls.Go(func() {
			b := mixedPairs(t, 50, 100+seed)
			mustAlignAll(t, withCPU(t, e, o), b)
			wantAsOnCPU(t, o, b)
		})
	}
	calls.Wait()
	select {
	case <-done:
		t.Fatal("the straggler is not held")
	default:
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantAsOnCPU(t, o, slow)
	if s := e.Stats(); s.Slowest.Time <= 0 || s.Busy < s.Slowest.Time {
		t.Errorf("%+v", s)
	}
}

// A cancelled call stops its kernels by the stop word, and not those of others.
func TestStopOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	waits := holdFirst(g, "wfa_", nil)
	e := openOnFake(t, g, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- e.AlignBatch(ctx, mixedPairs(t, 50, 120)) }()
	<-waits
	b := mixedPairs(t, 50, 121)
	mustAlignAll(t, withCPU(t, e, align.Options{}), b)
	start := time.Now()
	cancel()
	if err := <-done; err != context.Canceled || time.Since(start) > time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	again := mixedPairs(t, 50, 122)
	mustAlignAll(t, withCPU(t, e, align.Options{}), again)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, again)
}

// While nothing is known about scores, a few pairs go first, and the others get bounds
// by their scores.
func TestPilotOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{})
	b := simulated(t, 3000, simulate.Options{Length: 150, ErrorRate: 0.15, Seed: 3})
	mustAlignAll(t, e, b)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	if s := e.Stats(); s.SecondPass == 0 || s.SecondPass > 2000 {
		t.Errorf("%d of %d pairs take a second pass", s.SecondPass, len(b.Pairs))
	}
}

// Pairs of lengths of which no scores have been seen wait for a pilot, too, if the scores of
// shorter ones are known: these may be other reads.
func TestPilotOfLongerPairsOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{families: gatedFamilies})
	mustAlignAll(t, e, simulated(t, 2*estimate.Enough, simulate.Options{Length: 1500, ErrorRate: 0.1, Seed: 4}))
	if r := e.estimate.Rates()[estimate.LengthClass(12_000)]; !r.Known || r.Own || r.Gated {
		t.Fatalf("%+v", r)
	}
	// Errors are too few for a bounding pass.
	b := simulated(t, mostUnpiloted+400, simulate.Options{Length: 12_000, ErrorRate: 0.004, Seed: 5})
	mustAlignAll(t, e, b)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	if n := e.Stats().Passes["bounding"].First; n == 0 || n > pilotTasks || !e.estimate.Rates()[estimate.LengthClass(12_000)].Own {
		t.Errorf("%d of %d pairs take a bounding pass: %+v", n, len(b.Pairs), e.Stats())
	}
}

// Slow pairs of a call of few do not wait for a pilot.
func TestFewSlowPairsOnFake(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 1000), Options{families: gatedFamilies})
	b := simulated(t, 2*pilotTasks, simulate.Options{Length: 12_000, ErrorRate: 0.1, Seed: 5})
	mustAlignAll(t, e, b)
	wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, b)
	if s := e.Stats(); int(s.Passes["bounding"].First) != len(b.Pairs) {
		t.Errorf("%d of %d pairs begin with a bounding pass: %+v", s.Passes["bounding"].First, len(b.Pairs), s)
	}
}

// cameAt makes the waiting tasks of a call look as if they had been queued at some time.
func cameAt(e *Engine, c *call, at time.Time) {
	e.scheduler.mu.Lock()
	defer e.scheduler.mu.Unlock()
	for _, q := range e.scheduler.queues.order {
		q.since = time.Time{} // they do not wait for more tasks
		for i := range q.blocks {
			if q.blocks[i].load.call == c {
				q.blocks[i].came = at
			}
		}
	}
}

// Costly tasks go first, but those that keep coming do not hold cheap ones forever.
func TestNoTaskStarvesOnFake(t *testing.T) {
	g := newFakeGPU(t, 1000)
	launched, proceed, free := make(chan string), make(chan struct{}), make(chan struct{})
	kernel := g.Launch
	g.Launch = func(name string, grid, block, shared int, p unsafe.Pointer) driver.Result {
		if strings.HasPrefix(name, "wfa_warp") || strings.HasPrefix(name, "wfa_block") {
			select {
			case launched <- name:
				<-proceed
			case <-free:
			}
		}
		return kernel(name, grid, block, shared, p)
	}
	e := openOnFake(t, g, Options{MaxError: ErrorBound{Fraction: 0.1}})
	letGo := sync.OnceFunc(func() { close(free) })
	defer letGo()
	// Launches run one at a time.
	e.scheduler.mu.Lock()
	for range maxRunners - 1 {
		e.scheduler.flight.launches[&launch{}] = struct{}{}
	}
	e.scheduler.flight.small += maxRunners - 1
	e.scheduler.mu.Unlock()

	var calls []*call
	queue := func(length int, came time.Time) *call {
		c := queued(t, e, simulated(t, 5, simulate.Options{Length: length, ErrorRate: 0.02, Model: simulate.Substitution, Seed: uint64(len(calls))}))
		cameAt(e, c, came)
		calls = append(calls, c)
		return c
	}
	want := func(kernel string) {
		t.Helper()
		if name := <-launched; !strings.HasPrefix(name, kernel) {
			proceed <- struct{}{}
			t.Fatalf("%s is launched, want %s", name, kernel)
		}
	}
	soon := time.Now().Add(time.Hour) // nothing that came then has waited too long
	queue(1500, soon)
	e.scheduler.wake()
	want("wfa_block")
	cheap := queue(300, soon)
	for range 4 {
		queue(1500, soon)
		proceed <- struct{}{}
		want("wfa_block")
	}
	// Tasks that have waited long, the longest first.
	now := time.Now()
	cameAt(e, cheap, now.Add(-2*longestWait-time.Millisecond))
	waiting := []*call{queue(1500, now.Add(-2*longestWait)), queue(3000, soon), queue(50, now.Add(-2*longestWait))}
	proceed <- struct{}{}
	want("wfa_warp_2_3_1_32x")
	proceed <- struct{}{}
	<-cheap.done
	for _, c := range waiting {
		select {
		case <-c.done:
			t.Error("a call that has waited less has ended")
		default:
		}
	}
	letGo()
	for _, c := range calls {
		<-c.done
		wantAsOnCPU(t, align.Options{Penalties: align.DefaultPenalties}, c.batch)
	}
}
