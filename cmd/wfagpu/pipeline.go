package main

import (
	"context"
	"io"
	"sync"

	"wfagpu/align"
	"wfagpu/gpu/hybrid"
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
//	source -> read -> work -> several process -> write -> dst
//	           ^                                   |
//	           +------------- free ----------------+
//
// Its buffers, each a batch and the text made of it, circulate, so that memory
// is bounded and the steady state allocates nothing. The queue called order
// holds the buffers in the order of the input; write waits for each in turn, so
// that output order is input order.
type pipeline struct {
	src    source
	engine aligner
	// inspect appends the results that failed or are wrong to dst. Like format
	// it is called concurrently, on different batches.
	inspect inspectFunc
	format  func(dst []byte, b *align.Batch) []byte
	dst     io.Writer
	// wrote is called after each batch, and problem for each result that
	// failed, both in the order of the input and never concurrently.
	wrote   func(totals)
	problem func(pairProblem)

	buffers int
	// buffersNow is the number of them that may be in use, with their share of
	// the bases; nil for all. It may grow from call to call.
	buffersNow func() int
	// basesInFlight bounds the bases in all buffers together. One batch may
	// exceed it: a pair is never split.
	basesInFlight int
	// keepBytes is the most storage a buffer keeps for its next batch.
	keepBytes int
}

type inspectFunc func(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error)

// totals counts what has been written.
type totals struct {
	pairs, bases       int64
	failed, mismatched int64
}

// pairProblem is one pair's failure. Record counts from 1.
type pairProblem struct {
	record int64
	err    error
	// mismatch reports that the pair has a result and that it is wrong.
	mismatch bool
}

// buffer is one batch on its way through the pipeline.
type buffer struct {
	batch    align.Batch
	bases    int
	text     []byte
	problems []pairProblem
	readErr  error         // ended the input after this batch
	err      error         // from the engine
	done     chan struct{} // receives once when process is through
}

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
	free := make(chan *buffer, p.buffers)
	work := make(chan *buffer, p.buffers)
	order := make(chan *buffer, p.buffers)
	go p.read(ctx, free, work, order)
	var workers sync.WaitGroup
	for range p.buffers {
		workers.Go(func() { p.processAll(ctx, work) })
	}
	sum, err := p.write(ctx, order, free)
	cancel()
	workers.Wait()
	if err == nil || parent.Err() == nil {
		return sum, err
	}
	return sum, context.Cause(parent)
}

// read fills buffers until the input ends, cleanly or not.
func (p *pipeline) read(ctx context.Context, free <-chan *buffer, work, order chan<- *buffer) {
	defer p.src.Close()
	defer close(work)
	defer close(order)
	idle := make([]*buffer, p.buffers)
	for i := range idle {
		idle[i] = &buffer{done: make(chan struct{}, 1)}
	}
	inFlight, basesInFlight := 0, 0
	for {
		for len(idle) == 0 || p.full(inFlight, basesInFlight) {
			select {
			case s := <-free:
				inFlight--
				basesInFlight -= s.bases
				idle = append(idle, s)
			case <-ctx.Done():
				return
			}
		}
		s := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		s.reset(p.keepBytes)
		s.readErr = p.src.ReadBatch(&s.batch)
		if ctx.Err() != nil {
			return
		}
		s.bases = s.batch.Bases()
		inFlight++
		basesInFlight += s.bases
		work <- s
		order <- s
		if s.readErr != nil {
			return
		}
	}
}

// full reports whether no more is to be read for now.
func (p *pipeline) full(buffers, bases int) bool {
	most := p.buffers
	if p.buffersNow != nil {
		most = p.buffersNow()
	}
	return buffers >= most || buffers > 0 && bases >= p.basesInFlight/p.buffers*most
}

// reset empties the buffer and keeps its storage, unless a giant pair has made
// it much larger than batches usually are.
func (s *buffer) reset(keepBytes int) {
	if cap(s.batch.Buf) > keepBytes {
		s.batch = align.Batch{}
	}
	if cap(s.text) > keepBytes {
		s.text = nil
	}
	s.batch.Reset()
	s.text, s.problems = s.text[:0], s.problems[:0]
	s.bases, s.readErr, s.err = 0, nil, nil
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

// process takes a buffer from sequences to text.
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
	s.text = p.format(s.text, b)
	return nil
}

// write writes the text of the buffers in the order of the input.
func (p *pipeline) write(ctx context.Context, order <-chan *buffer, free chan<- *buffer) (totals, error) {
	var sum totals
	for {
		s, err := next(ctx, order)
		if err != nil {
			return sum, err
		}
		if s.err != nil {
			return sum, s.err
		}
		if len(s.text) > 0 {
			if _, err := p.dst.Write(s.text); err != nil {
				return sum, err
			}
		}
		for _, problem := range s.problems {
			sum.add(problem)
			p.problem(problem)
		}
		sum.pairs += int64(len(s.batch.Pairs))
		sum.bases += int64(s.bases)
		p.wrote(sum)
		if s.readErr == io.EOF {
			return sum, nil
		}
		if s.readErr != nil {
			return sum, &inputError{s.readErr}
		}
		free <- s
	}
}

// next waits for the buffer that is to be written next, and for its text.
func next(ctx context.Context, order <-chan *buffer) (*buffer, error) {
	select {
	case s, ok := <-order:
		if !ok {
			return nil, ctx.Err() // read stops without a last buffer only then
		}
		select {
		case <-s.done:
			return s, nil
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return nil, ctx.Err()
}

func (t *totals) add(p pairProblem) {
	if p.mismatch {
		t.mismatched++
	} else {
		t.failed++
	}
}
