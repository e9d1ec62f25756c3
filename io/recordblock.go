package seqio

import (
	"bytes"
	"io"

	"wfagpu/align"
)

// recordBlock is a run of records of one file. It has what is wanted of them alone, the name, letters
// and qualities of each next to each other: batches wait in memory, where less text takes less time.
type recordBlock struct {
	text   []byte
	ends   []int   // in text: of the first name, its letters, the second name, …
	lines  []int64 // on which the records start
	values valuesKept
	src    *source
	first  int64 // records of the file before the first one
	err    error // follows the last record
	// bare is the last record of the file, if it is FASTA's and has no letters, in the block that ends with the file.
	bare recordLine
	// spare is storage for the text of a later run, if there is any.
	spare []byte
}

// valuesKept says behind which letters of a block are as many qualities: of all, of none, or of every
// other record.
type valuesKept int

const (
	noValues valuesKept = iota
	allValues
	evenValues
	oddValues
)

// kept are the qualities of the query files that are wanted.
func (in *Inputs) kept() valuesKept {
	switch {
	case !in.Qualities:
		return noValues
	case in.Interleaved:
		return evenValues
	}
	return allValues
}

// of reports whether record i has qualities behind its letters.
func (v valuesKept) of(i int) bool {
	return v == allValues || v == evenValues && i&1 == 0 || v == oddValues && i&1 != 0
}

// behind is valuesKept without the first n records.
func (v valuesKept) behind(n int) valuesKept {
	switch {
	case n&1 == 0:
	case v == evenValues:
		return oddValues
	case v == oddValues:
		return evenValues
	}
	return v
}

const (
	// blockText is the size of a block in bytes, more when one record is longer.
	blockText = 128 << 10
	// blockStorage has room for the last record, unless that is long.
	blockStorage = blockText + 16<<10
)

// fill takes the next records of a file, up to a full block of them.
func (b *recordBlock) fill(f *fastxFile, values valuesKept) {
	b.ends, b.lines = b.ends[:0], b.lines[:0]
	b.src, b.first, b.err, b.bare = f.framer.src, f.records, nil, recordLine{}
	if b.values = values; f.fasta {
		b.values = noValues
	}
	if b.text, b.spare = b.spare[:0], nil; !ordinary(b.text) {
		b.text = make([]byte, 0, blockStorage)
	}
	for len(b.text) < blockText {
		b.takeUsual(f)
		if len(b.text) >= blockText {
			return
		}
		if len(b.lines) > 0 && f.waits() {
			break
		}
		r, err := f.next()
		if err != nil {
			b.err = err
			if err == io.EOF && f.bare {
				b.bare = recordLine{f.records, f.line}
			}
			break
		}
		f.bare = f.fasta && len(r.letters) == 0
		b.add(&r, f.line)
	}
	if len(b.text) < blockText/2 { // as of a pipe that pauses
		b.spare, b.text = b.text, bytes.Clone(b.text)
	}
}

// takeUsual takes the usual records of FASTQ that have been read: most records are, and an
// instruction counts.
func (b *recordBlock) takeUsual(f *fastxFile) {
	g := f.framer
	if f.bio != nil || g.given < g.framed || g.frame == nil || g.fasta {
		return
	}
	text, ends, lines := b.text, b.ends, b.lines
	n, line := g.framed, g.line
	for len(text) < blockText && g.at+int64(n) < g.end {
		data := g.buf[n:]
		u := usualFastq(data)
		if u.size == 0 {
			break
		}
		values := data[u.qualities() : u.qualities()+u.length]
		if !usualValues(values, b.values != noValues) {
			break
		}
		text = append(text, data[1:1+u.name]...)
		nameEnd := len(text)
		text = append(text, data[u.letters:u.letters+u.length]...)
		ends = append(ends, nameEnd, len(text))
		if b.values.of(len(lines)) {
			text = append(text, values...)
		}
		lines = append(lines, line+1)
		n, line = n+u.size, line+4
	}
	if more := int64(len(lines) - len(b.lines)); more > 0 {
		g.given, g.framed, g.line, g.lines, g.record = n, n, line, 4, g.record+more
		f.line, f.records = line-3, f.records+more
		b.text, b.ends, b.lines = text, ends, lines
	}
}

func (b *recordBlock) add(r *record, line int64) {
	text := append(b.text, r.name...)
	nameEnd := len(text)
	text = append(text, r.letters...)
	b.ends = append(b.ends, nameEnd, len(text))
	if b.values.of(len(b.lines)) {
		text = append(text, r.qualities...)
	}
	b.lines = append(b.lines, line)
	b.text = text
}

// blockStore is the storage of records on its way between a batch and what is read ahead. A batch that
// ends within a block has a part of its text, and the next one the rest.
type blockStore struct {
	used  [][]byte // what pairs of the batch point to
	spare [][]byte // what the batch had before
}

// ordinary reports whether storage is of the size that is used again.
func ordinary(storage []byte) bool {
	return cap(storage) >= blockStorage && cap(storage) <= 4*blockStorage
}

// begin takes the storage of a batch that is to be filled.
func (s *blockStore) begin(b *align.Batch) {
	for _, text := range b.Blocks {
		if ordinary(text) {
			s.spare = append(s.spare, text)
		}
	}
	clear(b.Blocks)
	b.Blocks = b.Blocks[:0]
}

// end gives the batch what its pairs point to, and what is left of its storage.
func (s *blockStore) end(b *align.Batch) {
	b.Blocks = append(append(b.Blocks, s.used...), s.spare...)
	clear(s.used)
	clear(s.spare)
	s.used, s.spare = s.used[:0], s.spare[:0]
}

// size is the size in bytes of what the batch has so far.
func (s *blockStore) size() (n int) {
	for _, text := range s.used {
		n += len(text)
	}
	return n
}

// take returns storage, nil if there is none.
func (s *blockStore) take() []byte {
	n := len(s.spare) - 1
	if n < 0 {
		return nil
	}
	text := s.spare[n]
	s.spare = s.spare[:n]
	return text
}
