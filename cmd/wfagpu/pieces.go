package main

import (
	"context"
	"runtime"
	"sync/atomic"

	"wfagpu/align"
)

// The text of a buffer is made in pieces, just before they are written: they stay in the
// processors' caches until the system has copied them, and memory has few of them, whatever waits
// to be written. Formats such as SAM have more text than a batch has bytes.

const (
	// pieceBytes is the size of a piece, about. Pairs are never split.
	pieceBytes = 256 << 10
	// mostFormatters goroutines make text faster than one goroutine writes it.
	mostFormatters = 8
)

// piece is a run of pairs of a buffer, and their text.
type piece struct {
	s        *buffer
	from, to int // pairs
	last     bool
	view     align.Batch // of these pairs
	text     []byte
	err      error         // a pair that the format cannot hold; text has those before it
	done     chan struct{} // receives once when text is made
}

// pieceRing has the pieces, which circulate as buffers do:
//
//	order -> cut -> todo -> several format -> write
//	          ^                                |
//	          +------------- spare ------------+
type pieceRing struct {
	spare, todo, order chan *piece
	formatters         int
	// rate is the text of 256 bases in the last piece, in bytes.
	rate atomic.Int64
}

func newPieceRing() *pieceRing {
	n := min(runtime.GOMAXPROCS(0), mostFormatters)
	r := &pieceRing{formatters: n}
	n *= 2 // one of each is written or waits for it
	r.spare, r.todo, r.order = make(chan *piece, n), make(chan *piece, n), make(chan *piece, n)
	for range n {
		r.spare <- &piece{done: make(chan struct{}, 1)}
	}
	r.rate.Store(256)
	return r
}

// cut cuts the buffers into pieces, up to one that ends the run.
func (r *pieceRing) cut(ctx context.Context, buffers <-chan *buffer) {
	defer close(r.todo)
	defer close(r.order)
	for {
		s, err := next(ctx, buffers)
		if err != nil {
			return
		}
		ends := s.err != nil || s.readErr != nil // s is not cut's any more once its last piece is on its way
		for from, last := 0, false; !last; {
			var t *piece
			select {
			case t = <-r.spare:
			case <-ctx.Done():
				return
			}
			to := from + r.pairs(s, from)
			last = to == len(s.batch.Pairs)
			t.s, t.from, t.to, t.last, t.text, t.err = s, from, to, last, t.text[:0], nil
			from = to
			r.todo <- t // these have room for all pieces
			r.order <- t
		}
		if ends {
			return
		}
	}
}

// pairs is how many pairs the next piece of a buffer has.
func (r *pieceRing) pairs(s *buffer, from int) int {
	all := len(s.batch.Pairs)
	if s.err != nil {
		return all - from // no text is made
	}
	text := int64(s.bases)*r.rate.Load()/256 + 1
	n := max(int64(all)*pieceBytes/text, 1)
	if left := int64(all - from); n > left-n/4 {
		return int(left)
	}
	return int(n)
}

// format makes text of pieces.
func (r *pieceRing) format(ctx context.Context, format func(dst []byte, b *align.Batch, leave []bool) ([]byte, error)) {
	for {
		select {
		case t, ok := <-r.todo:
			if !ok {
				return
			}
			if t.s.err == nil && t.from < t.to {
				t.format(format)
				if bases := int64(t.s.bases) * int64(t.to-t.from) / int64(len(t.s.batch.Pairs)); bases > 0 {
					r.rate.Store(int64(len(t.text)) * 256 / bases)
				}
			}
			t.done <- struct{}{}
		case <-ctx.Done():
			return
		}
	}
}

func (t *piece) format(format func(dst []byte, b *align.Batch, leave []bool) ([]byte, error)) {
	b := &t.s.batch
	t.view = align.Batch{Pairs: b.Pairs[t.from:t.to], Results: b.Results[t.from:t.to], First: b.First + int64(t.from)}
	if len(b.Origins) > 0 {
		t.view.Origins = b.Origins[t.from:t.to]
	}
	var leave []bool
	if len(t.s.leave) > 0 {
		leave = t.s.leave[t.from:t.to]
	}
	if cap(t.text) == 0 {
		t.text = make([]byte, 0, pieceBytes+pieceBytes/4)
	}
	t.text, t.err = format(t.text, &t.view, leave)
}

// next waits for the piece that is to be written next, and for its text.
func (r *pieceRing) next(ctx context.Context) (*piece, error) {
	select {
	case t, ok := <-r.order:
		if !ok {
			return nil, ctx.Err() // cut stops without a last buffer only then
		}
		select {
		case <-t.done:
			return t, nil
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	return nil, ctx.Err()
}

// put takes a piece back that has been written. It keeps storage of an ordinary size.
func (r *pieceRing) put(t *piece) {
	t.s, t.view = nil, align.Batch{}
	if cap(t.text) > 4*pieceBytes {
		t.text = nil
	}
	r.spare <- t
}
