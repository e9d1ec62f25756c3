package seqio

import (
	"hash/maphash"
	"io"
	"runtime"
	"sync"
	"time"
)

// pafReader reads the lines of PAF. One goroutine reads blocks of whole lines, several take
// them apart, and next hands their hits out in the order of the file.
type pafReader struct {
	src *source
	// Of what next has returned last: lines and, of them, records up to it.
	line, record int64
	// unmapped counts the records without a place, at the end.
	unmapped int64
	// primaries has, by hashes of names, the queries of a shard that have a primary hit before it.
	primaries map[uint64]bool
	seed      maphash.Seed

	cur                     *pafBlock
	used                    int   // hits of cur
	linesBefore, recsBefore int64 // cur
	free, todo, order       chan *pafBlock
	stop                    <-chan struct{}
}

// maxPAFParsers goroutines parse faster than the hits' queries can be found.
const maxPAFParsers = 4

func newPAFReader(src *source) *pafReader { return &pafReader{src: src, cur: &pafBlock{}} }

// start starts the goroutines, which wg covers. targets may be nil: hits then have none.
func (p *pafReader) start(targets references, stop <-chan struct{}, wg *sync.WaitGroup) {
	parsers := min(runtime.GOMAXPROCS(0), maxPAFParsers)
	blocks := 2*parsers + 2
	p.stop, p.linesBefore, p.recsBefore = stop, p.line, p.record
	p.free, p.todo, p.order = make(chan *pafBlock, blocks), make(chan *pafBlock, blocks), make(chan *pafBlock, blocks)
	for range blocks {
		p.free <- &pafBlock{done: make(chan struct{}, 1)}
	}
	wg.Go(p.read)
	for range parsers {
		wg.Go(func() {
			for b := range p.todo {
				b.parse(targets)
				b.done <- struct{}{}
			}
		})
	}
}

// read makes blocks up to the end of the file, or an error.
func (p *pafReader) read() {
	defer close(p.todo)
	var rest []byte // of a line
	for {
		var b *pafBlock
		select {
		case b = <-p.free:
		case <-p.stop:
			return
		}
		rest = b.fill(p.src, rest)
		last := b.ended != nil
		p.order <- b // these have room for all blocks
		p.todo <- b
		if last {
			return
		}
	}
}

// next returns the next hit, which is valid until the next call; io.EOF at the end.
// If the caller has pairs to deliver, it returns paused where a pipe pauses.
func (p *pafReader) next(deliver bool) (h *blockHit, paused bool, err error) {
	for p.used == len(p.cur.hits) {
		if err := p.cur.err; err != nil {
			p.line, p.record = p.linesBefore+p.cur.lines, p.recsBefore+p.cur.records
			return nil, false, p.fail(err)
		}
		if err := p.cur.ended; err != nil {
			if err != io.EOF {
				err = p.src.fail(err, p.linesBefore+p.cur.lines+1, p.recsBefore+p.cur.records+1)
			}
			return nil, false, err
		}
		if paused, err := p.nextBlock(deliver); paused || err != nil {
			return nil, paused, err
		}
	}
	h = &p.cur.hits[p.used]
	p.used++
	p.line, p.record = p.linesBefore+int64(h.line), p.recsBefore+int64(h.number)
	return h, false, nil
}

func (p *pafReader) fail(err error) error {
	return &ParseError{p.src.name, p.line, p.record, err}
}

// nextBlock goes on to the next block.
func (p *pafReader) nextBlock(deliver bool) (paused bool, err error) {
	var pauses <-chan time.Time // never
	if deliver && p.src.live() {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		pauses = timer.C
	}
	var b *pafBlock
	select {
	case b = <-p.order:
	case <-pauses:
		return true, nil
	case <-p.stop:
		return false, errClosed
	}
	<-b.done
	old := p.cur
	p.linesBefore, p.recsBefore = p.linesBefore+old.lines, p.recsBefore+old.records
	p.cur, p.used = b, 0
	p.unmapped += b.unmapped
	if old.done != nil {
		p.free <- old
	}
	return false, nil
}
