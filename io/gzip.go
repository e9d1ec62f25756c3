package seqio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"sync/atomic"

	"github.com/klauspost/pgzip"
)

// Sizes of RFC 1952, in bytes.
const (
	gzipHeader  = 10 // at least
	gzipTrailer = 8
)

// gzipText reads the text of compressed data. pgzip takes data that is cut in the
// header of a later member for complete, unless it is cut in the first ten bytes.
type gzipText struct {
	*pgzip.Reader
	raw    *countingReader
	blocks *bgzfWalk
	noEnd  *atomic.Bool // set at the end of BGZF without the block that ends it
}

func (g *gzipText) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	switch {
	case err != io.EOF:
	case endsInHeader(g.raw.tail):
		err = io.ErrUnexpectedEOF
	case g.blocks.cut():
		g.noEnd.Store(true)
	}
	return n, err
}

// endsInHeader reports whether stored data ends between the first ten bytes of a
// member's header and its end. It may be wrong about one in a hundred million files.
func endsInHeader(tail []byte) bool {
	for {
		i := bytes.Index(tail, []byte("\x1f\x8b\x08"))
		if i < 0 || len(tail)-i < gzipHeader {
			return false
		}
		tail = tail[i:]
		if isHeader(tail) && !wholeHeader(tail) {
			return true
		}
		tail = tail[1:]
	}
}

// isHeader reports whether flags, compression and system are ones that exist.
func isHeader(data []byte) bool {
	flags, compression, system := data[3], data[8], data[9]
	return flags&0xe0 == 0 && (compression == 0 || compression == 2 || compression == 4) && (system <= 13 || system == 255)
}

// wholeHeader reports whether data has all of the header at its start.
func wholeHeader(data []byte) bool {
	const hasCRC, hasExtra, hasName, hasComment = 2, 4, 8, 16
	flags, n := data[3], gzipHeader
	if flags&hasExtra != 0 {
		if len(data) < n+2 {
			return false
		}
		n += 2 + int(binary.LittleEndian.Uint16(data[n:]))
	}
	for _, flag := range []byte{hasName, hasComment} {
		if flags&flag == 0 {
			continue
		}
		end := bytes.IndexByte(data[min(n, len(data)):], 0)
		if end < 0 {
			return false
		}
		n += end + 1
	}
	if flags&hasCRC != 0 {
		n += 2
	}
	return n <= len(data)
}

// startGzip sets up decompression.
func (u *unpacking) startGzip(in *bufio.Reader, raw *countingReader) error {
	blocks := &bgzfWalk{r: in}
	gz, err := pgzip.NewReader(bufio.NewReaderSize(blocks, gzipBuffer))
	if err != nil {
		return err
	}
	u.text.r, u.gz = &gzipText{gz, raw, blocks, &u.noEnd}, gz
	return nil
}

// behindGzip returns how many bytes stand behind compressed data that ended in what
// may be another member's header: fewer than a header has, and after a trailer
// (checksum, length) of the text so far or, as in BGZF, of an empty member. 0 means
// that the data is cut, or that nothing tells.
func (u *unpacking) behindGzip(tail []byte) int {
	const empty = gzipHeader + 2 + gzipTrailer // an empty member, at least
	text := uint32(u.text.n.Load())
	for n := 1; u.gz != nil && n < gzipHeader && n+empty <= len(tail); n++ {
		rest := tail[len(tail)-n:]
		trailer := tail[len(tail)-n-gzipTrailer : len(tail)-n]
		whole := text > 0 && binary.LittleEndian.Uint32(trailer[4:]) == text || binary.LittleEndian.Uint64(trailer) == 0
		if whole && rest[0] != 0x1f {
			return n
		}
	}
	return 0
}
