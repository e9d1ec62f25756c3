package seqio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
)

// storedFile is a file or standard input as it is stored.
type storedFile struct {
	name string
	file *os.File        // nil for standard input, which is not closed here
	disk *os.File        // file or standard input if on disk: reads do not block
	pipe syscall.RawConn // of file or standard input if a pipe, a terminal or the like; nil otherwise
	base int64           // where in disk reading starts
	size int64           // from there on, in bytes as stored; -1 when unknown
	raw  countingReader
	// passed is how many bytes had been read before the file was read anew.
	passed atomic.Int64
}

func isDir(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.IsDir()
}

// measure finds what is left to read of a regular file, and whether f is something
// else. Standard input may be a regular file, and its offset need not be 0.
func (s *storedFile) measure(f *os.File) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	if !info.Mode().IsRegular() {
		// Without a connection, reads are of full blocks.
		s.pipe, _ = f.SyscallConn()
		return
	}
	s.disk = f
	if offset, err := f.Seek(0, io.SeekCurrent); err == nil {
		s.base, s.size = offset, max(info.Size()-offset, 0)
	}
}

// diskError names the file of an error of ReadAt.
func (s *storedFile) diskError(err error) error {
	if err == io.EOF {
		err = errors.New("the file has become shorter")
	}
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// closeFile closes the file, if it is ours.
func (s *storedFile) closeFile() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// countingReader counts what passes and keeps its end and the first error. The
// count may be read at any time.
type countingReader struct {
	r    io.Reader
	n    atomic.Int64
	tail []byte // the last tailBytes that passed, enough for a header of gzip
	err  error
}

const tailBytes = 600

// restart makes c read from r, at the begin.
func (c *countingReader) restart(r io.Reader) {
	c.r, c.tail, c.err = r, nil, nil
	c.n.Store(0)
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	if n >= tailBytes {
		c.tail = append(c.tail[:0], p[n-tailBytes:n]...)
	} else if n > 0 {
		c.tail = append(c.tail, p[:n]...)
		c.tail = append(c.tail[:0], c.tail[max(len(c.tail)-tailBytes, 0):]...)
	}
	if err != nil {
		c.err = err
	}
	return n, err
}
