package main

import (
	"context"
	"errors"
	"io"

	seqio "wfagpu/io"
)

// totals counts what has been written.
type totals struct {
	pairs, bases       int64
	failed, mismatched int64
	beyond             int64 // pairs beyond the cutoff
	empty              int64 // pairs whose alignment has no columns
	filtered           int64 // pairs that the filter left out
}

// pairProblem is one pair's failure. Record counts from 1.
type pairProblem struct {
	record int64
	err    error
	// mismatch reports that the pair has a result and that it is wrong.
	mismatch bool
}

// write writes the pieces in the order of the input, and counts the pairs that have been written, also of a batch of which
// the others are not.
func (p *pipeline) write(ctx context.Context, ring *pieceRing, free chan<- *buffer) (sum totals, err error) {
	var begun *buffer
	pairs := 0 // of it that have been written
	defer func() {
		if begun != nil {
			p.count(&sum, begun.first(pairs))
		}
	}()
	for {
		t, err := ring.next(ctx)
		if err != nil {
			return sum, err
		}
		s := t.s
		if s.err != nil {
			return sum, s.err
		}
		if len(t.text) > 0 {
			var err error
			p.flow.writing.time(func() { _, err = p.dst.Write(t.text) })
			if err != nil {
				return sum, err
			}
		}
		formatErr, last, to := t.err, t.last, t.to
		ring.put(t)
		if formatErr == nil && !last {
			begun, pairs = s, to
			continue
		}
		begun = nil
		if err := p.wroteBatch(&sum, s, formatErr); err != nil {
			return sum, err
		}
		if s.readErr == io.EOF {
			return sum, nil
		}
		if s.readErr != nil {
			return sum, &inputError{s.readErr}
		}
		free <- s
	}
}

// wroteBatch counts a batch that has been written, up to a pair that the format cannot hold.
func (p *pipeline) wroteBatch(sum *totals, s *buffer, formatErr error) error {
	if e, ok := errors.AsType[*seqio.RecordError](formatErr); ok {
		s = s.first(int(e.Record - s.batch.First))
	} else if formatErr != nil {
		return formatErr
	}
	p.count(sum, s)
	return formatErr
}

// count counts the pairs of a buffer.
func (p *pipeline) count(sum *totals, s *buffer) {
	for _, problem := range s.problems {
		sum.add(problem)
		p.problem(problem)
	}
	sum.beyond += s.beyond
	sum.empty += s.empty
	if p.tally != nil && s.tally != nil {
		p.tally.Join(s.tally)
	}
	sum.filtered += s.filtered
	sum.pairs += int64(len(s.batch.Pairs))
	sum.bases += int64(s.bases)
	p.wrote(*sum)
}

// next waits for the buffer that is to be written next, and for its results.
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
