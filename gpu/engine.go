package gpu

import (
	"context"
	"errors"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/ended"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// Engine aligns batches on one GPU. It is safe for concurrent use; pairs of concurrent
// calls share launches.
type Engine struct {
	dev      *driver.Device
	module   *driver.Module
	policy   passes.Policy
	config   kernel.Config
	estimate estimate.Estimator

	staging   staging
	runners   runners
	scheduler *scheduler
	assembler assembler
	middle    *Engine // of the insider, or nil
	lent      bool    // the device and the module are another engine's
}

// Device describes the GPU.
func (e *Engine) Device() DeviceInfo { return e.dev.Info }

// AlignBatch fills b.Results[i] for every b.Pairs[i]. The result of a pair that
// the GPU cannot align is an error of type FallbackCause; gpu/hybrid aligns such
// pairs on another engine. When ctx is cancelled, AlignBatch waits until the
// device no longer uses the batch and returns ctx.Err(). Any other error means that the
// device has failed. After an error, some results may be those of earlier pairs.
func (e *Engine) AlignBatch(ctx context.Context, b *align.Batch) error {
	return e.AlignBatchFunc(ctx, b, func([]int32) {})
}

// AlignBatchFunc is AlignBatch with a callback: it calls fallback with the indices
// of pairs that the GPU cannot align, as soon as they are known. Their results are
// final; the engine does not touch them again. Calls may be concurrent, and end
// before AlignBatchFunc returns. The slice is valid during the call.
func (e *Engine) AlignBatchFunc(ctx context.Context, b *align.Batch, fallback func(pairs []int32)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.SizeResults()
	e.scheduler.begin()
	e.staging.memory.Retry()
	c := &call{batch: b, fallback: fallback, ended: new(atomic.Bool), done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	defer c.cancel(nil)
	c.loads.Store(1)
	stop := context.AfterFunc(c.ctx, func() {
		c.ended.Store(true)
		e.scheduler.drop()
	})
	defer stop()
	if e.runners.inside != nil {
		e.runners.inside.begin(c)
	}
	e.staging.all(c)
	c.release()
	<-c.done
	return ended.Cause(ctx, c.ctx)
}

// Stats returns the statistics of all calls so far.
func (e *Engine) Stats() Stats {
	s := e.scheduler.statistics()
	if e.middle != nil {
		s.join(e.middle.Stats())
	}
	return s
}

// Close frees the engine's memory on the device. No other call may be in progress.
func (e *Engine) Close() error {
	var errs []error
	if e.middle != nil {
		errs = append(errs, e.middle.Close())
	}
	errs = append(errs, e.runners.close(), e.staging.close())
	if e.scheduler != nil {
		errs = append(errs, e.scheduler.close())
	}
	if e.lent {
		return errors.Join(errs...)
	}
	if e.module != nil {
		errs = append(errs, e.module.Close())
		e.module = nil
	}
	errs = append(errs, e.dev.Close())
	return errors.Join(errs...)
}
