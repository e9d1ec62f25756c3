package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
)

// source is one opened input: a file or standard input, uncompressed on the
// way. start must be called before the first Read.
type source struct {
	name    string
	file    *os.File        // nil for standard input, which is not closed here
	disk    *os.File        // file or standard input if on disk: reads do not block
	pipe    syscall.RawConn // of file or standard input if a pipe, a terminal or the like; nil otherwise
	base    int64           // where in disk reading starts
	size    int64           // from there on, in bytes as stored; -1 when unknown
	raw     countingReader
	gz      *pgzip.Reader  // nil unless gzip
	zst     *zstd.Decoder  // nil unless zstd
	other   string         // compression that is neither; "" if it is one of these or none
	text    countingReader // of what is compressed
	body    *bufio.Reader
	head    []byte // the first bytes of body, set by start
	skipped int64  // bytes between base and head
	// part, if any, is all that is read of disk; see cutSeq. followed says that the
	// file goes on behind it.
	part     *io.SectionReader
	followed bool
	own      *ownBytes // nil: all that is read
}

// openSource opens path; "-" is stdin. Nothing is read yet.
func openSource(path string, stdin io.Reader) (*source, error) {
	s := &source{name: path, size: -1}
	if path == "-" {
		s.name = "stdin"
		s.raw.r = stdin
		if f, ok := stdin.(*os.File); ok {
			if isDir(f) {
				return nil, errors.New("stdin is a directory")
			}
			s.measure(f)
		}
		return s, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if isDir(f) {
		f.Close()
		return nil, fmt.Errorf("%s is a directory", path)
	}
	s.file, s.raw.r = f, f
	s.measure(f)
	return s, nil
}

func isDir(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.IsDir()
}

// openSources opens all paths. Opening a named pipe waits for its writer, who may
// open two pipes in either order: they are opened at the same time, and after all
// else, so that a file that is missing is reported without a wait.
func openSources(paths []string, stdin io.Reader) ([]*source, error) {
	sources := make([]*source, len(paths))
	fail := func(err error) ([]*source, error) {
		for _, s := range sources {
			if s != nil {
				s.closeFile()
			}
		}
		return nil, err
	}
	type opened struct {
		i   int
		src *source
		err error
	}
	pipes := make(chan opened, len(paths))
	waiting := 0
	for i, path := range paths {
		if info, err := os.Stat(path); path != "-" && err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			waiting++
			continue
		}
		var err error
		if sources[i], err = openSource(path, stdin); err != nil {
			return fail(err)
		}
	}
	for i, path := range paths {
		if sources[i] == nil {
			go func() {
				s, err := openSource(path, stdin)
				pipes <- opened{i, s, err}
			}()
		}
	}
	for ; waiting > 0; waiting-- {
		o := <-pipes
		if o.err != nil {
			go func() {
				for range waiting - 1 {
					if late := <-pipes; late.err == nil {
						late.src.closeFile()
					}
				}
			}()
			return fail(o.err)
		}
		sources[o.i] = o.src
	}
	return sources, nil
}

// measure finds what is left to read of a regular file, and whether f is something
// else. Standard input may be a regular file, and its offset need not be 0.
func (s *source) measure(f *os.File) {
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

const (
	// peekBuffer is for the first bytes. It is small: larger reads bypass it.
	peekBuffer = 4 << 10
	gzipBuffer = 256 << 10 // below the decompressor, which reads byte by byte
	headBytes  = 512
)

// unpack reads the first bytes and sets up decompression.
func (s *source) unpack() error {
	s.body = bufio.NewReaderSize(&s.raw, peekBuffer)
	// A short peek is a short file or an error that the first Read repeats.
	if magic, _ := s.body.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		gz, err := pgzip.NewReader(bufio.NewReaderSize(s.body, gzipBuffer))
		if err != nil {
			return s.fail(err, 1, 1)
		}
		s.text.r = &gzipText{gz, &s.raw}
		s.gz, s.body = gz, bufio.NewReaderSize(&s.text, peekBuffer)
	} else if magic, _ := s.body.Peek(4); isZstd(magic) {
		if err := s.startZstd(); err != nil {
			return err
		}
	} else if err := s.startOther(); err != nil {
		return err
	}
	if bom, _ := s.body.Peek(3); string(bom) == "\xef\xbb\xbf" {
		s.body.Discard(len(bom))
		s.skipped = int64(len(bom))
	}
	s.head = s.peekHead()
	return nil
}

