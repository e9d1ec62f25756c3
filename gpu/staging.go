package gpu

import (
	"context"
	"errors"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/pack"
	"wfagpu/gpu/internal/passes"
)

// maxStagers is the largest number of loads of batches that are staged at a time, and maxInner that of loads that batches
// wait for. More would keep the host busier than they help.
const maxStagers, maxInner = 16, 4

// staging makes loads of the pairs of calls: stagers pack them, and they are copied to the device. It is
// safe for concurrent use.
type staging struct {
	policy    *passes.Policy
	estimate  *estimate.Estimator
	scheduler *scheduler
	assembler *assembler
	// ready makes sure that launches have a buffer before loads may take all that there is.
	ready func() error

	// memory is that of loads on the device. It is apart, so that loads that wait and launches that run
	// cannot wait for each other in a circle.
	memory    memory.Shared
	pinned    memory.Pinned // for the sequences of loads
	transfers transfers
	// idle holds the idle stagers of batches, and inner those of the calls that batches wait for, which would
	// wait behind other batches else. nil is one that is not made yet.
	idle, inner chan *stager
}

// use makes the memory of loads that of an arena of a device.
func (g *staging) use(dev *driver.Device, loads memory.Arena) {
	g.memory.Use(loads)
	g.pinned.Device = dev
	g.transfers = newTransfers(dev, &g.pinned, g.scheduler.add)
	g.idle, g.inner = make(chan *stager, maxStagers), make(chan *stager, maxInner)
	for range maxStagers {
		g.idle <- nil
	}
	for range maxInner {
		g.inner <- nil
	}
}

// all stages all pairs of a call, in as many goroutines as there are loads and
// stagers.
func (g *staging) all(c *call) {
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
			if err := g.stage(c, from, to, words); err != nil {
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
func (g *staging) stage(c *call, from, to, words int) error {
	if err := g.ready(); err != nil {
		return err
	}
	s, give, err := g.take(c)
	if err != nil {
		return err
	}
	defer give()
	for from < to {
		pinned, err := g.pinned.Take(c.ctx, 4*(words+pack.Tail), func() int {
			return 4 * (longestPair(c.batch.Pairs[from:to]) + pack.Tail)
		})
		if err != nil {
			return err
		}
		if from, err = g.load(c, s, pinned, from, to); err != nil {
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

// load makes a load of the pairs [from, to), or of as many as fit into pinned memory, which it
// gives back, and queues its tasks. It returns the end of the load.
func (g *staging) load(c *call, s *stager, pinned []byte, from, to int) (end int, err error) {
	s.rates, s.maxBounds = g.estimate.Rates(), *g.scheduler.maxBounds.Load()
	end = s.stage(c, view[uint32](pinned, len(pinned)/4), from, to)
	g.scheduler.totals.add(&s.stats)
	if len(s.fallback) > 0 {
		c.fallback(s.fallback)
	}
	g.assembler.assemble(c, s.pieces())
	var at memory.Span
	if len(s.todo) > 0 {
		at, err = g.memory.Take(c.ctx, 4*s.words+sequenceTail, g.scheduler.waiting)
	}
	if len(s.todo) == 0 || err != nil {
		g.pinned.Give(pinned)
		return end, err
	}
	x := &transfer{pinned: pinned, bytes: 4 * s.words, rates: s.rates}
	x.load, x.groups = s.load(c, at)
	if !c.outermost() {
		x.rates = nil // as later passes: scores of pieces tell nothing about others
	}
	c.loads.Add(1)
	g.transfers.begin(x)
	return end, nil
}

// release takes back what a load holds when its tasks are finished.
func (g *staging) release(l *load) {
	g.memory.Give(l.sequences)
	giveTasks(l.tasks)
	l.tasks = nil
	l.call.release()
}

// take waits for an idle stager for a load of a call, and makes it if necessary. give gives it back.
func (g *staging) take(c *call) (s *stager, give func(), err error) {
	idle := g.idle
	if !c.outermost() {
		idle = g.inner
	}
	select {
	case s = <-idle:
	case <-c.ctx.Done():
		return nil, nil, context.Cause(c.ctx)
	}
	if s == nil {
		s = &stager{policy: g.policy, cutters: &g.assembler.cutters}
	}
	return s, func() { idle <- s }, nil
}

// close gives all memory back. No load may be left.
func (g *staging) close() error {
	return errors.Join(g.transfers.close(), g.pinned.Close(), g.memory.Close())
}
