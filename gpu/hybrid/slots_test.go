package hybrid

import (
	"testing"

	"wfagpu/align"
)

// slotsEngine is an engine of which Slots looks at this alone.
func slotsEngine(threads, expected int) *Engine {
	return &Engine{opts: Options{CPU: align.Options{Threads: threads}}, expected: expected}
}

func TestSlots(t *testing.T) {
	for _, tc := range []struct{ gpus, threads, slots int }{
		{0, 1, 3}, {0, 8, 10}, {0, 64, 16}, {1, 1, 8}, {1, 8, 10}, {1, 64, 16}, {2, 64, 16}, {8, 64, 64},
	} {
		open := slotsEngine(tc.threads, 0)
		open.gpus.Store(&gpuSet{gpus: make([]GPU, tc.gpus)})
		if now, most := open.Slots(); now != tc.slots || most != tc.slots {
			t.Errorf("%d GPUs, %d threads: %d slots, at most %d, want %d", tc.gpus, tc.threads, now, most, tc.slots)
		}
		if _, most := slotsEngine(tc.threads, tc.gpus).Slots(); most != tc.slots {
			t.Errorf("%d GPUs expected, %d threads: at most %d slots, want %d", tc.gpus, tc.threads, most, tc.slots)
		}
	}
}

// Slots for GPUs that are expected are of use once these are open.
func TestSlotsGrow(t *testing.T) {
	for _, open := range []int{0, 3, 8} {
		e := slotsEngine(4, 8)
		if got, most := e.Slots(); got != 6 || most != 64 {
			t.Errorf("%d slots, at most %d, before any GPU is open", got, most)
		}
		e.gpus.Store(&gpuSet{gpus: make([]GPU, open)})
		if got, most := e.Slots(); got != max(6, 8*open) || most != 64 {
			t.Errorf("%d slots with %d GPUs, at most %d, want %d", got, open, most, max(6, 8*open))
		}
	}
}
