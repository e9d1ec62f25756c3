package seqio

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"wfagpu/align"
)

// namePairs pairs queries with the targets of their names, in the order of the queries. The
// targets' names are in a table in memory, and the targets are read from their files.
type namePairs struct {
	query   *ahead
	table   *recordTable
	used    []uint64 // a bit for each target
	limits  Limits
	names   NameCheck
	note    func(error)
	next    align.Pair
	values  []byte // qualities of its query, nil if it has none
	waiting bool
	queries int64      // read
	start   recordLine // of the last one
	missing int64      // of them, those without a target
	first   *ParseError
	scratch []int64
	text    []byte
	joined  []byte
	copies  []*pipeCopy
	stop    chan struct{}
	running sync.WaitGroup
}

// startByName reads the names of the targets.
func (r *Reader) startByName(queries, targets []*source) error {
	p := &namePairs{
		table: newRecordTable(), limits: r.limits, names: r.in.Names, note: r.note,
		stop: make(chan struct{}),
	}
	r.pairs = p
	if err := p.addTargets(queries, targets); err != nil {
		return err
	}
	p.used = make([]uint64, len(p.table.starts)/64+1)
	p.query = startAhead(queries, nil, r.in.kept(), p.stop, &p.running)
	if r.onDisk() {
		return <-p.query.opened
	}
	return nil
}

// addTargets reads the targets. One program may write queries and targets to two pipes in
// step: pipes of queries are read at the same time, into temporary files.
func (p *namePairs) addTargets(queries, targets []*source) error {
	piped := func(src *source) bool { return src.disk == nil }
	if slices.ContainsFunc(targets, piped) {
		for _, src := range queries {
			if piped(src) {
				p.copies = append(p.copies, copyPipe(src))
			}
		}
	}
	for _, src := range targets {
		if err := p.addTarget(src); err != nil {
			return err
		}
	}
	for _, c := range p.copies {
		if err := c.finish(); err != nil {
			return err
		}
	}
	return nil
}

func (p *namePairs) addTarget(src *source) error {
	if src.disk != nil {
		return p.table.addSource(src)
	}
	if err := src.start(); err != nil {
		return err
	}
	return p.table.addCopy(src)
}

func (p *namePairs) halt() { close(p.stop) }

func (p *namePairs) wait() {
	p.running.Wait()
	p.table.close()
	for _, c := range p.copies {
		if c.file != nil {
			c.file.Close()
		}
	}
}

func (p *namePairs) fill(b *align.Batch) error {
	for bases := 0; ; {
		if !p.waiting {
			if err := p.read(); err != nil {
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

// read fills next with the next query that has a target.
func (p *namePairs) read() error {
	for {
		var name, letters []byte
		err := p.query.peek(&name, &letters, &p.values)
		if err == io.EOF {
			return p.end()
		}
		if err != nil {
			return err
		}
		p.queries++
		p.start = recordLine{p.query.number(), p.query.line()}
		p.query.drop()
		i, err := p.table.find(name, &p.scratch)
		if err == errNoName {
			if err := p.lacks(name); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return p.fault(fmt.Errorf("the target %.80q: %w", name, err))
		}
		var target record
		if target, p.text, p.joined, err = p.table.read(i, p.text, p.joined); err != nil {
			return p.fault(err)
		}
		if string(target.name) != string(name) && string(target.name) != string(plainName(name)) {
			if err := p.lacks(name); err != nil {
				return err
			}
			continue
		}
		word, bit := i/64, uint64(1)<<(i%64)
		if p.used[word]&bit != 0 {
			return p.fault(fmt.Errorf("the name %.80q: its target, %s, is that of an earlier query", name, p.table.place(i)))
		}
		p.used[word] |= bit
		p.next = align.Pair{PatternName: name, Pattern: letters, TextName: target.name, Text: target.letters}
		return nil
	}
}

func (p *namePairs) fault(err error) *ParseError {
	return &ParseError{p.query.src.name, p.start.line, p.start.record, err}
}

// lacks is called for a query without a target.
func (p *namePairs) lacks(name []byte) error {
	err := p.fault(fmt.Errorf("there is no target of the name %.80q", name))
	if p.names == NamesEqual {
		return err
	}
	p.missing++
	if p.first == nil {
		p.first = err
	}
	return nil
}

// end looks for records without a counterpart.
func (p *namePairs) end() error {
	unused, first := p.unused()
	if p.names == NamesIgnored {
		return io.EOF
	}
	if p.missing > 0 {
		p.note(fmt.Errorf("%d of %s without a target: the first is %w", p.missing, count(p.queries, "query"), p.first))
	}
	if unused == 0 {
		return io.EOF
	}
	target, text, storage, err := p.table.read(first, p.text, p.joined)
	p.text, p.joined = text, storage
	if err != nil {
		return err
	}
	err = fmt.Errorf("%d of %s without a query: the first is %.80q, %s", unused, count(int64(len(p.table.starts)), "target"), target.name, p.table.place(first))
	if p.names == NamesEqual {
		return err
	}
	p.note(err)
	return io.EOF
}

// unused counts the targets that no query has, and returns the first one.
func (p *namePairs) unused() (n, first int64) {
	first = -1
	for i := range int64(len(p.table.starts)) {
		if p.used[i/64]>>(i%64)&1 == 0 {
			if n++; first < 0 {
				first = i
			}
		}
	}
	return n, first
}
