package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// reference is sequences that are read in parts by their names: of a file that can be
// read at any place, through its index, or all of them in memory. Any number of
// goroutines may fetch.
type reference struct {
	file  string // its name
	index *textIndex
	text  io.ReaderAt // nil: letters are in memory
	// mapped is the text if it could be mapped: reading a page that has gone is a fault, see
	// recoverFault. It saves a call of the system for each fetch.
	mapped []byte
	size   int64 // of text
	// indexFile is the index on disk that index is from; "" if it is made of the text.
	indexFile string
	letters   [][]byte
	// checked has what a first look at each sequence's place in the text has shown.
	checked []placeCheck
}

type placeCheck struct {
	once sync.Once
	err  error
}

// SequenceError is a sequence of a reference that is not there, or not as its index says.
type SequenceError struct {
	File string
	Name string // of the sequence
	Err  error
}

func (e *SequenceError) Error() string {
	return fmt.Sprintf("%s: sequence %.80q: %v", e.File, e.Name, e.Err)
}

func (e *SequenceError) Unwrap() error { return e.Err }

// sequence returns the sequence of a name.
func (r *reference) sequence(name []byte) (*indexed, error) {
	s, err := r.index.find(name)
	if err == errNoName && r.indexFile != "" {
		err = fmt.Errorf("%w in its index %s", err, r.indexFile)
	}
	if err != nil {
		return nil, &SequenceError{r.file, string(name), err}
	}
	return s, nil
}

// fetch appends the letters [from, to) of a sequence of this reference. It needs scratch
// storage, which it returns.
func (r *reference) fetch(dst []byte, s *indexed, from, to int64, scratch []byte) (_, _ []byte, err error) {
	if r.text == nil {
		return append(dst, r.letters[s.offset][from:to]...), scratch, nil
	}
	if from == to {
		return dst, scratch, nil
	}
	if err := r.check(s); err != nil {
		return dst, scratch, err
	}
	begin := s.at(from)
	n := int(s.at(to-1) + 1 - begin)
	var text []byte
	if r.mapped != nil {
		text = r.mapped[begin : begin+int64(n)]
	} else {
		if cap(scratch) < n {
			scratch = make([]byte, n+n/4)
		}
		text = scratch[:n]
		if _, err := r.text.ReadAt(text, begin); err != nil {
			return dst, scratch, r.readError(s, err)
		}
	}
	left := s.line - from%s.line // letters in the line
	for {
		more := min(left, int64(len(text)))
		if run := letterRun(text[:more]); run < int(more) {
			return dst, scratch, r.badText(s, text[run])
		}
		dst = append(dst, text[:more]...)
		if text = text[more:]; len(text) == 0 {
			return dst, scratch, nil
		}
		end := s.step - s.line
		if string(text[:end]) != "\n" && string(text[:end]) != "\r\n" {
			return dst, scratch, r.differs(s)
		}
		text, left = text[end:], s.line
	}
}

func (r *reference) readError(s *indexed, err error) error {
	if err == io.EOF {
		return r.differs(s)
	}
	return err
}

// badText explains a byte where a letter is due.
func (r *reference) badText(s *indexed, b byte) error {
	if b == '\n' || b == '\r' || b == '>' {
		return r.differs(s)
	}
	return &SequenceError{r.file, s.name, fmt.Errorf("%s is not a sequence letter", showByte(b))}
}

// differs says that a sequence is not where the index says.
func (r *reference) differs(s *indexed) error {
	why := errors.New("the file has changed while it was read")
	if r.indexFile != "" {
		why = fmt.Errorf("the file differs from its index %s: remove the index, or make it anew with samtools faidx", r.indexFile)
	}
	return &SequenceError{r.file, s.name, why}
}

// recoverFault makes a fault in mapped text, of a file that has become shorter, an error. It is
// deferred by a goroutine that has called debug.SetPanicOnFault.
func recoverFault(fault func()) {
	caught := recover()
	if caught == nil {
		return
	}
	if _, ok := caught.(interface{ Addr() uintptr }); !ok {
		panic(caught)
	}
	fault()
}

// release ends the use of the text.
func (r *reference) release() {
	unmapFile(r.mapped)
	r.mapped = nil
}

// check looks, once, whether the sequence's header and end are where the index says.
func (r *reference) check(s *indexed) error {
	c := &r.checked[r.index.names[s.name]]
	c.once.Do(func() {
		if c.err = r.checkHeader(s); c.err == nil {
			c.err = r.checkEnd(s)
		}
	})
	return c.err
}

func (r *reference) checkHeader(s *indexed) error {
	const mostHeader = 1 << 20
	for window := int64(1 << 10); ; window *= 4 {
		from := max(0, s.offset-window)
		buf := make([]byte, s.offset-from)
		if _, err := r.text.ReadAt(buf, from); err != nil && err != io.EOF {
			return err
		}
		header := bytes.TrimRight(buf, "\r\n") // blank lines may follow
		begin := bytes.LastIndexByte(header, '\n') + 1
		if begin == 0 && from > 0 && window < mostHeader {
			continue
		}
		header = header[begin:]
		if len(header) == 0 || header[0] != '>' || string(firstWord(header[1:])) != s.name || buf[len(buf)-1] != '\n' {
			return r.differs(s)
		}
		return nil
	}
}

func (r *reference) checkEnd(s *indexed) error {
	var buf [16]byte
	n, err := r.text.ReadAt(buf[:], s.at(s.length-1)+1)
	if err != nil && err != io.EOF {
		return err
	}
	rest := buf[:n]
	after := bytes.TrimLeft(rest, "\r\n")
	if len(after) == len(rest) && n > 0 || len(after) > 0 && after[0] != '>' {
		return r.differs(s)
	}
	return nil
}

// references are targets in several files.
type references []*reference

func (all references) release() {
	for _, r := range all {
		r.release()
	}
}

// sequence returns the sequence of a name, and the file that has it.
func (all references) sequence(name []byte) (in *reference, found *indexed, err error) {
	for _, r := range all {
		s, missing := r.sequence(name)
		switch {
		case missing == nil && found != nil:
			return nil, nil, &SequenceError{r.file, string(name), fmt.Errorf("%s has one of that name, too", in.file)}
		case missing == nil:
			in, found = r, s
		case !errors.Is(missing, errNoName):
			return nil, nil, missing
		case err == nil:
			err = missing
		}
	}
	if found != nil {
		return in, found, nil
	}
	return nil, nil, err
}
