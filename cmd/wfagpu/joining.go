package main

import (
	"context"
	"sync"
	"sync/atomic"

	"wfagpu/align"
)

// joining is an engine that begins on the CPU and goes on on GPUs as soon as
// these are open, which takes up to a second. It is safe for concurrent use.
type joining struct {
	cpu   aligner
	early earlyBatches
	// turns has a place for each batch that the CPU may have in its hands. What
	// it has begun it finishes, so that more than keep it busy would be batches
	// that the GPUs do not get.
	turns chan struct{}
	pairs atomic.Int64 // that the CPU aligned before the GPUs were there

	// ready is closed when it is known which GPUs there are; then is the engine
	// from that moment on, and does not change any more.
	ready chan struct{}
	then  aligner

	mu    sync.Mutex
	set   *gpuSet // nil until ready
	ended bool    // the run, while set was nil
}

// earlyTurns is how many batches the CPU has in its hands before the GPUs are
// there: enough that threads always have one to go on with. Several small ones are
// as one.
func earlyTurns(threads, bases int) int {
	return (2 + threads/8) * max(1, batchBases/bases)
}

func newJoining(cpu aligner, early earlyBatches, turns int) *joining {
	return &joining{cpu: cpu, early: early, turns: make(chan struct{}, turns), ready: make(chan struct{})}
}

// AlignBatch passes the batch to the GPUs if they are there, or to the CPU if it
// may have it, and otherwise waits for either.
func (j *joining) AlignBatch(ctx context.Context, b *align.Batch) error {
	early, err := j.wait(ctx, b)
	if err != nil {
		return err
	}
	if !early {
		return j.then.AlignBatch(ctx, b)
	}
	defer func() { <-j.turns }()
	if err := j.cpu.AlignBatch(ctx, b); err != nil {
		return err
	}
	j.pairs.Add(int64(len(b.Pairs)))
	return nil
}

// wait returns when the batch can be aligned. early says that it is the CPU's,
// which then has one of its turns for it.
func (j *joining) wait(ctx context.Context, b *align.Batch) (early bool, err error) {
	if j.isReady() {
		return false, nil
	}
	turns := j.turns
	if !j.early.take(b) {
		turns = nil // nobody's turn ever comes
	}
	select {
	case turns <- struct{}{}:
		if j.isReady() { // both at once
			<-turns
			return false, nil
		}
		return true, nil
	case <-j.ready:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func (j *joining) isReady() bool {
	select {
	case <-j.ready:
		return true
	default:
		return false
	}
}

// gpus is the number of GPUs that have joined.
func (j *joining) gpus() int {
	if !j.isReady() {
		return 0
	}
	return len(j.set.workers) // which does not change any more
}

// join says that these GPUs are open and no others will be. It reports whether
// they are used; the run may have ended before. known is called before the first
// batch is passed on, and never after end.
func (j *joining) join(set *gpuSet, known func()) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended {
		return false
	}
	known()
	j.set, j.then = set, set.before(j.cpu)
	close(j.ready)
	return true
}

// end is called when the run is over and returns the GPUs that it used, nil if
// it was over before these were known.
func (j *joining) end() *gpuSet {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended = j.set == nil
	return j.set
}
