package hybrid

import (
	"context"
	"sync/atomic"

	"wfagpu/align"
)

// early is an Aligner that starts on one engine and switches to another as soon as
// the other is ready. It is safe for concurrent use.
type early struct {
	first    Aligner
	eligible eligible // batches for first
	// turns is a semaphore: its capacity is the number of batches that first
	// aligns at a time. first finishes every batch that it has started, so more
	// batches than keep it busy would be kept from the other engine.
	turns chan struct{}
	pairs atomic.Int64 // pairs that first has aligned

	ready chan struct{} // closed by switchTo
	then  Aligner       // set before ready is closed
}

func newEarly(first Aligner, batches eligible, turns int) *early {
	return &early{first: first, eligible: batches, turns: make(chan struct{}, turns), ready: make(chan struct{})}
}

// earlyTurns is the number of batches that keep the threads of the CPU busy.
// Several small batches count as one.
func earlyTurns(threads, batchBases int) int {
	return (2 + threads/8) * max(1, DefaultBatchBases/batchBases)
}

// switchTo makes then the engine from now on. It is called at most once.
func (e *early) switchTo(then Aligner) {
	e.then = then
	close(e.ready)
}

// AlignBatch passes the batch to the second engine if that is ready, or to the
// first engine if the batch is eligible and a turn is free. Otherwise it waits for
// either.
func (e *early) AlignBatch(ctx context.Context, b *align.Batch) error {
	turn, err := e.wait(ctx, b)
	if err != nil {
		return err
	}
	if !turn {
		return e.then.AlignBatch(ctx, b)
	}
	defer func() { <-e.turns }()
	if err := e.first.AlignBatch(ctx, b); err != nil {
		return err
	}
	e.pairs.Add(int64(len(b.Pairs)))
	return nil
}

// wait waits until an engine can align the batch. turn reports that it is the first
// engine and that the batch has taken a turn.
func (e *early) wait(ctx context.Context, b *align.Batch) (turn bool, err error) {
	if e.isReady() {
		return false, nil
	}
	turns := e.turns
	if !e.eligible.has(b) {
		turns = nil // blocks forever
	}
	select {
	case turns <- struct{}{}:
		if e.isReady() { // both were possible
			<-turns
			return false, nil
		}
		return true, nil
	case <-e.ready:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func (e *early) isReady() bool {
	select {
	case <-e.ready:
		return true
	default:
		return false
	}
}
