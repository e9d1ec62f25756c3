package seqio

import (
	"errors"
	"io"
	"slices"
	"sync"

	"wfagpu/align"
)

// fastxPairs reads query and target files in step, or queries and targets of the same
// files in turn.
type fastxPairs struct {
	query, target *ahead // the same if in turn
	first         turn
	live          bool // a file is a pipe
	limits        Limits
	look          look
	next          align.Pair // points into the files' blocks
	values        []byte     // qualities of next's query; nil if it has none
	waiting       bool       // next did not fit into the last batch
	pairs         int64
	missing       int64 // records that the target file lacks before the shard
	stop          chan struct{}
	running       sync.WaitGroup
}

// turn is a query whose target is the next record of its file: a copy.
type turn struct {
	text   []byte
	name   int // bytes of text
	values []byte
	line   int64
}

// newFastxPairs starts reading; without targets, queries and targets come in turn.
func newFastxPairs(query, target []*source, limits Limits, in Inputs) *fastxPairs {
	p := &fastxPairs{limits: limits, look: look{names: in.Names, note: in.Note}, stop: make(chan struct{})}
	queryCut, targetCut := cutRecords(in.Shard)
	p.query = startAhead(query, queryCut, in.Qualities, p.stop, &p.running)
	p.target = p.query
	if len(target) > 0 {
		p.target = startAhead(target, targetCut, false, p.stop, &p.running)
	}
	for _, src := range slices.Concat(query, target) {
		p.live = p.live || src.pipe != nil
	}
	return p
}

// opened waits until both files have shown their first record. A fault in the
// query file counts before one in the target file.
func (p *fastxPairs) opened() error {
	if err := <-p.query.opened; err != nil {
		return err
	}
	if p.inTurn() {
		return nil
	}
	if err := <-p.target.opened; err != nil {
		return err
	}
	p.pairs = p.query.before
	p.missing = p.pairs - p.target.before
	p.look.query.before, p.look.target.before = p.pairs, p.pairs
	return nil
}

func (p *fastxPairs) inTurn() bool { return p.query == p.target }

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
		copyPair(b, p.next, p.values)
		bases += size
		p.waiting = false
	}
}

// pauses reports whether the next pair has to wait for a pipe.
func (p *fastxPairs) pauses() bool {
	if !p.live {
		return false
	}
	return !p.query.ready(pause) || !p.target.ready(pause)
}

// read fills next. A fault in the query file counts before one in the target
// file, and either before uneven lengths.
func (p *fastxPairs) read() error {
	if p.inTurn() {
		return p.readInTurn()
	}
	var qErr, tErr error
	p.next.PatternName, p.next.Pattern, qErr = p.query.next()
	p.values = p.query.values
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

// readInTurn fills next with two records of the same file.
func (p *fastxPairs) readInTurn() error {
	name, letters, err := p.query.next()
	if err != nil {
		return err
	}
	// The next call may overwrite them.
	f := &p.first
	f.text = append(append(f.text[:0], name...), letters...)
	f.name, f.line = len(name), p.query.line
	if p.values = nil; p.query.values != nil {
		f.values = append(f.values[:0], p.query.values...)
		p.values = f.values
	}
	src := p.query.src
	p.next.PatternName, p.next.Pattern = f.text[:f.name:f.name], f.text[f.name:]
	p.next.TextName, p.next.Text, err = p.query.next()
	if err == io.EOF {
		return &ParseError{src.name, f.line, 2*p.pairs + 1, errors.New("the input ends after a query: its target is missing")}
	}
	if err == nil {
		p.pairs++
	}
	return err
}

func (p *fastxPairs) uneven(short, long *ahead) error {
	return &UnevenError{
		ShortFile: short.src.name, LongFile: long.src.name,
		Pairs: p.pairs - p.missing, LongRecord: p.pairs + 1, LongLine: long.line,
	}
}

// copyPair appends a copy of the pair to the batch: its bytes, in the order of
// layout, to Buf. When Buf has to move, the pairs before are cut anew from it. values are
// the qualities of the query, nil if it has none. All pairs of a batch get an origin, or none if none has qualities.
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
			if i < len(b.Origins) && b.Origins[i].Qualities != nil {
				rest = cut(&b.Origins[i].Qualities, rest)
			}
		}
	}
	rest := layout(&p, b.Buf[start:])
	b.Pairs = append(b.Pairs, p)
	if values == nil && len(b.Origins) == 0 {
		return
	}
	for i := len(b.Origins); i < len(b.Pairs); i++ {
		b.Origins = append(b.Origins, align.WholeOrigin(&b.Pairs[i]))
	}
	if values != nil {
		origin := &b.Origins[len(b.Pairs)-1]
		origin.Qualities = values
		cut(&origin.Qualities, rest)
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
