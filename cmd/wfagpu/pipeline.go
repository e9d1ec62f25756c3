package main

import (
	"context"
	"io"
	"sync"

	"wfagpu/align"
	"wfagpu/cmd/wfagpu/internal/tally"
	"wfagpu/gpu/hybrid"
	seqio "wfagpu/io"
)

// aligner fills b.Results[i] for every b.Pairs[i]. Calls may run concurrently,
// each on its own batch. A pair that cannot be aligned carries its own
// Result.Err; a returned error means that the engine is broken or ctx was
// cancelled.
type aligner interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}

var (
	_ aligner = (*align.Engine)(nil)
	_ aligner = (*hybrid.Engine)(nil)
)

// source yields the input in batches. ReadBatch returns io.EOF with an empty
// batch at the end; on a bad record it returns the error and leaves the good
// pairs before it in b.
type source interface {
	ReadBatch(b *align.Batch) error
	Close() error
}

// pipeline reads, aligns and writes at the same time:
//
//	source -> read -> work -> several process -> pieces of text -> write -> dst
//	           ^                                                     |
//	           +------------------------- free ----------------------+
//
// Its buffers, each a batch with its results, circulate, so that the steady
// state allocates nothing. So do the pieces (pieces.go). Their number is bounded by their storage (storage.go).
// The queue called order holds the buffers in the order of the input; write waits
// for each in turn, so that output order is input order.
type pipeline struct {
	src    source
	engine aligner
	// inspect appends the results that failed or are wrong to dst. Like format
	// it is called concurrently, on different batches; format has parts of them. After an error
	// of format, the text that it returned is written.
	inspect inspectFunc
	format  func(dst []byte, b *align.Batch, leave []bool) ([]byte, error)
	filter  resultFilter
	dst     io.Writer
	// wrote is called after each batch, and problem for each result that
	// failed, both in the order of the input and never concurrently.
	wrote   func(totals)
	problem func(pairProblem)
	// cutoff is that of the engine: with one, results may be Beyond.
	cutoff int
	// traced says that results have alignments.
	traced bool

	// memory bounds the storage of all buffers, in bytes. One batch may exceed
	// it: a pair is never split.
	memory int64
	// expected is the storage of a buffer until one has been measured.
	expected int64
	// inFlight is the number of batches that keep the engine busy, 0 for as many
	// as memory allows; nil is that, too. It may change from call to call.
	inFlight func() int
	// opened, unless it is nil, is closed when the engine's devices are open. Until then the storage of
	// buffers in flight is at most early bytes, beside one of any size.
	opened <-chan struct{}
	early  int64
	// keepBytes is the most storage a buffer keeps for its next batch.
	keepBytes int
	// tally counts the pairs that have been aligned, if it is not nil, those left out, too.
	tally *tally.Pairs

	flow flow
}

type inspectFunc func(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error)

// run reads, aligns and writes the whole input and closes the source. The error is
// the first in the order of the input; all results before it have been written. When
// run returns, no engine call is in progress.
//
// One goroutine may outlive it: a read that blocks on a pipe cannot be
// cancelled. The goroutine ends, and closes the source, as soon as that read
// does.
func (p *pipeline) run(parent context.Context) (totals, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	// Every channel has room for every buffer, so that no send ever blocks.
	free := make(chan *buffer, maxBuffers)
	work := make(chan *buffer, maxBuffers)
	order := make(chan *buffer, maxBuffers)
	workers := &workerPool{}
	ended := make(chan struct{}) // nobody needs buffers any more
	go p.read(ctx, func() { workers.add(func() { p.processAll(ctx, work) }) }, free, work, order, ended)
	for range givers {
		workers.add(func() { giveBack(ctx, ended, free) })
	}
	ring := newPieceRing()
	workers.add(func() { ring.cut(ctx, order) })
	for range ring.formatters {
		workers.add(func() { ring.format(ctx, p.format) })
	}
	sum, err := p.write(ctx, ring, free)
	cancel()
	workers.wait()
	if err == nil || parent.Err() == nil {
		return sum, err
	}
	return sum, context.Cause(parent)
}

// maxBuffers bounds the number of buffers, however small they are.
const maxBuffers = 4096

// workerPool runs goroutines until wait is called.
type workerPool struct {
	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// add starts another goroutine.
func (w *workerPool) add(work func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.running.Go(work)
	}
}

// wait waits for all goroutines, which have been told to end.
func (w *workerPool) wait() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.running.Wait()
}

// givers is the number of goroutines that give storage back while the last batches are aligned. What is left at
// the end of the process takes it as long, and by one thread.
const givers = 2

// giveBack gives the letters' storage of buffers back after the end of the input.
func giveBack(ctx context.Context, ended <-chan struct{}, free <-chan *buffer) {
	select {
	case <-ended:
	case <-ctx.Done():
		return
	}
	for {
		select {
		case s := <-free:
			seqio.GiveBack(s.batch.Buf)
		case <-ctx.Done():
			return
		}
	}
}

// read fills buffers until the input ends, cleanly or not. made is called for each new one, and ended is closed
// behind the last.
func (p *pipeline) read(ctx context.Context, made func(), free <-chan *buffer, work, order chan<- *buffer, ended chan<- struct{}) {
	defer p.src.Close()
	defer close(ended)
	defer close(work)
	defer close(order)
	stock := &stock{ledger: ledger{most: p.memory, typical: p.expected}, inFlight: p.inFlight, opened: p.opened, early: p.early, full: &p.flow.full}
	for {
		s, err := stock.next(ctx, free, made)
		if err != nil {
			return
		}
		s.reset(p.keepBytes)
		p.flow.reading.time(func() { s.readErr = p.src.ReadBatch(&s.batch) })
		if ctx.Err() != nil {
			return
		}
		s.bases = s.batch.Bases()
		stock.begin(s)
		work <- s
		order <- s
		if s.readErr != nil {
			return
		}
	}
}

func (p *pipeline) processAll(ctx context.Context, work <-chan *buffer) {
	for {
		select {
		case s, ok := <-work:
			if !ok {
				return
			}
			s.err = p.process(ctx, s)
			s.done <- struct{}{}
		case <-ctx.Done():
			return
		}
	}
}

// process takes a buffer from sequences to results.
func (p *pipeline) process(ctx context.Context, s *buffer) error {
	b := &s.batch
	if len(b.Pairs) == 0 {
		return nil
	}
	err := p.engine.AlignBatch(ctx, b)
	if err != nil {
		return err
	}
	s.problems, err = p.inspect(ctx, b, s.problems)
	if err != nil {
		return err
	}
	if !p.filter.none() {
		s.leave, s.filtered = p.filter.mark(s.leave, b)
	}
	if p.cutoff > 0 || p.traced {
		s.countUnaligned(p.traced)
	}
	if p.tally != nil {
		s.count()
	}
	s.measure()
	return nil
}