// readFull reads until p is full or the text ends. Unlike io.ReadFull it
// returns the error as it came, so that io.EOF is the end of the text alone and
// a compressed stream that was cut remains an unexpected one. The end of a file
// that has become shorter is an error.
func (s *source) readFull(p []byte) (n int, err error) {
	for idle := 0; n < len(p) && err == nil; idle++ {
		var m int
		m, err = s.body.Read(p[n:])
		if n += m; m > 0 {
			idle = 0
		}
		if idle == 100 {
			return n, io.ErrNoProgress
		}
	}
	if read := s.raw.n.Load(); err == io.EOF && read < s.size {
		err = fmt.Errorf("the file has become shorter while it was read: it had %d bytes and ends after %d", s.base+s.size, s.base+read)
	}
	return n, err
}

// seek continues a plain file on disk at offset, which counts from base.
func (s *source) seek(offset int64) error {
	var err error
	if s.part != nil {
		_, err = s.part.Seek(offset, io.SeekStart)
	} else {
		_, err = s.disk.Seek(s.base+offset, io.SeekStart)
	}
	if err != nil {
		return err
	}
	s.body.Reset(&s.raw)
	s.raw.n.Store(offset)
	return nil
}

// fail turns a read error into one that names the file. Damaged compression is
// malformed input at the given place; anything else is an error of the system.
func (s *source) fail(err error, line, record int64) error {
	var corrupt flate.CorruptInputError
	switch {
	case s.raw.err != nil && s.raw.err != io.EOF:
		if _, ok := errors.AsType[*os.PathError](s.raw.err); ok {
			return s.raw.err // has the name
		}
		return fmt.Errorf("%s: %w", s.name, s.raw.err)
	case err == io.ErrNoProgress:
		return fmt.Errorf("%s: %w", s.name, err)
	case s.other != "":
		err = s.otherFault(err)
	case s.zst != nil:
		err = zstdFault(err)
	case s.behindGzip() > 0 && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)):
		err = fmt.Errorf("the gzip data is followed by something else (%d B)", s.behindGzip())
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the gzip data is cut short: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, pgzip.ErrHeader):
		if s.gz == nil {
			err = fmt.Errorf("the gzip header is damaged: %w", err)
		} else {
			err = fmt.Errorf("the gzip data is followed by something else: %w", err)
		}
	case errors.Is(err, pgzip.ErrChecksum), errors.As(err, &corrupt):
		err = fmt.Errorf("the gzip data is damaged: %w", err)
	}
	return &ParseError{s.name, line, record, err}
}

// closeFile closes the file, if it is ours.
func (s *source) closeFile() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// closePacked ends the decompressor, once no goroutine reads from it. It waits for
// the decompressor's own read.
func (s *source) closePacked() {
	if s.gz != nil {
		s.gz.Close() // repeats the error of Read
	}
	if s.zst != nil {
		s.zst.Close()
	}
}

// packed reports whether the input is compressed.
func (s *source) packed() bool { return s.gz != nil || s.zst != nil || s.other != "" }

// countingReader counts what passes and keeps its end and the first error. The
// count may be read at any time.
type countingReader struct {
	r    io.Reader
	n    atomic.Int64
	tail []byte // the last tailBytes that passed, enough for a header of gzip
	err  error
}

const tailBytes = 600

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
