package hybrid

import (
	"testing"

	"wfagpu/align"
)

// inFlightEngine is an engine of which InFlight looks at this alone.
func inFlightEngine(threads, expected int) *Engine {
	return &Engine{opts: Options{CPU: align.Options{Threads: threads}}, expected: expected}
}

func TestInFlight(t *testing.T) {
	for _, tc := range []struct{ gpus, threads, batches int }{
		{0, 1, 3}, {0, 8, 10}, {0, 64, 16}, {1, 1, 8}, {1, 8, 10}, {1, 64, 16}, {2, 64, 16}, {8, 64, 64},
	} {
		open := inFlightEngine(tc.threads, 0)
		open.gpus.Store(&gpuSet{gpus: make([]GPU, tc.gpus)})
		if now, most := open.InFlight(); now != tc.batches || most != tc.batches {
			t.Errorf("%d GPUs, %d threads: %d batches, at most %d, want %d", tc.gpus, tc.threads, now, most, tc.batches)
		}
		if _, most := inFlightEngine(tc.threads, tc.gpus).InFlight(); most != tc.batches {
			t.Errorf("%d GPUs expected, %d threads: at most %d batches, want %d", tc.gpus, tc.threads, most, tc.batches)
		}
	}
}

// Batches for GPUs that are expected are of use once these are open.
func TestInFlightGrows(t *testing.T) {
	for _, open := range []int{0, 3, 8} {
		e := inFlightEngine(4, 8)
		if got, most := e.InFlight(); got != 6 || most != 64 {
			t.Errorf("%d batches, at most %d, before any GPU is open", got, most)
		}
		e.gpus.Store(&gpuSet{gpus: make([]GPU, open)})
		if got, most := e.InFlight(); got != max(6, 8*open) || most != 64 {
			t.Errorf("%d batches with %d GPUs, at most %d, want %d", got, open, most, max(6, 8*open))
		}
	}
}
