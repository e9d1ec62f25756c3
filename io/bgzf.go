package seqio

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/flate"
)

// BGZF (SAM specification, section 4.1) is gzip in members of up to 64 KiB, each of
// which has its own size in the header, so that bgzip, tabix and others can start
// reading at any of them. A member of no text ends the file.

const (
	bgzfText = 0xff00 // bytes of text in a block at most: it fits if it does not shrink
	// bgzfHeader ends in the field for the size of the block.
	bgzfHeader = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x00\x00"
	bgzfEnd    = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	// bgzfChunk is the text that is compressed at a time.
	bgzfChunk = 16 * bgzfText
)

// bgzfWriter compresses text into blocks of whole lines, unless one line is longer
// than a block. The text alone decides where blocks end. Chunks of blocks are compressed
// by goroutines and written by another one, in order.
type bgzfWriter struct {
	w      io.Writer
	cur    *chunk
	free   chan *chunk
	order  chan *chunk
	ended  chan struct{} // closed when all of order is written
	closed bool

	mu    sync.Mutex
	err   error // the first failure of w
	whole int64 // bytes written up to the end of a line
}

// chunk is some blocks on their way to the file.
type chunk struct {
	text   []byte
	packed bytes.Buffer
	lines  []int // in packed: behind the blocks that end a line
	flate  *flate.Writer
	done   chan struct{} // receives once when packed is there
}

func newBGZFWriter(w io.Writer) *bgzfWriter {
	n := runtime.GOMAXPROCS(0) + 2 // one being filled, one being written
	z := &bgzfWriter{
		w:     w,
		free:  make(chan *chunk, n),
		order: make(chan *chunk, n),
		ended: make(chan struct{}),
	}
	for range n {
		z.free <- &chunk{done: make(chan struct{}, 1)}
	}
	z.cur = <-z.free
	go z.writeAll()
	return z
}

// Write takes text. A failure shows at a later Write, or at Close.
func (z *bgzfWriter) Write(text []byte) (int, error) {
	n := 0
	for n < len(text) {
		if err := z.failure(); err != nil {
			return n, err
		}
		more := text[n:min(len(text), n+bgzfChunk-len(z.cur.text))]
		z.cur.text = append(z.cur.text, more...)
		n += len(more)
		if len(z.cur.text) == bgzfChunk {
			z.next(wholeBlocks(z.cur.text))
		}
	}
	return n, nil
}

// Close writes the rest and, if all has been written, the end of the file.
func (z *bgzfWriter) Close() error {
	if z.closed {
		return z.failure()
	}
	z.closed = true
	z.next(len(z.cur.text))
	close(z.order)
	<-z.ended
	if z.err == nil {
		_, z.err = io.WriteString(z.w, bgzfEnd)
	}
	return z.err
}

func (z *bgzfWriter) failure() error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.err
}

// next has the first n bytes of the current chunk compressed, and goes on with a chunk
// of the others.
func (z *bgzfWriter) next(n int) {
	c := z.cur
	z.cur = <-z.free
	z.cur.text = append(z.cur.text[:0], c.text[n:]...)
	c.text = c.text[:n]
	z.order <- c
	go c.pack()
}

// writeAll writes chunks until there are no more. After a failure it drops them.
func (z *bgzfWriter) writeAll() {
	defer close(z.ended)
	var written int64
	for c := range z.order {
		<-c.done
		if z.err == nil { // set by this goroutine alone until it ends
			n, err := z.w.Write(c.packed.Bytes())
			z.mu.Lock()
			for _, end := range c.lines {
				if end <= n {
					z.whole = written + int64(end)
				}
			}
			z.err = err
			z.mu.Unlock()
			written += int64(n)
		}
		z.free <- c
	}
}

// nextBlock returns the length of the first block of text, which has more than a block
// or all that is left.
func nextBlock(text []byte) int {
	n := min(len(text), bgzfText)
	if end := bytes.LastIndexByte(text[:n], '\n'); end >= 0 {
		return end + 1
	}
	return n
}

// wholeBlocks returns the length of the blocks of text that more text does not change.
func wholeBlocks(text []byte) int {
	n := 0
	for len(text)-n >= bgzfText {
		n += nextBlock(text[n:])
	}
	return n
}

// pack compresses the chunk's text.
func (c *chunk) pack() {
	c.packed.Reset()
	c.lines = c.lines[:0]
	for text := c.text; len(text) > 0; {
		n := nextBlock(text)
		c.packBlock(text[:n])
		if text[n-1] == '\n' {
			c.lines = append(c.lines, c.packed.Len())
		}
		text = text[n:]
	}
	c.done <- struct{}{}
}

// packBlock appends one block. Writes to a bytes.Buffer do not fail.
func (c *chunk) packBlock(text []byte) {
	start := c.packed.Len()
	c.packed.WriteString(bgzfHeader)
	if c.flate == nil {
		c.flate, _ = flate.NewWriter(&c.packed, flate.DefaultCompression) // the level is right
	} else {
		c.flate.Reset(&c.packed)
	}
	c.flate.Write(text)
	c.flate.Close()
	var trailer [gzipTrailer]byte
	binary.LittleEndian.PutUint32(trailer[:], crc32.ChecksumIEEE(text))
	binary.LittleEndian.PutUint32(trailer[4:], uint32(len(text)))
	c.packed.Write(trailer[:])
	block := c.packed.Bytes()[start:]
	binary.LittleEndian.PutUint16(block[len(bgzfHeader)-2:], uint16(len(block)-1))
}
