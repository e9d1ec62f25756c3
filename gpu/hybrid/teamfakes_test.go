package hybrid

import (
	"context"
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
	// every, if not 0, is the time in which the engine finishes a pair, of whatever batch.
	every time.Duration

	turn  chan struct{}
	begun time.Time
	mu    sync.Mutex
	took  []int64 // batches, by the ordinal of the first pair
}

func newTimedEngine(name string, rate float64) *timedEngine {
	return &timedEngine{name: name, rate: rate, turn: make(chan struct{}, 1), begun: time.Now()}
}

func (e *timedEngine) finished() int64 {
	if e.every == 0 {
		return 0
	}
	return int64(time.Since(e.begun) / e.every)
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

// wait returns at once for no time: under the race detector, Go 1.26 may crash if
// goroutines of a bubble receive from timers that have expired.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
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
	return &member{engine: e, assumed: 16 * rateThread, room: roomOnCPU(16)}
}

func gpus(engines ...*timedEngine) []*member {
	var all []*member
	for _, e := range engines {
		all = append(all, e.gpu())
	}
	return all
}

const testBases = DefaultBatchBases

// run aligns n batches, of which so many are in flight at a time, fewer while the CPU is
// alone, and returns the time in seconds until the last one is done.
func run(t *testing.T, team *team, n, inFlight int) float64 {
	t.Helper()
	start := time.Now()
	slots := make(chan struct{}, inFlight)
	var wg sync.WaitGroup
	pairs := make([]byte, testBases/100)
	team.model.learn(&align.Batch{Pairs: []align.Pair{{Pattern: pairs}}, Results: make([]align.Result, 1)}) // such pairs are known
	for i := range n {
		slots <- struct{}{}
		for len(slots) > 18 && team.isCPUAlone() {
			time.Sleep(100 * time.Microsecond)
		}
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
