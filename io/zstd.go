package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// isZstd recognizes a frame of zstd, or a skippable frame as pzstd puts in front.
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	tail := string(head[1:4])
	return head[0] == 0x28 && tail == "\xb5\x2f\xfd" || head[0]>>4 == 5 && tail == "\x2a\x4d\x18"
}

// mostZstdWindow is the default limit of zstd(1), too: a frame's header alone makes the
// decompressor take the memory.
const mostZstdWindow = 128 << 20

// startZstd sets up decompression.
func (u *unpacking) startZstd(in *bufio.Reader) error {
	z, err := zstd.NewReader(bufio.NewReaderSize(in, gzipBuffer), zstd.WithDecoderMaxWindow(mostZstdWindow))
	if err != nil {
		return err
	}
	u.zst, u.text.r = z, z
	return nil
}

// zstdFault describes what is wrong with the data. Errors of the decompressor that
// are not named here have no common type.
func zstdFault(err error) error {
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the zstd data is cut short: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("the zstd data is followed by something else: %w", err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("the zstd data has a window above %d MiB, as of zstd --long=28: %w", mostZstdWindow>>20, err)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return fmt.Errorf("the zstd data needs a dictionary: %w", err)
	}
	return fmt.Errorf("the zstd data is damaged: %w", err)
}
