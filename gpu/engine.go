package gpu

import (
	"context"
	"errors"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
)

const (
	maxSlots = 32
	// manyPairs is the least size of a chunk of short pairs. Such chunks keep the
	// host busier than the device, and more than maxBusy at a time are slower.
	// Kernels of longer pairs wait for memory; more slots hide that latency.
	manyPairs = 1 << 15
	maxBusy   = 16
	// slotMemory is the device memory that a slot is planned with, in bytes: its
	// buffers, and rows for a few thousand short pairs or a few long ones.
	slotMemory = 256 << 20
)

// Engine aligns batches on one GPU. It is safe for concurrent use; concurrent
// calls share its slots.
type Engine struct {
	shared
	module   *driver.Module
	estimate estimator

	// slots holds the idle slots; nil is a slot that is not allocated yet.
	slots chan *slot
	busy  chan struct{} // a token for each chunk of manyPairs

	mu    sync.Mutex
	made  int // slots that are allocated or being allocated
	stats Stats
}

// Device describes the GPU.
func (e *Engine) Device() DeviceInfo { return e.dev.Info }

// AlignBatch fills b.Results[i] for every b.Pairs[i]. The result of a pair that
// the GPU cannot align is an error of type FallbackCause; gpu/hybrid aligns such
// pairs on another engine. When ctx is cancelled, AlignBatch waits until the
// device no longer uses the batch and returns ctx.Err(); results are then
// incomplete. Any other error means that the device has failed.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.AlignBatchFunc(ctx, b, func([]int32) {})
}

// AlignBatchFunc is AlignBatch with a callback: it calls fallback with the indices
// of pairs that the GPU cannot align, as soon as they are known. Their results are
// final; the engine does not touch them again. Calls may be concurrent, and end
// before AlignBatchFunc returns. The slice is valid during the call.
func (e *Engine) AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error {
	b.PrepareResults()
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	chunks := &chunks{pairs: b.Pairs}
	var wg sync.WaitGroup
	var work func()
	started := 0 // goroutines beside the first; whoever takes a chunk starts one
	work = func() {
		for ctx.Err() == nil {
			from, to := chunks.take(func() {
				if started++; started < cap(e.slots) {
					wg.Go(work)
				}
			})
			if from == to {
				return
			}
			if err := e.run(ctx, b, from, to, fallback); err != nil {
				cancel(err)
				return
			}
		}
	}
	wg.Go(work)
	wg.Wait()
	return firstError(outer, ctx)
}

// run aligns a chunk on a slot. At most maxBusy chunks of manyPairs run at a time.
// It calls fallback as AlignBatchFunc does.
func (e *Engine) run(ctx context.Context, b *align.Batch, from, to int, fallback func(pairs []int32)) error {
	if to-from >= manyPairs {
		select {
		case e.busy <- struct{}{}:
			defer func() { <-e.busy }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	s, err := e.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { e.slots <- s }()
	pairs, err := s.run(ctx, b, from, to, &e.estimate, e.finished)
	if err != nil {
		return err
	}
	if len(pairs) > 0 {
		fallback(pairs)
	}
	return nil
}

// firstError returns the cause of ctx's end, nil if ctx has not ended. If ctx ended
// because outer, its parent, did, it returns outer.Err().
func firstError(outer, ctx context.Context) error {
	err := context.Cause(ctx)
	if outer.Err() != nil && err == context.Cause(outer) {
		return outer.Err()
	}
	return err
}

// acquire waits for an idle slot and allocates it if necessary. When memory is
// scarce, it waits for a slot that is allocated already.
func (e *Engine) acquire(ctx context.Context) (*slot, error) {
	for {
		var s *slot
		select {
		case s = <-e.slots:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if s != nil {
			return s, nil
		}
		e.mu.Lock()
		e.made++
		e.mu.Unlock()
		s, err := newSlot(&e.shared)
		if err == nil {
			return s, nil
		}
		e.mu.Lock()
		e.made--
		others := e.made
		e.mu.Unlock()
		if !driver.IsOutOfMemory(err) || others == 0 {
			e.slots <- nil
			return nil, err
		}
	}
}

// finished adds a slot's statistics and observations to the engine's.
func (e *Engine) finished(s *slot) {
	e.estimate.learn(&s.pass.seen)
	e.mu.Lock()
	e.stats.add(s.chunk.stats)
	e.mu.Unlock()
}

// Stats returns the statistics of all chunks so far.
func (e *Engine) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats.clone()
}

// Close frees the engine's memory on the device. No other call may be in progress.
func (e *Engine) Close() error {
	var errs []error
	for {
		select {
		case s := <-e.slots:
			if s != nil {
				errs = append(errs, s.close())
			}
			continue
		default:
		}
		break
	}
	if e.module != nil {
		errs = append(errs, e.module.Close())
		e.module = nil
	}
	errs = append(errs, e.dev.Close())
	return errors.Join(errs...)
}
