package seqio

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// framer is the io.Reader that bio/fastx reads from: the whole and well-formed
// records of a FASTA or FASTQ file, from the first header on. At the first
// malformed record, or at a read error, the text ends, so that bio delivers all
// records before it, and err has the reason.
type framer struct {
	src    *source
	frame  frameFunc // nil until the first header tells the format
	fasta  bool
	buf    []byte
	given  int   // buf[:given] has been read by bio
	framed int   // buf[given:framed] is whole records it may read
	paused bool  // the source had no more for a while
	ended  error // from the source: nothing lies beyond buf
	err    error // why there are no more records; io.EOF at a clean end
	line   int64 // lines before buf[framed:]
	record int64 // records before it
	lines  int   // of the last record
	// parts are those of the last record, if apart says so.
	parts record
	apart bool
	at    int64 // of buf in the file
	end   int64 // in the file: a record that starts here or behind is not read
	cut   bool  // there may be such a record
	// keepValues says that qualities are wanted.
	keepValues bool
	// starts has the first lines of the records that have been framed and not yet
	// taken, in order, once forBio is set, and values their qualities if keepValues
	// is, too.
	forBio bool
	starts []int64
	values [][]byte
}

const framerBlock = 256 << 10

// newFramer reads up to the first record. Check err.
func newFramer(src *source) *framer {
	f := emptyFramer(src)
	for f.err == nil && f.record == 0 {
		f.step()
	}
	return f
}

func emptyFramer(src *source) *framer {
	return &framer{src: src, buf: make([]byte, 0, framerBlock), at: src.skipped, end: math.MaxInt64}
}

// peek returns the next record and how many lines it has, or none and sets err.
// It must not be called any more once Read has been. Blank lines between records
// are dropped.
func (f *framer) peek() (record []byte, lines int) {
	for f.given == f.framed && f.err == nil {
		records := f.record
		if f.step(); f.record == records {
			f.given = f.framed
		}
	}
	return f.buf[f.given:f.framed], f.lines
}

// waits reports whether peek would have to wait for a pipe that pauses.
func (f *framer) waits() bool {
	if !f.src.live() {
		return false
	}
	for f.given == f.framed && f.err == nil {
		records := f.record
		if !f.next() {
			return f.err == nil && (f.paused || !f.src.more(pause))
		}
		if f.record == records {
			f.given = f.framed
		}
	}
	return false
}

// peekedLine is the first line of the record that peek has returned.
func (f *framer) peekedLine() int64 { return f.line - int64(f.lines) + 1 }

// takeStart returns the first line of the next record that bio delivers, and its
// qualities; false if no such record has been framed.
func (f *framer) takeStart() (line int64, values []byte, ok bool) {
	if len(f.starts) == 0 {
		return 0, nil, false
	}
	line, f.starts = f.starts[0], f.starts[1:]
	if len(f.values) > 0 {
		values, f.values = f.values[0], f.values[1:]
	}
	return line, values, true
}

// giveBio prepares for bio a record that has been framed and starts on a line.
func (f *framer) giveBio(record []byte, line int64) {
	f.starts = append(f.starts, line)
	if f.fasta {
		return
	}
	if f.keepValues {
		f.values = append(f.values, bytes.Clone(qualitiesOf(record)))
	}
	hideHeaders(record)
}

// drop goes on behind the record that peek has returned.
func (f *framer) drop() { f.given = f.framed }

// Read fills p unless the text ends: after a short read, bio shrinks its buffer
// for good.
func (f *framer) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if f.given == f.framed {
			if f.err != nil {
				break
			}
			f.advance()
		}
		m := copy(p[n:], f.buf[f.given:f.framed])
		f.given += m
		n += m
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// advance frames all records that have been read, or reads more if there are
// none. All that was framed before must have been given.
func (f *framer) advance() {
	framed := f.framed
	for f.err == nil && f.next() {
	}
	if f.framed == framed && f.err == nil {
		f.refill()
	}
}

// step frames one record, skips one blank line or, if it can do neither, reads
// more.
func (f *framer) step() {
	if !f.next() && f.err == nil {
		f.refill()
	}
}

// refill drops what has been framed and reads more.
func (f *framer) refill() {
	rest := f.buf[f.framed:]
	if len(rest) >= cap(f.buf)-1 {
		// Doubling keeps the work on a record longer than the buffer linear.
		f.buf = append(make([]byte, 0, 2*cap(f.buf)), rest...)
	} else {
		f.buf = append(f.buf[:0], rest...)
	}
	f.at += int64(f.framed)
	f.given, f.framed = 0, 0
	// One byte stays free for the newline that the file's end may lack.
	old := len(f.buf)
	n, paused, err := f.src.readSome(f.buf[old:cap(f.buf)-1], old, false)
	f.buf, f.paused, f.ended = f.buf[:old+n], paused, err
	if err == io.EOF && old+n > 0 && f.buf[old+n-1] != '\n' {
		f.buf = append(f.buf, '\n')
	}
}

// next frames one record or skips one blank line. It returns false, perhaps
// having set err, when it cannot.
func (f *framer) next() bool {
	if f.at+int64(f.framed) >= f.end {
		f.err, f.cut = io.EOF, true
		return false
	}
	data := f.buf[f.framed:]
	if f.frame != nil && !f.fasta && !f.forBio && f.takeUsual(data) {
		return true
	}
	f.apart = false
	line, n := cutLine(data)
	switch {
	case n == 0:
		return f.more(data)
	case len(line) == 0:
		// bio takes a blank line for part of the record before it, and fails on
		// some blank lines before the first record.
		f.framed += n
		f.line++
		if f.record == 0 {
			f.given = f.framed
		}
		return true
	case f.frame == nil:
		switch data[0] {
		case '>':
			f.frame, f.fasta = frameFasta, true
		case '@':
			f.frame = frameFastq
		default:
			return f.fail(faultf(0, "found %s: want a FASTA header, which starts with '>', or a FASTQ header, with '@'", startsWith(data[0])))
		}
	}
	n, lines, bad := f.frame(data, f.ended == io.EOF)
	if bad != nil {
		return f.fail(bad)
	}
	if n == 0 {
		return f.more(data)
	}
	f.framed += n
	if f.forBio {
		f.giveBio(data[:n], f.line+1)
	}
	f.line += int64(lines)
	f.lines = lines
	f.record++
	return true
}

// more asks for more text than data, which holds less than a record, or ends.
func (f *framer) more(data []byte) bool {
	switch f.ended {
	case nil:
	case io.EOF:
		f.err = io.EOF
	default:
		f.err = f.src.fail(f.ended, f.line+1+int64(countLines(data)), f.record+1)
	}
	return false
}

func (f *framer) fail(bad *fault) bool {
	f.err = f.src.bad(bad.err, f.line+1+int64(bad.line), f.record+1)
	return false
}

// mismatch is an internal error: a bug of this package or of bio.
func (f *framer) mismatch(records int64, err error) error {
	return fmt.Errorf("%s: bio/fastx delivered %d of %d records: %w", f.src.name, records, f.record, err)
}
