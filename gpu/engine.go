package gpu

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/ended"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// maxStagers is the largest number of loads of batches that are staged at a time, and maxInner that of loads that batches
// wait for. More would keep the host busier than they help.
const maxStagers, maxInner = 16, 4

// Engine aligns batches on one GPU. It is safe for concurrent use; pairs of concurrent
// calls share launches.
type Engine struct {
	dev      *driver.Device
	module   *driver.Module
	policy   passes.Policy
	config   kernel.Config
	estimate estimate.Estimator

	// sequences is the memory of loads. It is apart, so that loads that wait and launches that run
	// cannot wait for each other in a circle.
	sequences memory.Shared
	staging   memory.Pinned // for the sequences of loads
	transfers transfers
	frames    memory.Pinned // for launches
	// frame makes sure that launches have a buffer before loads may take all that there is.
	frame     func() error
	scheduler *scheduler
	assembler assembler
	inside    *insider // nil for models of which no pair has gates
	middle    *Engine  // of the insider, or nil
	lent      bool     // the device and the module are another engine's

	// stagers holds the idle stagers of batches, and inner those of the calls that batches wait for, which would
	// wait behind other batches else. nil is one that is not made yet.
	stagers, inner chan *stager
	mu             sync.Mutex
	runners        []*runner // idle ones
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
	e.sequences.Retry()
	c := &call{batch: b, fallback: fallback, ended: new(atomic.Bool), done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	defer c.cancel(nil)
	c.loads.Store(1)
	stop := context.AfterFunc(c.ctx, func() {
		c.ended.Store(true)
		e.scheduler.drop()
	})
	defer stop()
	if e.inside != nil {
		e.inside.begin(c)
	}
	e.stageAll(c)
	c.release()
	<-c.done
	return ended.Cause(ctx, c.ctx)
}

// stageAll stages all pairs of a call, in as many goroutines as there are loads and
// stagers.
func (e *Engine) stageAll(c *call) {
	r := &ranges{pairs: c.batch.Pairs}
	var wg sync.WaitGroup
	var work func()
	started := 0 // goroutines beside this one; whoever takes a range starts one
	work = func() {
		for c.ctx.Err() == nil {
			from, to, words := r.take(func() {
				if started++; started < maxStagers {
					wg.Go(work)
				}
			})
			if from == to {
				return
			}
			if err := e.stage(c, from, to, words); err != nil {
				c.fail(err)
				return
			}
		}
	}
	work()
	wg.Wait()
}

// stage makes loads of the pairs [from, to) of a call's batch, whose packed sequences take
// at most some words.
func (e *Engine) stage(c *call, from, to, words int) error {
	if err := e.frame(); err != nil {
		return err
	}
	s, give, err := e.stager(c)
	if err != nil {
		return err
	}
	defer give()
	for from < to {
		pinned, err := e.staging.Take(c.ctx, 4*(words+pack.Tail), func() int {
			return 4 * (longestPair(c.batch.Pairs[from:to]) + pack.Tail)
		})
		if err != nil {
			return err
		}
		if from, err = e.stageLoad(c, s, pinned, from, to); err != nil {
			return err
		}
	}
	return nil
}

// longestPair returns the largest number of words that a pair of a load takes.
func longestPair(pairs []align.Pair) (words int) {
	for i := range pairs {
		if n := pack.Words(len(pairs[i].Pattern)) + pack.Words(len(pairs[i].Text)); n <= loadWords {
			words = max(words, n)
		}
	}
	return words
}

// stageLoad makes a load of the pairs [from, to), or of as many as fit into pinned memory, which it
// gives back, and queues its tasks. It returns the end of the load.
func (e *Engine) stageLoad(c *call, s *stager, pinned []byte, from, to int) (end int, err error) {
	s.rates, s.maxBounds = e.estimate.Rates(), *e.scheduler.maxBounds.Load()
	end = s.stage(c, view[uint32](pinned, len(pinned)/4), from, to)
	e.scheduler.totals.add(&s.stats)
	if len(s.fallback) > 0 {
		c.fallback(s.fallback)
	}
	e.assembler.assemble(c, s.pieces())
	var at memory.Span
	if len(s.todo) > 0 {
		at, err = e.sequences.Take(c.ctx, 4*s.words+sequenceTail, e.scheduler.waiting)
	}
	if len(s.todo) == 0 || err != nil {
		e.staging.Give(pinned)
		return end, err
	}
	x := &transfer{pinned: pinned, bytes: 4 * s.words, rates: s.rates}
	x.load, x.groups = s.load(c, at)
	if !c.outermost() {
		x.rates = nil // as later passes: scores of pieces tell nothing about others
	}
	c.loads.Add(1)
	e.transfers.begin(x)
	return end, nil
}

// release takes back what a load holds when its tasks are finished.
func (e *Engine) release(l *load) {
	e.sequences.Give(l.sequences)
	giveTasks(l.tasks)
	l.tasks = nil
	l.call.release()
}

// stager waits for an idle stager for a load of a call, and makes it if necessary. give gives it back.
func (e *Engine) stager(c *call) (s *stager, give func(), err error) {
	idle := e.stagers
	if !c.outermost() {
		idle = e.inner
	}
	select {
	case s = <-idle:
	case <-c.ctx.Done():
		return nil, nil, context.Cause(c.ctx)
	}
	if s == nil {
		s = &stager{policy: &e.policy, cutters: &e.assembler.cutters}
	}
	return s, func() { idle <- s }, nil
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
	for _, r := range e.runners {
		errs = append(errs, r.close())
	}
	e.runners = nil
	errs = append(errs, e.transfers.close(), e.staging.Close(), e.frames.Close(), e.sequences.Close())
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
