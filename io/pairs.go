package seqio

import (
	"bytes"
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
	live          bool   // a file is a pipe
	limits        Limits
	look          look
	store         blockStore // what the pairs of a batch point to
	next          align.Pair
	values        []byte // qualities of its query; nil if it has none
	// Of queries and targets in turn: next has a query, from a line, whose target may be in another
	// block and another batch.
	held    bool
	start   recordLine
	waiting bool // the next pair did not fit into the last batch
	pairs   int64
	missing int64 // records that the target file lacks before the shard
	stop    chan struct{}
	running sync.WaitGroup
}

// newFastxPairs starts reading; without targets, queries and targets come in turn.
func newFastxPairs(query, target []*source, limits Limits, in Inputs) *fastxPairs {
	p := &fastxPairs{limits: limits, look: look{names: in.Names, note: in.Note}, stop: make(chan struct{})}
	queryCut, targetCut := cutRecords(in.Shard)
	p.query = startAhead(query, queryCut, in.kept(), p.stop, &p.running)
	p.target = p.query
	if len(target) > 0 {
		p.target = startAhead(target, targetCut, noValues, p.stop, &p.running)
	}
	for _, src := range slices.Concat(query, target) {
		p.live = p.live || src.pipe != nil
	}
	p.query.store, p.target.store = &p.store, &p.store
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
	return nil
}

func (p *fastxPairs) inTurn() bool { return p.query == p.target }

// halt tells the reading goroutines to end, and wait returns when they have.
func (p *fastxPairs) halt() { close(p.stop) }
func (p *fastxPairs) wait() { p.running.Wait() }

func (p *fastxPairs) fill(b *align.Batch) error {
	p.store.begin(b)
	err := p.add(b)
	if p.held { // its pair is of the next batch
		p.next.PatternName, p.next.Pattern, p.values = bytes.Clone(p.next.PatternName), bytes.Clone(p.next.Pattern), bytes.Clone(p.values)
	}
	p.query.part()
	p.target.part()
	p.store.end(b)
	return err
}

// add adds pairs to the batch up to its limits.
func (p *fastxPairs) add(b *align.Batch) error {
	for bases := 0; ; {
		if !p.waiting && len(b.Pairs) > 0 && p.pauses() {
			return nil
		}
		err := p.peek()
		if err == nil && !p.waiting {
			p.pairs++
			err = p.look.pair(p)
		}
		if err != nil {
			p.look.end(p)
			return err
		}
		size := len(p.next.Pattern) + len(p.next.Text)
		if p.waiting = p.limits.full(b, bases, size); p.waiting {
			return nil
		}
		appendPair(b, &p.next, p.values)
		bases += size
		p.drop()
	}
}

// pauses reports whether the next pair has to wait for a pipe.
func (p *fastxPairs) pauses() bool {
	if !p.live {
		return false
	}
	return !p.query.ready(pause) || !p.target.ready(pause)
}

// peek sets next and values. A fault in the query file counts before one in the target
// file, and either before uneven lengths.
func (p *fastxPairs) peek() error {
	n := &p.next
	if p.inTurn() {
		return p.peekInTurn()
	}
	qErr := p.query.peek(&n.PatternName, &n.Pattern, &p.values)
	if qErr != nil && (qErr != io.EOF || p.query.cutOff()) {
		return qErr
	}
	tErr := p.target.peek(&n.TextName, &n.Text, nil)
	switch {
	case tErr != nil && tErr != io.EOF:
		return tErr
	case qErr == nil && tErr != nil:
		return p.uneven(p.target, p.query)
	case qErr != nil && tErr == nil:
		return p.uneven(p.query, p.target)
	}
	return qErr
}

// peekInTurn is peek of two records of the same file.
func (p *fastxPairs) peekInTurn() error {
	n := &p.next
	if !p.held {
		if err := p.query.peek(&n.PatternName, &n.Pattern, &p.values); err != nil {
			return err
		}
		p.start, p.held = recordLine{p.query.number(), p.query.line()}, true
		p.query.drop()
	}
	src := p.query.src
	err := p.query.peek(&n.TextName, &n.Text, nil)
	if err == io.EOF {
		err = &ParseError{src.name, p.start.line, p.start.record, errors.New("the input ends after a query: its target is missing")}
	}
	return err
}

// drop goes on behind the pair that peek has returned.
func (p *fastxPairs) drop() {
	if !p.inTurn() {
		p.query.drop()
	}
	p.held = false
	p.target.drop()
}

// lines are those on which the query and the target start that peek has returned.
func (p *fastxPairs) lines() (query, target int64) {
	if p.inTurn() {
		return p.start.line, p.target.line()
	}
	return p.query.line(), p.target.line()
}

func (p *fastxPairs) uneven(short, long *ahead) error {
	return &UnevenError{
		ShortFile: short.src.name, LongFile: long.src.name,
		Pairs: p.pairs - p.missing, ShortRecords: short.handedOut(), LongRecord: long.number(), LongLine: long.line(),
	}
}
