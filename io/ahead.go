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
	cur    *recordBlock // being handed out
	record int          // next record of cur
	pos    int          // and where its text starts
	next   int          // behind that
	from   int          // what stands before has been stored
	// store, unless it is nil, takes the text of blocks that have been handed out, and has other storage
	// for them: otherwise the text is overwritten.
	store  *blockStore
	keep   valuesKept // of the records that are read next, if they are FASTQ
	cut    *recordCut // nil for the whole file
	before int64      // records before the first one, set when opened receives
	bare   []bareEnd  // of the files so far
}

// bareEnd is a record of FASTA without letters at the end of a file.
type bareEnd struct {
	src *source
	at  recordLine
}

// aheadBlocks are read ahead of each file.
const aheadBlocks = 4

// startAhead starts reading; wg covers the goroutine.
func startAhead(files []*source, cut *recordCut, keep valuesKept, stop <-chan struct{}, wg *sync.WaitGroup) *ahead {
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
	a.file.framer.keepValues = a.keep != noValues
	for {
		var b *recordBlock
		select {
		case b = <-a.free:
		case <-a.stop:
			return false
		}
		b.fill(a.file, a.keep)
		a.keep = a.keep.behind(len(b.lines))
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

// peek sets the parts of the next record, or returns io.EOF. Values, which may be nil, are its qualities,
// nil where none are kept. Without a store, the slices change at the peek after drop.
func (a *ahead) peek(name, letters, values *[]byte) error {
	for a.record == len(a.cur.lines) {
		if a.cur.err != nil {
			return a.cur.err
		}
		a.take(<-a.blocks)
	}
	b := a.cur
	nameEnd, end := b.ends[2*a.record], b.ends[2*a.record+1]
	*name, *letters = b.text[a.pos:nameEnd:nameEnd], b.text[nameEnd:end:end]
	valued := b.values.of(a.record)
	if a.next = end; valued {
		a.next += end - nameEnd
	}
	if values != nil {
		if *values = nil; valued {
			*values = b.text[end:a.next:a.next]
		}
	}
	return nil
}

// line is the first line of the record that peek has returned.
func (a *ahead) line() int64 { return a.cur.lines[a.record] }

// number is that of the record that peek has returned in its file, from 1.
func (a *ahead) number() int64 { return a.handedOut() + 1 }

// handedOut returns how many records of the file at hand have been handed out, or are before the first one.
func (a *ahead) handedOut() int64 { return a.cur.first + int64(a.record) }

// drop goes on behind the record that peek has returned.
func (a *ahead) drop() { a.record, a.pos = a.record+1, a.next }

// take goes on to the next block.
func (a *ahead) take(b *recordBlock) {
	a.retire()
	a.noteBare()
	a.free <- a.cur
	a.cur, a.record, a.pos, a.from, a.src = b, 0, 0, 0, b.src
}

// noteBare notes a file that ends with a header, once its records have been handed out.
func (a *ahead) noteBare() {
	if b := a.cur; b.bare.line > 0 {
		a.bare = append(a.bare, bareEnd{b.src, b.bare})
		b.bare = recordLine{}
	}
}

// retire stores what is left of the text of a block whose records have been handed out.
func (a *ahead) retire() {
	spare := a.cur.text
	if a.store != nil {
		a.part()
		spare = a.store.take()
	}
	if a.cur.spare == nil {
		a.cur.spare = spare
	}
}

// part stores the text of the records that have been handed out since the last call.
func (a *ahead) part() {
	if a.pos == a.from {
		return
	}
	text := a.cur.text[a.from:a.pos]
	switch {
	case a.record == len(a.cur.lines): // nobody uses what is behind
	case a.from > 0 || !a.moveRest():
		text = text[:len(text):len(text)]
	}
	a.store.used = append(a.store.used, text)
	a.from = a.pos
}

// moveRest moves what is left of a block to other storage, so that a batch has all of the storage that the
// block had, and can give it back: making more would take longer. It reports false if the rest is too large to
// be moved, and if it is more than the batch has.
func (a *ahead) moveRest() bool {
	rest := a.cur.text[a.pos:]
	if !ordinary(a.cur.text) || len(rest) > blockStorage || len(rest) > a.pos+a.store.size() {
		return false
	}
	storage := a.store.take()
	if storage == nil {
		storage = make([]byte, 0, blockStorage)
	}
	a.cur.text = append(storage[:0], rest...)
	ends := a.cur.ends[2*a.record:]
	for i := range ends {
		ends[i] -= a.pos
	}
	a.pos, a.from = 0, 0
	return true
}

// ready reports whether next can return within d.
func (a *ahead) ready(d time.Duration) bool {
	if a.record < len(a.cur.lines) || a.cur.err != nil {
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
func (a *ahead) ended() bool { return a.record == len(a.cur.lines) && a.cur.err == io.EOF }
