package seqio

import (
	"io"
	"sync"
)

// recordStream reads the whole records of files one after the other, ahead of who uses
// them, in a goroutine of its own. It ends with the last file, at an error, or after
// stop is closed.
type recordStream struct {
	blocks chan *wholeBlock
	free   chan *wholeBlock
	stop   <-chan struct{}
	old    *wholeBlock // before cur: the last record may be of it
	cur    *wholeBlock
	used   int // records of cur
	pos    int // bytes of cur
	// storage is of the record that next has returned last.
	storage []byte
	at      recordPlace // of that record
}

// recordPlace is the number of a record, from 0, in a file of a list.
type recordPlace struct {
	file   int
	number int64
}

// wholeBlock is a run of records of one file, as they stand there.
type wholeBlock struct {
	text []byte
	ends []int
	// records are taken apart, but for those that are wrapped: these have no letters.
	records []record
	lines   []int
	file    int
	first   int64 // number of the first record
	err     error // follows the last record
}

// Blocks are as large as those of hits; see pafBlockSize.
const (
	streamBlocks = 8
	streamText   = 512 << 10 // bytes of a block, more when one record is longer
)

// startRecords starts reading files, of which the first one has a number; wg covers the
// goroutine.
func startRecords(files []*source, number int, stop <-chan struct{}, wg *sync.WaitGroup) *recordStream {
	s := &recordStream{
		blocks: make(chan *wholeBlock, streamBlocks),
		free:   make(chan *wholeBlock, streamBlocks),
		stop:   stop,
		cur:    &wholeBlock{},
	}
	for range streamBlocks - 1 {
		s.free <- &wholeBlock{}
	}
	wg.Go(func() { s.run(files, number) })
	return s
}

func (s *recordStream) run(files []*source, number int) {
	for i, src := range files {
		f, err := openRecords(src)
		for first := int64(0); ; {
			var b *wholeBlock
			select {
			case b = <-s.free:
			case <-s.stop:
				return
			}
			b.file, b.first, b.err = number+i, first, err
			b.text, b.ends, b.lines, b.records = b.text[:0], b.ends[:0], b.lines[:0], b.records[:0]
			if err == nil {
				b.fill(f)
			}
			first += int64(len(b.ends))
			err = b.err
			if err == io.EOF && i < len(files)-1 {
				b.err = nil
			}
			s.blocks <- b // has room for all blocks
			if err != nil {
				break
			}
		}
		if err != io.EOF {
			return
		}
	}
}

// openRecords reads up to the first record of a file, which may be empty.
func openRecords(src *source) (*framer, error) {
	if err := src.start(); err != nil {
		return nil, err
	}
	return emptyFramer(src), nil
}

func (b *wholeBlock) fill(f *framer) {
	for len(b.text) < streamText && (len(b.ends) == 0 || !f.waits()) {
		text, lines := f.peek()
		if len(text) == 0 {
			b.err = f.err
			break
		}
		b.text = append(b.text, text...)
		b.ends = append(b.ends, len(b.text))
		b.lines = append(b.lines, lines)
		f.drop()
	}
	start := 0
	for i, end := range b.ends {
		b.records = append(b.records, cutWhole(b.text[start:end], b.lines[i]))
		start = end
	}
}

// cutWhole is cutRecord of a record of some lines that is not wrapped. Of any other one it
// returns the name alone.
func cutWhole(text []byte, lines int) record {
	if lines == 2 && text[0] == '>' || lines == 4 && text[0] == '@' {
		if r, storage := cutRecord(text, nil); storage == nil {
			return r
		}
	}
	header, _ := cutLine(text)
	return record{name: firstWord(header[1:])}
}

// next returns the next record, whose slices the call after it overwrites, or io.EOF.
func (s *recordStream) next() (record, error) {
	if err := s.await(); err != nil {
		return record{}, err
	}
	text, r := s.cur.text[s.pos:s.cur.ends[s.used]], s.cur.records[s.used]
	s.at = recordPlace{s.cur.file, s.cur.first + int64(s.used)}
	s.pos = s.cur.ends[s.used]
	s.used++
	if r.letters == nil {
		r, s.storage = cutRecord(text, s.storage)
	}
	return r, nil
}

// await waits for a record, until stop is closed.
func (s *recordStream) await() error {
	for s.used == len(s.cur.ends) {
		if s.cur.err != nil {
			return s.cur.err
		}
		if s.old != nil {
			s.free <- s.old
		}
		select {
		case b := <-s.blocks:
			s.old, s.cur, s.used, s.pos = s.cur, b, 0, 0
		case <-s.stop:
			s.old = nil // free has it
			return errClosed
		}
	}
	return nil
}
