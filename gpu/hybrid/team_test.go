package hybrid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wfagpu/align"
)

// These tests run in bubbles with a clock of their own: an engine takes the time
// that the test says, and none passes otherwise.

// timedEngine aligns one batch at a time, in the order of arrival, at a rate of
// letters per second.
type timedEngine struct {
	name    string
	rate    float64
	latency time.Duration // of each batch, beside others
	// hard, if not nil, is how often slower the engine is on a batch than its
	// rate says.
	hard func(b *align.Batch) float64
	err  error

	turn chan struct{}
	mu   sync.Mutex
	took []int64 // batches, by the ordinal of the first pair
}

func newTimedEngine(name string, rate float64) *timedEngine {
	return &timedEngine{name: name, rate: rate, turn: make(chan struct{}, 1)}
}

func (e *timedEngine) align(ctx context.Context, b *align.Batch) (FallbackCounts, error) {
	e.mu.Lock()
	e.took = append(e.took, b.First)
	e.mu.Unlock()
	b.PrepareResults()
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return FallbackCounts{}, ctx.Err()
	}
	if e.err != nil {
		<-e.turn
		return FallbackCounts{}, e.err
	}
	seconds := float64(b.Bases()) / e.rate
	if e.hard != nil {
		seconds *= e.hard(b)
	}
	err := wait(ctx, time.Duration(seconds*float64(time.Second)))
	<-e.turn
	if err == nil {
		err = wait(ctx, e.latency)
	}
	for i := range b.Results {
		b.Results[i].Score = int(b.First)
	}
	return FallbackCounts{}, err
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *timedEngine) gpu() *member {
	return &member{engine: e, assumed: rateGPU, full: fullGPU, room: alwaysRoom}
}
func (e *timedEngine) cpu() *member {
	return &member{engine: e, assumed: rateCPU, room: roomOnCPU(16)}
}

func gpus(engines ...*timedEngine) []*member {
	var all []*member
	for _, e := range engines {
		all = append(all, e.gpu())
	}
	return all
}

const testBases = DefaultBatchBases

// run aligns n batches, of which so many are in flight at a time, and returns the
// time in seconds until the last one is done.
func run(t *testing.T, team *team, n, inFlight int) float64 {
	t.Helper()
	start := time.Now()
	slots := make(chan struct{}, inFlight)
	var wg sync.WaitGroup
	pairs := make([]byte, testBases/100)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			b := &align.Batch{First: int64(i + 1)}
			for range 100 {
				b.Pairs = append(b.Pairs, align.Pair{Pattern: pairs})
			}
			if err := team.AlignBatch(t.Context(), b); err != nil {
				t.Error(err)
			}
			if len(b.Results) != 100 || b.Results[99].Score != i+1 {
				t.Errorf("batch %d has not its results", i+1)
			}
		})
		synctest.Wait() // batches arrive in order
	}
	wg.Wait()
	if team.mu.Lock(); len(team.waiting) > 0 {
		t.Error("batches wait")
	}
	for _, m := range team.members {
		if len(m.jobs) > 0 || m.work != 0 || m.races != 0 || m.bases != 0 || m.pairs != 0 || m.meter.full {
			t.Errorf("left behind: %+v", m)
		}
	}
	team.mu.Unlock()
	return time.Since(start).Seconds()
}

// expectSeconds checks a time within a share.
func expectSeconds(t *testing.T, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*want {
		t.Errorf("took %.3f s, want %.3f", got, want)
	}
}

// A team is about as fast as its members together, whichever is the faster, and
// never slower than the fastest one alone.
func TestTeamAddsUp(t *testing.T) {
	const n = 400
	for _, tc := range []struct {
		cpu  float64 // batches per second, 0 for none
		gpus []float64
	}{
		{20, []float64{400}}, {100, []float64{100}}, {200, []float64{50}}, {400, []float64{20}},
		{0, []float64{100}}, {100, nil}, {0, []float64{100, 100}}, {0, []float64{100, 100, 100, 100}},
		{0, []float64{300, 100}}, {20, []float64{200, 200}}, {300, []float64{50, 100}},
	} {
		for _, inFlight := range []int{40, 400} {
			t.Run(fmt.Sprintf("%v,%v,%d", tc.cpu, tc.gpus, inFlight), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					total := tc.cpu
					var cpu *member
					if tc.cpu > 0 {
						cpu = newTimedEngine("cpu", tc.cpu*testBases).cpu()
					}
					var all []*timedEngine
					for _, r := range tc.gpus {
						all = append(all, newTimedEngine("gpu", r*testBases))
						total += r
					}
					team := newTeam(cpu, true)
					team.join(gpus(all...), nil)
					expectSeconds(t, run(t, team, n, inFlight), n/total, 0.08)
				})
			})
		}
	}
}

