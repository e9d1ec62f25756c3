package main

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"wfagpu/align"
)

// heldEngine keeps every batch until it is told to let one go.
type heldEngine struct {
	name    string
	arrived chan string
	release chan error
}

func (h *heldEngine) AlignBatch(_ context.Context, b *align.Batch) error {
	b.PrepareResults()
	h.arrived <- h.name
	return <-h.release
}

// basesBatch is one pair of n bases and an empty sequence.
func basesBatch(n int) *align.Batch {
	return &align.Batch{First: 1, Pairs: []align.Pair{{Pattern: make([]byte, n)}}}
}

// Each batch goes to the engine with the least bases in its hands.
func TestSpreadTakesLeastBusy(t *testing.T) {
	arrived := make(chan string)
	held := map[string]*heldEngine{}
	for _, name := range []string{"a", "b", "c"} {
		held[name] = &heldEngine{name: name, arrived: arrived, release: make(chan error)}
	}
	s := newSpread(held["a"], held["b"], held["c"])
	var wg sync.WaitGroup
	finished := make(chan struct{})
	deal := func(bases int, want string) {
		t.Helper()
		wg.Go(func() {
			if err := s.AlignBatch(t.Context(), basesBatch(bases)); err != nil {
				t.Error(err)
			}
			finished <- struct{}{}
		})
		if got := <-arrived; got != want {
			t.Errorf("%d bases went to %s, want %s; loads %v", bases, got, want, s.load)
		}
	}
	letGo := func(name string) {
		held[name].release <- nil
		<-finished
	}
	deal(100, "a")
	deal(0, "b") // a pair is work, even an empty one
	deal(50, "c")
	deal(60, "b")
	deal(5, "c")
	deal(20, "c")
	letGo("a") // 0, 60 and 75 are left, and the empty one
	deal(70, "a")
	deal(30, "b")
	letGo("a")
	deal(10, "a")
	for _, name := range []string{"a", "b", "b", "b", "c", "c", "c"} {
		letGo(name)
	}
	wg.Wait()
	for i, load := range s.load {
		if load != 0 {
			t.Errorf("engine %d is left with a load of %d", i, load)
		}
	}
}

// The pipeline over several engines keeps the order, uses them all, and
// reports the first error in the order of the input.
func TestSpreadInPipeline(t *testing.T) {
	engines := make([]*countingEngine, 3)
	all := make([]aligner, len(engines))
	for i := range engines {
		engines[i] = &countingEngine{fakeEngine: fakeEngine{maxDelay: 2e6}}
		all[i] = engines[i]
	}
	var out bytes.Buffer
	src := &fakeSource{pairs: 1000, perBatch: 10}
	if _, err := testPipeline(src, newSpread(all...), &out).run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out.String() != numbers(1000) {
		t.Error("output is not in the order of the input")
	}
	for i, e := range engines {
		if e.batches == 0 {
			t.Errorf("engine %d got no batch", i)
		}
	}

	first, second := errors.New("first"), errors.New("second")
	for _, e := range engines {
		e.failAt = map[int64]error{31: first, 41: second}
	}
	out.Reset()
	src = &fakeSource{pairs: 1000, perBatch: 10}
	if _, err := testPipeline(src, newSpread(all...), &out).run(t.Context()); err != first || out.String() != numbers(30) {
		t.Errorf("error %v, wrote %d bytes", err, out.Len())
	}
}

// countingEngine counts its batches.
type countingEngine struct {
	fakeEngine
	mu      sync.Mutex
	batches int
}

func (c *countingEngine) AlignBatch(ctx context.Context, b *align.Batch) error {
	c.mu.Lock()
	c.batches++
	c.mu.Unlock()
	return c.fakeEngine.AlignBatch(ctx, b)
}
