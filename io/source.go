package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// source is one opened input as text: what is stored, uncompressed on the way. start must be
// called before the first Read.
type source struct {
	storedFile
	unpacking
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
	s := &source{storedFile: storedFile{name: FileName(path), size: -1}}
	if path == "-" {
		s.raw.r = stdin
		if f, ok := stdin.(*os.File); ok {
			if isDir(f) {
				return nil, fmt.Errorf("%s is a directory", s.name)
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
		return nil, fmt.Errorf("%s is a directory", s.name)
	}
	s.file, s.raw.r = f, f
	s.measure(f)
	return s, nil
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

const (
	// peekBuffer is for the first bytes. It is small: larger reads bypass it.
	peekBuffer = 4 << 10
	headBytes  = 512
)

// unpack reads the first bytes and sets up decompression.
func (s *source) unpack() error {
	var err error
	if s.body, err = s.unpacking.begin(bufio.NewReaderSize(&s.raw, peekBuffer), &s.raw); err != nil {
		return s.fail(err, 1, 1)
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
	switch {
	case s.raw.err != nil && s.raw.err != io.EOF:
		if _, ok := errors.AsType[*os.PathError](s.raw.err); ok {
			return s.raw.err // has the name
		}
		return fmt.Errorf("%s: %w", s.name, s.raw.err)
	case err == io.ErrNoProgress:
		return fmt.Errorf("%s: %w", s.name, err)
	}
	err = s.fault(err, s.raw.tail)
	return &ParseError{s.name, line, record, err}
}

// bad makes the error of text that cannot be, at a place. Where compressed data is damaged that is why, and the text
// behind it tells.
func (s *source) bad(err error, line, record int64) error {
	if damage := s.damage(); damage != nil {
		return s.fail(damage, line, record)
	}
	return &ParseError{s.name, line, record, err}
}

// damageText is how many bytes of text are read to find what is wrong with compressed data: a gzip member has its
// checksum at its end, bzip2 one for each 900 kB.
const damageText = 16 << 20

// damage reads on in a compressed file and returns the error of its data, nil if there is none.
func (s *source) damage() error {
	if s.disk == nil || !s.packed() {
		return nil
	}
	if _, err := io.CopyN(io.Discard, s.body, damageText); err != nil && err != io.EOF {
		return err
	}
	return nil
}
