package main

import (
	"context"
	"testing"
	"testing/synctest"

	"wfagpu/align"
)

// These tests run in bubbles, so that they can tell a batch that waits from one
// that is not there yet.

// joined is what a batch that was passed to a joining comes to.
type joined struct {
	done bool
	err  error
}

// testJoining is a joining with a held CPU that may align sequences of up to 10
// letters early.
func testJoining(turns int) (*joining, *heldEngine) {
	cpu := &heldEngine{name: "cpu", arrived: make(chan string, 99), release: make(chan error)}
	return newJoining(cpu, earlyBatches{longest: 10}, turns), cpu
}

// pass passes a pair of n letters on and returns when it has come as far as it
// can.
func pass(ctx context.Context, j *joining, n int) *joined {
	var got joined
	go func() {
		err := j.AlignBatch(ctx, basesBatch(n))
		got = joined{true, err}
	}()
	synctest.Wait()
	return &got
}

// expectHeld checks how many batches an engine has in its hands or had.
func expectHeld(t *testing.T, h *heldEngine, want int) {
	t.Helper()
	if got := len(h.arrived); got != want {
		t.Errorf("%s was given %d batches, want %d", h.name, got, want)
	}
}

// noneKnown is for tests that do not look at the notice.
func noneKnown() {}

// setOf is a set with one GPU that is h.
func setOf(h *heldEngine) *gpuSet {
	return &gpuSet{workers: []*gpuWorker{{heldGPU{&fakeGPU{}, h}}}}
}

// heldGPU is a GPU that keeps batches as h does.
type heldGPU struct {
	*fakeGPU
	h *heldEngine
}

func (g heldGPU) AlignBatch(ctx context.Context, b *align.Batch) error {
	return g.h.AlignBatch(ctx, b)
}

// Before the GPUs are there the CPU aligns short pairs, as many as it has turns
// for; then the GPUs get those that have waited and all others, and the CPU
// finishes what it has begun.
func TestJoining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, cpu := testJoining(2)
		g := &heldEngine{name: "gpu", arrived: make(chan string, 99), release: make(chan error)}
		first, second, third := pass(t.Context(), j, 10), pass(t.Context(), j, 0), pass(t.Context(), j, 1)
		long := pass(t.Context(), j, 11)
		expectHeld(t, cpu, 2)
		cpu.release <- nil // either; its turn is the third one's
		synctest.Wait()
		expectHeld(t, cpu, 3)
		if first.done == second.done || third.done || long.done {
			t.Errorf("done: %v, %v, %v and %v", first.done, second.done, third.done, long.done)
		}
		fourth := pass(t.Context(), j, 5)
		expectHeld(t, cpu, 3)

		known := false
		if !j.join(setOf(g), func() {
			synctest.Wait()
			expectHeld(t, g, 0)
			known = true
		}) {
			t.Error("the GPU is not used")
		}
		synctest.Wait()
		if !known {
			t.Error("nobody was told")
		}
		expectHeld(t, g, 2) // long and fourth
		later := pass(t.Context(), j, 1)
		expectHeld(t, g, 3)
		expectHeld(t, cpu, 3)
		for range 2 {
			cpu.release <- nil
		}
		for range 3 {
			g.release <- nil
		}
		synctest.Wait()
		for i, b := range []*joined{first, second, third, long, fourth, later} {
			if !b.done || b.err != nil {
				t.Errorf("batch %d: %+v", i, *b)
			}
		}
		if n := j.pairs.Load(); n != 3 {
			t.Errorf("%d pairs are counted as early, want 3", n)
		}
		if len(j.turns) != 0 {
			t.Errorf("%d turns are left", len(j.turns))
		}
	})
}

// Without a usable GPU everything goes to the CPU, and nobody waits any more.
func TestJoiningWithoutGPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, cpu := testJoining(1)
		for _, n := range []int{10, 11, 10} {
			pass(t.Context(), j, n)
		}
		expectHeld(t, cpu, 1)
		j.join(&gpuSet{faults: []error{errOld}}, noneKnown)
		pass(t.Context(), j, 11)
		expectHeld(t, cpu, 4)
		for range 4 {
			cpu.release <- nil
		}
		synctest.Wait()
		if set := j.end(); set == nil || set.faults[0] != errOld {
			t.Errorf("ended with %+v", set)
		}
	})
}

// A batch that waits, for the GPUs or for its turn, gives up at once.
func TestJoiningInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, cpu := testJoining(1)
		ctx, cancel := context.WithCancel(t.Context())
		begun, long, short := pass(ctx, j, 1), pass(ctx, j, 11), pass(ctx, j, 1)
		cancel()
		synctest.Wait()
		for _, b := range []*joined{long, short} {
			if !b.done || b.err != context.Canceled {
				t.Errorf("a waiting batch: %+v", *b)
			}
		}
		cpu.release <- ctx.Err() // as the engine itself does it
		synctest.Wait()
		if !begun.done || begun.err != context.Canceled || j.pairs.Load() != 0 {
			t.Errorf("the batch under way: %+v, %d pairs", *begun, j.pairs.Load())
		}
		expectHeld(t, cpu, 1)
	})
}

// GPUs that come too late are not used, and nobody is told.
func TestJoiningTooLate(t *testing.T) {
	j, _ := testJoining(1)
	if set := j.end(); set != nil {
		t.Errorf("ended with %+v", set)
	}
	if j.join(setOf(nil), func() { t.Error("a notice after the end") }) {
		t.Error("the GPU is used")
	}
	if set := j.end(); set != nil {
		t.Errorf("ended again with %+v", set)
	}
}

func TestEarlyTurns(t *testing.T) {
	for _, tc := range []struct{ threads, bases, turns int }{
		{1, batchBases, 2}, {16, batchBases, 4}, {16, 1e9, 4}, {2, 1e6, 8}, {8, 2e6, 6},
	} {
		if got := earlyTurns(tc.threads, tc.bases); got != tc.turns {
			t.Errorf("%d threads, %d bases: %d turns, want %d", tc.threads, tc.bases, got, tc.turns)
		}
	}
}
