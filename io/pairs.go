package seqio

import (
	"io"
	"sync"

	"wfagpu/align"
)

// fastxPairs reads a query and a target file in step.
type fastxPairs struct {
	query, target *ahead
	limits        Limits
	look          look
	next          align.Pair // points into the files' blocks
	waiting       bool       // next did not fit into the last batch
	pairs         int64
	missing       int64 // records that the target file lacks before the shard
	stop          chan struct{}
	running       sync.WaitGroup
}

func newFastxPairs(query, target *source, limits Limits, in Inputs) *fastxPairs {
	p := &fastxPairs{limits: limits, look: look{names: in.Names, note: in.Note}, stop: make(chan struct{})}
	queryCut, targetCut := cutRecords(in.Shard)
	p.query = startAhead(query, queryCut, in.Qualities, p.stop, &p.running)
	p.target = startAhead(target, targetCut, false, p.stop, &p.running)
	return p
}

// opened waits until both files have shown their first record. A fault in the
// query file counts before one in the target file.
func (p *fastxPairs) opened() error {
	if err := <-p.query.opened; err != nil {
		return err
	}
	if err := <-p.target.opened; err != nil {
		return err
	}
	p.pairs = p.query.before
	p.missing = p.pairs - p.target.before
	p.look.query.before, p.look.target.before = p.pairs, p.pairs
	return nil
}

// halt tells the reading goroutines to end, and wait returns when they have.
func (p *fastxPairs) halt() { close(p.stop) }
func (p *fastxPairs) wait() { p.running.Wait() }

func (p *fastxPairs) fill(b *align.Batch) error {
	for bases := 0; ; {
		if !p.waiting {
			if len(b.Pairs) > 0 && p.pauses() {
				return nil
			}
			err := p.read()
			if err == nil {
				err = p.look.pair(p)
			}
			if err != nil {
				p.look.end(p)
				return err
			}
			p.waiting = true
		}
		size := len(p.next.Pattern) + len(p.next.Text)
		if p.limits.full(b, bases, size) {
			return nil
		}
		copyPair(b, p.next, p.query.values)
		bases += size
		p.waiting = false
	}
}

// pauses reports whether the next pair has to wait for a pipe.
func (p *fastxPairs) pauses() bool {
	if p.query.src.pipe == nil && p.target.src.pipe == nil {
		return false
	}
	return !p.query.ready(pause) || !p.target.ready(pause)
}

// read fills next. A fault in the query file counts before one in the target
// file, and either before uneven lengths.
func (p *fastxPairs) read() error {
	var qErr, tErr error
	p.next.PatternName, p.next.Pattern, qErr = p.query.next()
	if qErr != nil && qErr != io.EOF {
		return qErr
	}
	if qErr == io.EOF && p.query.cutOff() {
		return io.EOF
	}
	p.next.TextName, p.next.Text, tErr = p.target.next()
	if tErr != nil && tErr != io.EOF {
		return tErr
	}
	switch {
	case qErr == nil && tErr == nil:
		p.pairs++
		return nil
	case qErr == nil:
		return p.uneven(p.target, p.query)
	case tErr == nil:
		return p.uneven(p.query, p.target)
	}
	return io.EOF
}

func (p *fastxPairs) uneven(short, long *ahead) error {
	return &UnevenError{
		ShortFile: short.src.name, LongFile: long.src.name,
		Pairs: p.pairs - p.missing, LongRecord: p.pairs + 1, LongLine: long.line,
	}
}

// copyPair appends a copy of the pair to the batch: its bytes, in the order of
// layout, to Buf. When Buf has to move, the pairs before are cut anew from it. values are
// the qualities of the query; all pairs of a batch have them, or none has (nil).
func copyPair(b *align.Batch, p align.Pair, values []byte) {
	start := len(b.Buf)
	moved := cap(b.Buf)-start < len(p.PatternName)+len(p.Pattern)+len(p.TextName)+len(p.Text)+len(values)
	b.Buf = append(b.Buf, p.PatternName...)
	b.Buf = append(b.Buf, p.Pattern...)
	b.Buf = append(b.Buf, p.TextName...)
	b.Buf = append(b.Buf, p.Text...)
	b.Buf = append(b.Buf, values...)
	if moved {
		rest := b.Buf
		for i := range b.Pairs {
			rest = layout(&b.Pairs[i], rest)
			if len(b.Origins) > 0 {
				rest = cut(&b.Origins[i].Qualities, rest)
			}
		}
	}
	rest := layout(&p, b.Buf[start:])
	b.Pairs = append(b.Pairs, p)
	if values != nil {
		origin := align.WholeOrigin(&p)
		origin.Qualities = values
		cut(&origin.Qualities, rest)
		b.Origins = append(b.Origins, origin)
	}
}

// layout points a pair's slices, whose lengths stay, at the start of buf, and
// returns what lies behind them.
func layout(p *align.Pair, buf []byte) []byte {
	buf = cut(&p.PatternName, buf)
	buf = cut(&p.Pattern, buf)
	buf = cut(&p.TextName, buf)
	return cut(&p.Text, buf)
}

// cut points a slice, whose length stays, at the start of buf, and returns what lies behind.
func cut(s *[]byte, buf []byte) []byte {
	n := len(*s)
	*s = buf[:n:n]
	return buf[n:]
}
