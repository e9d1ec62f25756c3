package hybrid

import (
	"context"
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

// Each batch goes to the engine with the least work.
func TestSpreadTakesLeastBusy(t *testing.T) {
	arrived := make(chan string)
	held := map[string]*heldEngine{}
	for _, name := range []string{"a", "b", "c"} {
		held[name] = &heldEngine{name: name, arrived: arrived, release: make(chan error)}
	}
	s := NewSpread(held["a"], held["b"], held["c"])
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
			t.Errorf("%d bases went to %s, want %s; work %v", bases, got, want, s.work)
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
	for i, work := range s.work {
		if work != 0 {
			t.Errorf("engine %d is left with work of %d", i, work)
		}
	}
}
