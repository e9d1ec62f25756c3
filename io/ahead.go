package seqio

import (
	"io"
	"sync"
	"time"
)

// ahead prefetches the records of one file in a goroutine of its own, from the
// first byte on, so that the query and the target file are read at the same time,
// and both while batches are aligned: two pipes that one program writes in step
// do not wait for each other. It ends with the file, at an error, or after stop is
// closed.
type ahead struct {
	src    *source
	file   *fastxFile // nil until opened, and where opening failed
	opened chan error // receives once, when file is there or cannot be
	blocks chan *recordBlock
	free   chan *recordBlock
	stop   <-chan struct{}
	cur    *recordBlock // being handed out by next
	record int          // next record of cur
	pos    int          // and where its name starts
	line   int64        // first line of the record handed out last
	values []byte       // its qualities; nil where none are kept
	value  int          // where in cur.values the next ones start
	keep   bool         // the qualities of FASTQ
	cut    *recordCut   // nil for the whole file
	before int64        // records before the first one, set when opened receives
}

// recordBlock is a run of records: their names and letters in one slice.
type recordBlock struct {
	text   []byte
	ends   []int   // in text: of the first name, its letters, the second name, …
	lines  []int64 // on which the records start
	values []byte  // qualities, as many as letters; empty if there are none
	err    error   // follows the last record
}

const (
	aheadBlocks = 4         // of each file
	aheadText   = 128 << 10 // bytes of a block, more when one record is longer
)

// startAhead starts reading, qualities too if keep is set; wg covers the goroutine.
func startAhead(src *source, cut *recordCut, keep bool, stop <-chan struct{}, wg *sync.WaitGroup) *ahead {
	a := &ahead{
		src:    src,
		cut:    cut,
		keep:   keep,
		opened: make(chan error, 1),
		blocks: make(chan *recordBlock, aheadBlocks),
		free:   make(chan *recordBlock, aheadBlocks),
		stop:   stop,
		cur:    &recordBlock{},
	}
	for range aheadBlocks - 1 {
		a.free <- &recordBlock{}
	}
	wg.Go(a.run)
	return a
}

// open looks at the first bytes and reads up to the first record.
func (a *ahead) open() error {
	if a.cut != nil {
		return a.cut.open(a)
	}
	if err := a.src.start(); err != nil {
		return err
	}
	file, err := openFastx(a.src)
	a.file = file
	return err
}

func (a *ahead) run() {
	err := a.open()
	a.opened <- err
	if err != nil {
		a.blocks <- &recordBlock{err: err}
		return
	}
	defer a.file.close()
	a.file.keepValues = a.keep
	for {
		var b *recordBlock
		select {
		case b = <-a.free:
		case <-a.stop:
			return
		}
		b.fill(a.file)
		a.blocks <- b // has room for all blocks
		if b.err != nil {
			return
		}
	}
}

func (b *recordBlock) fill(file *fastxFile) {
	b.text, b.ends, b.lines, b.values = b.text[:0], b.ends[:0], b.lines[:0], b.values[:0]
	for len(b.text) < aheadText && (len(b.ends) == 0 || !file.waits()) {
		name, letters, err := file.next()
		if err != nil {
			b.err = err
			return
		}
		b.text = append(b.text, name...)
		b.ends = append(b.ends, len(b.text))
		b.lines = append(b.lines, file.line)
		b.text = append(b.text, letters...)
		b.ends = append(b.ends, len(b.text))
		b.values = append(b.values, file.values...)
	}
}

// next is fastxFile.next.
func (a *ahead) next() (name, letters []byte, err error) {
	for a.record == len(a.cur.ends) {
		if a.cur.err != nil {
			return nil, nil, a.cur.err
		}
		a.take(<-a.blocks)
	}
	nameEnd, end := a.cur.ends[a.record], a.cur.ends[a.record+1]
	name, letters = a.cur.text[a.pos:nameEnd], a.cur.text[nameEnd:end]
	a.line = a.cur.lines[a.record/2]
	a.record += 2
	a.pos = end
	if a.keep && !a.fasta() {
		if a.cur.values == nil {
			a.cur.values = []byte{} // of empty records
		}
		from := a.value
		a.value += len(letters)
		a.values = a.cur.values[from:a.value]
	}
	return name, letters, nil
}

// take goes on to the next block.
func (a *ahead) take(b *recordBlock) {
	a.free <- a.cur
	a.cur, a.record, a.pos, a.value = b, 0, 0, 0
}

// ready reports whether next can return within d.
func (a *ahead) ready(d time.Duration) bool {
	if a.record < len(a.cur.ends) || a.cur.err != nil {
		return true
	}
	select {
	case b := <-a.blocks:
		a.take(b)
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case b := <-a.blocks:
		a.take(b)
		return true
	case <-timer.C:
		return false
	}
}

// ended reports whether next has returned io.EOF, and so all records.
func (a *ahead) ended() bool { return a.record == len(a.cur.ends) && a.cur.err == io.EOF }

// fasta tells FASTA from FASTQ, once a record has been handed out.
func (a *ahead) fasta() bool { return a.file != nil && a.file.fasta }
