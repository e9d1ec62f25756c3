package seqio

import (
	"io"
	"sync"
	"time"
)

// ahead prefetches the records of files, one behind the other, in a goroutine of its own,
// from the first byte on, so that queries and targets are read at the same time,
// and both while batches are aligned: two pipes that one program writes in step
// do not wait for each other. It ends with the last file, at an error, or after stop is
// closed.
type ahead struct {
	files  []*source
	src    *source    // of the record handed out last
	file   *fastxFile // nil until opened, and where opening failed; of run until it ends
	opened chan error // receives once, when the first file is there or cannot be
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
	fasta  bool
	src    *source
	err    error // follows the last record
}

const (
	aheadBlocks = 4         // of each file
	aheadText   = 128 << 10 // bytes of a block, more when one record is longer
)

// startAhead starts reading, qualities too if keep is set; wg covers the goroutine.
func startAhead(files []*source, cut *recordCut, keep bool, stop <-chan struct{}, wg *sync.WaitGroup) *ahead {
	a := &ahead{
		files:  files,
		src:    files[0],
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

// open looks at the first bytes of a file and reads up to its first record.
func (a *ahead) open(src *source) error {
	if a.cut != nil {
		return a.cut.open(a)
	}
	if err := src.start(); err != nil {
		return err
	}
	file, err := openFastx(src)
	a.file = file
	return err
}

func (a *ahead) run() {
	for i, src := range a.files {
		err := a.open(src)
		if i == 0 {
			a.opened <- err
		}
		if err != nil {
			a.blocks <- &recordBlock{src: src, err: err}
			return
		}
		if !a.readFile(i == len(a.files)-1) {
			return
		}
	}
}

// readFile reads the file that is open. It reports whether the next one is to be read.
func (a *ahead) readFile(last bool) bool {
	defer a.file.close()
	a.file.keepValues = a.keep
	for {
		var b *recordBlock
		select {
		case b = <-a.free:
		case <-a.stop:
			return false
		}
		b.fill(a.file)
		ended := b.err == io.EOF
		if ended && !last {
			b.err = nil
		}
		failed := b.err != nil
		a.blocks <- b // has room for all blocks
		if ended || failed {
			return !failed
		}
	}
}

func (b *recordBlock) fill(file *fastxFile) {
	b.text, b.ends, b.lines, b.values = b.text[:0], b.ends[:0], b.lines[:0], b.values[:0]
	b.src, b.fasta, b.err = file.framer.src, file.fasta, nil
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
	a.values = nil
	if a.keep && !a.cur.fasta {
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
	a.cur, a.record, a.pos, a.value, a.src = b, 0, 0, 0, b.src
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

// fasta tells FASTA from FASTQ, once all records have been handed out.
func (a *ahead) fasta() bool { return a.cur.fasta }
