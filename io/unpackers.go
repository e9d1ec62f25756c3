package seqio

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
)

// bzip2 and xz are read only. Go's own package reads bzip2, that of ulikunitz xz: pure Go,
// maintained, and what other tools for sequences use.

const xzMagic = "\xfd7zXZ\x00"

// isBzip2 recognises a stream with a block in it, or an empty one.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// cutOther names the compression of data that ends within its first bytes; "" for other data.
func cutOther(head []byte) string {
	const bzip2Start = "BZh91AY&SY"
	switch n := len(head); {
	case n >= 4 && n < len(xzMagic) && string(head) == xzMagic[:n]:
		return "xz"
	case n >= 4 && n < len(bzip2Start) && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' && string(head[4:]) == bzip2Start[4:n]:
		return "bzip2"
	}
	return ""
}

// startOther sets up decompression of what is neither gzip nor zstd.
func (u *unpacking) startOther(from *bufio.Reader, raw *countingReader) error {
	// A pipe of text may pause behind its first bytes.
	head, _ := from.Peek(4)
	if string(head[:min(3, len(head))]) == "BZh" || bytes.HasPrefix(head, []byte(xzMagic[:4])) {
		head, _ = from.Peek(10)
	}
	var r io.Reader
	var err error
	switch in := bufio.NewReaderSize(from, gzipBuffer); {
	case isBzip2(head):
		u.other, r = "bzip2", bzip2.NewReader(in)
	case bytes.HasPrefix(head, []byte(xzMagic)):
		u.other = "xz"
		var z *xz.Reader
		z, err = xz.NewReader(in)
		r = &xzText{z, in, raw}
	default:
		if u.other = cutOther(head); u.other != "" {
			return io.ErrUnexpectedEOF
		}
		return nil
	}
	if err != nil {
		return err
	}
	u.text.r = r
	return nil
}

// xzText is the text of xz data. The package takes some data that is cut for whole, and some
// that has more behind it: at the end, the data must have been read and end as a stream does.
type xzText struct {
	z   *xz.Reader
	in  *bufio.Reader
	raw *countingReader
}

func (x *xzText) Read(p []byte) (int, error) {
	n, err := x.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	if _, more := x.in.ReadByte(); more == nil {
		return n, errors.New("the last stream is followed by more")
	}
	if !endsXZ(x.raw.tail) {
		return n, io.ErrUnexpectedEOF
	}
	return n, io.EOF
}

// endsXZ reports whether data ends with the footer of a stream of xz, and any padding.
func endsXZ(data []byte) bool {
	const footer = 12 // checksum, size of the index, flags, "YZ"
	data = bytes.TrimRight(data, "\x00")
	if len(data) < footer {
		return false
	}
	end := data[len(data)-footer:]
	return string(end[10:]) == "YZ" && binary.LittleEndian.Uint32(end) == crc32.ChecksumIEEE(end[4:10])
}

// otherFault describes what is wrong with the data. xz has no types of errors.
func (u *unpacking) otherFault(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		if u.other == "xz" && u.text.n.Load() > 0 { // of a few bytes behind a stream, too
			return fmt.Errorf("the xz data is cut short, or followed by something else: %w", io.ErrUnexpectedEOF)
		}
		return fmt.Errorf("the %s data is cut short: %w", u.other, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the %s data is damaged or cut short, or followed by something else: %w", u.other, err)
}
