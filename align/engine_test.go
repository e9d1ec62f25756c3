package align_test

import (
	"sync"
	"testing"
	"time"

	"wfagpu/align"
)

// TestStatsFromTwoSides holds that concurrent callers that each need every worker do not block each
// other.
func TestStatsFromTwoSides(t *testing.T) {
	e, err := align.New(align.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		var both sync.WaitGroup
		for range 8 {
			both.Go(func() {
				for range 50000 {
					e.Stats()
				}
			})
		}
		both.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("calls of Stats wait for each other")
	}
}
