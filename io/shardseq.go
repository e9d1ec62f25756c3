package seqio

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// A part of a pairs file is read as a file of its own: the lines from one border to
// the next, where a border is a line that starts with '>'. The letters before a part
// are counted, not read as pairs: no sequence has a '>'.

// cutSeq narrows the source of a pairs file to the shard and gives s the lines and
// records before it.
func (s *seqPairs) cutSeq(shard Shard) error {
	src := s.src
	size := src.size
	file := io.NewSectionReader(src.disk, src.base, size)
	from, to := shard.cuts(size)
	from, err := border(file, from)
	if err != nil {
		return src.diskError(err)
	}
	if to, err = border(file, to); err != nil {
		return src.diskError(err)
	}
	if from < to {
		before, err := countBefore(src, file, from)
		if err != nil {
			return err
		}
		s.record, s.line = before.records, before.lines
	}
	src.narrow(from, to)
	return nil
}

// border returns the offset of the first line from cut on that starts with '>', the
// size of the file if there is none, and 0 for the cut 0.
func border(file *io.SectionReader, cut int64) (int64, error) {
	if cut == 0 {
		return 0, nil
	}
	buf := make([]byte, seqStep)
	for at := cut - 1; at < file.Size(); {
		n, err := file.ReadAt(buf, at)
		if i := bytes.Index(buf[:n], []byte("\n>")); i >= 0 {
			return at + int64(i) + 1, nil
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		if err == io.EOF || n < 2 {
			break
		}
		at += int64(n) - 1 // the last byte may be the newline
	}
	return file.Size(), nil
}

// countBefore counts the lines and pairs before a border, from the last mark of the
// file's index on, if it has one.
func countBefore(src *source, file io.ReaderAt, border int64) (mark, error) {
	index, err := openIndex(src)
	if err != nil {
		return mark{}, err
	}
	from := index.before(border)
	if err := index.verify(from); err != nil {
		return mark{}, err
	}
	pairs, lines, err := countMarks(file, from.offset, border)
	if err != nil {
		return mark{}, src.diskError(err)
	}
	return mark{border, from.records + pairs, from.lines + lines}, nil
}

// countMarks counts the bytes '>' and the newlines of file[from:to], with several
// goroutines.
func countMarks(file io.ReaderAt, from, to int64) (marks, lines int64, err error) {
	var (
		next      atomic.Int64 // block to be counted
		group     sync.WaitGroup
		lock      sync.Mutex
		blockSize = int64(seqStep)
	)
	count := func() {
		buf := make([]byte, blockSize)
		var ownMarks, ownLines int64
		var ownErr error
		for ownErr == nil {
			at := from + (next.Add(1)-1)*blockSize
			if at >= to {
				break
			}
			block := buf[:min(blockSize, to-at)]
			if _, ownErr = file.ReadAt(block, at); ownErr == nil {
				ownMarks += int64(bytes.Count(block, []byte{'>'}))
				ownLines += int64(bytes.Count(block, []byte{'\n'}))
			}
		}
		lock.Lock()
		defer lock.Unlock()
		marks, lines = marks+ownMarks, lines+ownLines
		err = errors.Join(err, ownErr)
	}
	for range min(int64(runtime.GOMAXPROCS(0)), maxBlockReaders, (to-from)/blockSize+1) {
		group.Go(count)
	}
	group.Wait()
	return marks, lines, err
}

// narrow makes the source one of file[from:to]. start has been called.
func (s *source) narrow(from, to int64) {
	s.followed = to < s.size
	s.part = io.NewSectionReader(s.disk, s.base+from, to-from)
	s.base, s.size = s.base+from, to-from
	if from > 0 {
		s.skipped = 0
	}
	s.raw.r = s.part
	s.part.Seek(s.skipped, io.SeekStart)
	s.body.Reset(&s.raw)
	s.raw.n.Store(s.skipped)
}