// The CPU aligns while GPUs are opened. What waits then goes to them.
func TestTeamWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 10*testBases), newTimedEngine("gpu", 400*testBases)
		team := newTeam(cpu.cpu(), true)
		time.AfterFunc(500*time.Millisecond, func() { team.join(gpus(gpu), nil) })
		got := run(t, team, 205, 1000)
		expectSeconds(t, got, 0.5+200./400, 0.03)
		if early := team.cpu.done.early; early < 400 || early > 1000 {
			t.Errorf("%d pairs early", early)
		}
		if all := team.cpu.done.pairs + team.members[0].done.pairs; all != 20500 {
			t.Errorf("%d pairs in all", all)
		}
	})
}

// A run that the CPU finishes does not wait for GPUs, and one without GPUs uses
// all that the CPU takes.
func TestTeamWithoutGPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu := newTimedEngine("cpu", 10*testBases)
		team := newTeam(cpu.cpu(), true)
		expectSeconds(t, run(t, team, 20, 1000), 2, 0)
		team.join(nil, nil)
		expectSeconds(t, run(t, team, 20, 1000), 2, 0)
	})
}

// The end of a run never waits for an engine that is slower on some batches than
// it was before: another one takes over.
func TestTeamTakesOver(t *testing.T) {
	hard := func(first int64) func(*align.Batch) float64 {
		return func(b *align.Batch) float64 {
			if b.First <= first {
				return 10_000
			}
			return 1
		}
	}
	for _, tc := range []struct {
		name     string
		cpu, gpu func(*align.Batch) float64
		repeated string
	}{
		{"the CPU is stuck", hard(3), nil, "cpu"},
		{"the GPU is stuck", nil, hard(1000), "gpu"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cpu, gpu := newTimedEngine("cpu", 20*testBases), newTimedEngine("gpu", 400*testBases)
				cpu.hard, gpu.hard = tc.cpu, tc.gpu
				team := newTeam(cpu.cpu(), true)
				time.AfterFunc(100*time.Millisecond, func() { team.join(gpus(gpu), nil) })
				got := run(t, team, 100, 1000)
				want := 0.1 + 100./400
				if tc.gpu != nil {
					want = 100. / 20
				}
				expectSeconds(t, got, want, 0.1)
				c, g := team.cpu.done, team.members[0].done
				if c.pairs+g.pairs != 10000 {
					t.Errorf("%d and %d pairs", c.pairs, g.pairs)
				}
				if (c.repeated > 0) != (tc.repeated == "cpu") || (g.repeated > 0) != (tc.repeated == "gpu") {
					t.Errorf("%d and %d pairs repeated", c.repeated, g.repeated)
				}
			})
		})
	}
}

// The CPU takes no batch while the host is what limits the GPUs.
func TestTeamCPURests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", 100*testBases), newTimedEngine("gpu", 100*testBases)
		team := newTeam(cpu.cpu(), true)
		limited := true
		team.join(gpus(gpu), func() bool { return limited })
		expectSeconds(t, run(t, team, 50, 100), 0.5, 0)
		if len(cpu.took) > 0 {
			t.Errorf("the CPU took %v", cpu.took)
		}
		limited = false
		expectSeconds(t, run(t, team, 50, 100), 0.25, 0.1)
	})
}

// The failure of an engine is the batch's error, whoever raced for it.
func TestTeamFails(t *testing.T) {
	failure := errors.New("failure")
	synctest.Test(t, func(t *testing.T) {
		cpu, gpu := newTimedEngine("cpu", testBases), newTimedEngine("gpu", testBases)
		gpu.err = failure
		team := newTeam(cpu.cpu(), true)
		b := &align.Batch{Pairs: []align.Pair{{Pattern: make([]byte, testBases)}}}
		time.AfterFunc(time.Millisecond, func() { team.join(gpus(gpu), nil) })
		start := time.Now()
		if err := team.AlignBatch(t.Context(), b); err != failure {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("the failure came after %v", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		team := newTeam(nil, true)
		time.AfterFunc(time.Millisecond, func() { team.fail(failure) })
		for range 2 {
			if err := team.AlignBatch(t.Context(), &align.Batch{}); err != failure {
				t.Errorf("got %v", err)
			}
		}
	})
}

// A batch ends when its context does: one that waits at once, one under way as
// soon as nobody uses it.
func TestTeamInterrupted(t *testing.T) {
	for _, joined := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			gpu, cpu := newTimedEngine("gpu", 1), newTimedEngine("cpu", 1)
			team := newTeam(nil, true)
			if joined {
				team = newTeam(cpu.cpu(), true)
				team.join(gpus(gpu), nil)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			start := time.Now()
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() {
					b := &align.Batch{Pairs: []align.Pair{{Pattern: make([]byte, 1000)}}}
					if err := team.AlignBatch(ctx, b); err != context.Canceled {
						t.Errorf("got %v", err)
					}
				})
			}
			wg.Wait()
			if took := time.Since(start); took != time.Second {
				t.Errorf("the interrupt took effect after %v", took)
			}
		})
	}
}
