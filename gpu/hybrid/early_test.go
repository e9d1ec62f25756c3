package hybrid

import (
	"context"
	"testing"
	"testing/synctest"
)

// These tests run in bubbles, so that they can tell a batch that waits from one
// that is not there yet.

// passed is the outcome of a batch that was passed on.
type passed struct {
	done bool
	err  error
}

// testEarly starts on an engine that holds its batches, and with sequences of up
// to 10 letters.
func testEarly(turns int) (*early, *heldEngine) {
	cpu := newHeldEngine("cpu")
	return newEarly(cpu, eligible{longest: 10}, turns), cpu
}

// newHeldEngine tells of up to 99 batches without waiting for a reader.
func newHeldEngine(name string) *heldEngine {
	return &heldEngine{name: name, arrived: make(chan string, 99), release: make(chan error)}
}

// pass passes a pair of n letters on and returns when it has come as far as it
// can.
func pass(ctx context.Context, e *early, n int) *passed {
	var got passed
	go func() {
		err := e.AlignBatch(ctx, basesBatch(n))
		got = passed{true, err}
	}()
	synctest.Wait()
	return &got
}

// expectHeld checks how many batches an engine has or had.
func expectHeld(t *testing.T, h *heldEngine, want int) {
	t.Helper()
	if got := len(h.arrived); got != want {
		t.Errorf("%s was given %d batches, want %d", h.name, got, want)
	}
}

// Before the switch the first engine aligns short pairs, as many as it has turns
// for. Then the second engine gets the batches that have waited and all others,
// and the first one finishes what it has begun.
func TestEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, cpu := testEarly(2)
		g := newHeldEngine("gpu")
		first, second, third := pass(t.Context(), e, 10), pass(t.Context(), e, 0), pass(t.Context(), e, 1)
		long := pass(t.Context(), e, 11)
		expectHeld(t, cpu, 2)
		cpu.release <- nil // either; its turn is the third one's
		synctest.Wait()
		expectHeld(t, cpu, 3)
		if first.done == second.done || third.done || long.done {
			t.Errorf("done: %v, %v, %v and %v", first.done, second.done, third.done, long.done)
		}
		fourth := pass(t.Context(), e, 5)
		expectHeld(t, cpu, 3)
		expectHeld(t, g, 0)

		e.switchTo(g)
		synctest.Wait()
		expectHeld(t, g, 2) // long and fourth
		later := pass(t.Context(), e, 1)
		expectHeld(t, g, 3)
		expectHeld(t, cpu, 3)
		for range 2 {
			cpu.release <- nil
		}
		for range 3 {
			g.release <- nil
		}
		synctest.Wait()
		for i, b := range []*passed{first, second, third, long, fourth, later} {
			if !b.done || b.err != nil {
				t.Errorf("batch %d: %+v", i, *b)
			}
		}
		if n := e.pairs.Load(); n != 3 {
			t.Errorf("%d pairs are counted as early, want 3", n)
		}
		if len(e.turns) != 0 {
			t.Errorf("%d turns are taken", len(e.turns))
		}
	})
}

// Where the first engine is the second, too, nobody waits any more.
func TestEarlyGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, cpu := testEarly(1)
		for _, n := range []int{10, 11, 10} {
			pass(t.Context(), e, n)
		}
		expectHeld(t, cpu, 1)
		e.switchTo(cpu)
		pass(t.Context(), e, 11)
		expectHeld(t, cpu, 4)
		for range 4 {
			cpu.release <- nil
		}
		synctest.Wait()
	})
}

// A batch that waits, for the switch or for its turn, gives up at once.
func TestEarlyInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, cpu := testEarly(1)
		ctx, cancel := context.WithCancel(t.Context())
		begun, long, short := pass(ctx, e, 1), pass(ctx, e, 11), pass(ctx, e, 1)
		cancel()
		synctest.Wait()
		for _, b := range []*passed{long, short} {
			if !b.done || b.err != context.Canceled {
				t.Errorf("a waiting batch: %+v", *b)
			}
		}
		cpu.release <- ctx.Err() // as the engine itself does it
		synctest.Wait()
		if !begun.done || begun.err != context.Canceled || e.pairs.Load() != 0 {
			t.Errorf("the batch under way: %+v, %d pairs", *begun, e.pairs.Load())
		}
		expectHeld(t, cpu, 1)
	})
}

func TestEarlyTurns(t *testing.T) {
	for _, tc := range []struct{ threads, bases, turns int }{
		{1, DefaultBatchBases, 2}, {16, DefaultBatchBases, 4}, {16, 1e9, 4}, {2, 1e6, 8}, {8, 2e6, 6},
	} {
		if got := earlyTurns(tc.threads, tc.bases); got != tc.turns {
			t.Errorf("%d threads, %d bases: %d turns, want %d", tc.threads, tc.bases, got, tc.turns)
		}
	}
}
