package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
)

// unpacking is the decompression of an input, if there is any.
type unpacking struct {
	gz    *pgzip.Reader  // nil unless gzip
	zst   *zstd.Decoder  // nil unless zstd
	other string         // compression that is neither; "" if it is one of these or none
	text  countingReader // of what is compressed
	noEnd atomic.Bool    // see errNoBGZFEnd
}

// gzipBuffer is below the decompressor, which reads byte by byte.
const gzipBuffer = 256 << 10

// begin looks at the first bytes of in, which raw has counted, and returns what has the text: in
// unless that is compressed.
func (u *unpacking) begin(in *bufio.Reader, raw *countingReader) (*bufio.Reader, error) {
	var err error
	// A short peek is a short file or an error that the first Read repeats.
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		err = u.startGzip(in, raw)
	} else if magic, _ := in.Peek(4); isZstd(magic) {
		err = u.startZstd(in)
	} else {
		err = u.startOther(in, raw)
	}
	if err != nil || !u.packed() {
		return in, err
	}
	return bufio.NewReaderSize(&u.text, peekBuffer), nil
}

// packed reports whether the input is compressed.
func (u *unpacking) packed() bool { return u.gz != nil || u.zst != nil || u.other != "" }

// fault describes an error of reading what may be compressed. tail is the last that was stored.
func (u *unpacking) fault(err error, tail []byte) error {
	var corrupt flate.CorruptInputError
	behind := u.behindGzip(tail)
	switch {
	case u.other != "":
		return u.otherFault(err)
	case u.zst != nil:
		return zstdFault(err)
	case behind > 0 && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)):
		return fmt.Errorf("the gzip data is followed by something else (%d B)", behind)
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the gzip data is cut short: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, pgzip.ErrHeader) && u.gz == nil:
		return fmt.Errorf("the gzip header is damaged: %w", err)
	case errors.Is(err, pgzip.ErrHeader):
		return fmt.Errorf("the gzip data is followed by something else: %w", err)
	case errors.Is(err, pgzip.ErrChecksum), errors.As(err, &corrupt):
		return fmt.Errorf("the gzip data is damaged: %w", err)
	}
	return err
}

// closePacked ends the decompressor, once no goroutine reads from it. It waits for
// the decompressor's own read.
func (u *unpacking) closePacked() {
	if u.gz != nil {
		u.gz.Close() // repeats the error of Read
	}
	if u.zst != nil {
		u.zst.Close()
	}
}
