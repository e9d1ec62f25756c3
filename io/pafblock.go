package seqio

import (
	"bytes"
	"io"
	"slices"
)

// pafBlock is a run of whole lines of PAF, and the hits in them.
type pafBlock struct {
	text                     []byte
	ended                    error // of the source, behind the text
	hits                     []blockHit
	lines, records, unmapped int64 // taken, up to the one that has err
	err                      error // what is wrong with the last of them
	done                     chan struct{}
}

// blockHit is a hit of a block.
type blockHit struct {
	hit
	// file and target are nil if the references have no such target, which is then looked for again.
	file         *reference
	target       *indexed
	line, number int32 // in the block, from 1
}

// pafBlockSize is the size of a block, in bytes, unless a line is longer: some thousands of
// lines. Where all processors align, each block that is waited for costs a time slice of another
// goroutine: there are few in a batch.
const pafBlockSize = 256 << 10

// fill reads the block behind the start of a line, and returns the start of the line behind it,
// which the next call of fill ends.
func (b *pafBlock) fill(src *source, start []byte) (rest []byte) {
	if cap(b.text) < pafBlockSize {
		b.text = make([]byte, 0, pafBlockSize)
	}
	b.text = append(b.text[:0], start...)
	b.ended = nil
	searched := len(b.text)
	for {
		if cap(b.text)-len(b.text) < pafBlockSize/2 {
			b.text = slices.Grow(b.text, max(len(b.text), pafBlockSize/2))
		}
		n, _, err := src.readSome(b.text[len(b.text):cap(b.text)], len(b.text), false)
		b.text, b.ended = b.text[:len(b.text)+n], err
		if err == io.EOF {
			return nil
		}
		whole := bytes.LastIndexByte(b.text[searched:], '\n') + 1
		if whole > 0 || err != nil {
			rest = append(start[:0], b.text[searched+whole:]...)
			b.text = b.text[:searched+whole]
			if whole == 0 {
				b.text = b.text[:0] // a line that could not be read
			}
			return rest
		}
		searched = len(b.text)
	}
}

// parse takes the lines apart, up to the first one that is no hit, and finds the targets.
func (b *pafBlock) parse(targets references) {
	b.hits, b.lines, b.records, b.unmapped, b.err = b.hits[:0], 0, 0, 0, nil
	var last *blockHit // in hits, which may have moved
	for rest := b.text; len(rest) > 0; {
		line, n := cutLine(rest)
		if n == 0 {
			line, n = trimCR(rest), len(rest)
		}
		rest = rest[n:]
		b.lines++
		if len(line) == 0 {
			continue
		}
		b.records++
		h, err := parsePAF(line)
		if err == errUnmapped {
			b.unmapped++
			continue
		}
		if err != nil {
			b.err = err
			return
		}
		next := blockHit{hit: h, line: int32(b.lines), number: int32(b.records)}
		if last != nil && bytes.Equal(h.target, last.hit.target) {
			next.file, next.target = last.file, last.target
		} else if file, target, err := targets.sequence(h.target); err == nil {
			next.file, next.target = file, target
		}
		b.hits = append(b.hits, next)
		last = &b.hits[len(b.hits)-1]
	}
}
