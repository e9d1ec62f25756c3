package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"wfagpu/align"
)

// seqPairs reads a pairs file. Blocks are read into the batch's Buf, and pairs are
// slices of it. Text beyond the last pair that fits is carried over to the next
// batch. The buffer never moves once it holds a pair: it grows only while a batch
// has none, for a pair larger than a batch.
type seqPairs struct {
	src    *source
	limits Limits
	carry  []byte
	ended  bool  // the source is at its end
	failed error // the read error that ended it, if any
	line   int64 // lines before the carried bytes
	record int64 // pairs before them
}

// seqStep is the size of a read, in bytes: large enough for the system call to be
// cheap, small enough for the text to be in cache when it is parsed.
const seqStep = 256 << 10

func newSeqPairs(src *source, limits Limits) (*seqPairs, error) {
	s := &seqPairs{src: src, limits: limits}
	// Names the usual mistakes before anything else is set up.
	if first := bytes.TrimLeft(src.head, "\r\n"); len(first) > 0 && first[0] != '>' {
		return nil, s.parseError(fault{countLines(src.head[:len(src.head)-len(first)]), notQueryLine(first[0])})
	}
	return s, nil
}

// halt and wait do nothing: no goroutine of this package reads ahead.
func (s *seqPairs) halt() {}
func (s *seqPairs) wait() {}

func countLines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// parseError places a fault of the current record.
func (s *seqPairs) parseError(f fault) error {
	return s.src.bad(f.err, s.line+1+int64(f.line), s.record+1)
}

func (s *seqPairs) fill(b *align.Batch) error {
	buf, used, err := s.cut(b, s.buffer(b))
	s.carry = append(s.carry[:0], buf[used:]...)
	b.Buf = buf[:used]
	return err
}

// cut reads into buf and cuts pairs off it until the batch is full or the input
// ends. It returns the buffer and how much of it the pairs take.
func (s *seqPairs) cut(b *align.Batch, buf []byte) (_ []byte, used int, _ error) {
	bases, paused := 0, false
	for {
		for {
			pair, n, lines, f := cutPair(buf[used:], s.record+1)
			if f != nil {
				return buf, used, s.parseError(*f)
			}
			if n == 0 {
				break
			}
			size := len(pair.Pattern) + len(pair.Text)
			if s.limits.full(b, bases, size) {
				return buf, used, nil
			}
			b.Pairs = append(b.Pairs, pair)
			bases += size
			used += n
			s.line += int64(lines)
			s.record++
		}
		if s.ended {
			return buf, used, s.end(buf[used:])
		}
		if paused && len(b.Pairs) > 0 {
			return buf, used, nil
		}
		// One byte stays free for the newline that the file's end may lack.
		room := cap(buf) - len(buf) - 1
		if len(b.Pairs) >= s.limits.Pairs || room <= 0 && len(b.Pairs) > 0 {
			return buf, used, nil
		}
		if room <= 0 {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
			continue
		}
		// Reading as much again as is left over keeps the rescanning of a long
		// pair linear in its length.
		block := min(room, max(seqStep, len(buf)-used))
		var n int
		var err error
		n, paused, err = s.src.readSome(buf[len(buf):len(buf)+block], len(buf)-used, len(b.Pairs) > 0)
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF:
			s.ended = true
			if len(buf) > 0 && buf[len(buf)-1] != '\n' {
				buf = append(buf, '\n')
			}
		case err != nil:
			s.failed = err
			s.ended = true
		}
	}
}

// buffer returns the batch's storage with the carried bytes in it and room for
// more.
func (s *seqPairs) buffer(b *align.Batch) []byte {
	want := max(s.limits.storage(), len(s.carry)+1024)
	if cap(b.Buf) < want {
		b.Buf = largeBytes(want)
	}
	return append(b.Buf[:0], s.carry...)
}

// end is the error at the end of a file whose last bytes, less than a pair, are
// rest; io.EOF where nothing is missing.
func (s *seqPairs) end(rest []byte) error {
	if s.failed != nil {
		return s.src.fail(s.failed, s.line+1+int64(countLines(rest)), s.record+1)
	}
	lines := countLines(rest)
	rest = bytes.TrimRight(rest, "\r\n")
	if len(rest) == 0 {
		return io.EOF
	}
	if s.src.followed {
		return s.parseError(fault{lines, notTargetLine('>', s.record+1)})
	}
	// A whole pair may stand in one line: its ends may be CR alone.
	if _, _, err := cutName(bytes.TrimLeft(rest, "\r\n")[1:], "query"); err != nil {
		return s.parseError(fault{countLines(rest), err})
	}
	return s.parseError(fault{countLines(rest), errors.New("the file ends after a line >QUERY: its line <TARGET is missing")})
}

// wholePair is cutPair for the usual pair: two lines of letters without a blank line,
// all of it in data. For anything else it returns n = 0, and cutPair takes it. One pass
// over the letters checks them and finds their end.
func wholePair(data []byte) (query, target []byte, n int) {
	query, n = wholeLine(data, '>')
	if n == 0 {
		return nil, nil, 0
	}
	target, m := wholeLine(data[n:], '<')
	if m == 0 {
		return nil, nil, 0
	}
	return query, target, n + m
}

// wholeLine returns the letters of the line at the start of data, which begins
// with mark, and the bytes it takes; 0 when it is not such a line.
func wholeLine(data []byte, mark byte) (letters []byte, n int) {
	if len(data) == 0 || data[0] != mark {
		return nil, 0
	}
	end := 1 + letterRun(data[1:])
	n = end
	if n < len(data) && data[n] == '\r' {
		n++
	}
	if n == len(data) || data[n] != '\n' {
		return nil, 0
	}
	return data[1:end], n + 1
}

// cutPair takes the pair of the given ordinal from the start of data, which
// begins with a line. It returns the bytes and lines the pair takes, blank lines
// before it included, or n = 0 when data does not hold all of it yet.
func cutPair(data []byte, record int64) (p align.Pair, n, lines int, f *fault) {
	if p.Pattern, p.Text, n = wholePair(data); n > 0 {
		return p, n, 2, nil
	}
	query, n, lines := textLine(data)
	if n == 0 {
		return align.Pair{}, 0, 0, nil
	}
	queryLine := lines - 1
	if query[0] != '>' {
		return align.Pair{}, 0, 0, &fault{queryLine, notQueryLine(query[0])}
	}
	target, m, more := textLine(data[n:])
	if m == 0 {
		return align.Pair{}, 0, 0, nil
	}
	n, lines = n+m, lines+more
	if target[0] != '<' {
		return align.Pair{}, 0, 0, &fault{lines - 1, notTargetLine(target[0], record)}
	}
	var err error
	if p.Pattern, p.PatternName, err = cutName(query[1:], "query"); err != nil {
		return align.Pair{}, 0, 0, &fault{queryLine, err}
	}
	if p.Text, p.TextName, err = cutName(target[1:], "target"); err != nil {
		return align.Pair{}, 0, 0, &fault{lines - 1, err}
	}
	return p, n, lines, nil
}

// cutName takes a line apart: letters and, behind a tab, a name, nil if there is none. A blank
// separates nothing: it may be a fault in the sequence. A name is one word, without '>', so
// that the lines of queries can be counted.
func cutName(line []byte, what string) (letters, name []byte, err error) {
	end := letterRun(line)
	if end == len(line) || line[end] != '\t' {
		return line, nil, checkLetters(line, what)
	}
	name = line[end+1:]
	if len(name) == 0 {
		return nil, nil, fmt.Errorf("%s position %d: a tab without a name behind it", what, end+1)
	}
	for i, b := range name {
		if b <= ' ' || b == '>' || b == 0x7f {
			return nil, nil, fmt.Errorf("the name of the %s, position %d: %s may not stand in a name, which is one word", what, i+1, showByte(b))
		}
	}
	return line[:end:end], name[:len(name):len(name)], nil
}

// blankLines returns the bytes and the number of the blank lines at the start of
// data.
func blankLines(data []byte) (n, lines int) {
	for {
		line, m := cutLine(data[n:])
		if m == 0 || len(line) > 0 {
			return n, lines
		}
		n += m
		lines++
	}
}

// textLine returns the first line of data that is not blank, without its end,
// with the bytes and lines up to and including it; n is 0 when there is none.
func textLine(data []byte) (line []byte, n, lines int) {
	for {
		i := bytes.IndexByte(data[n:], '\n')
		if i < 0 {
			return nil, 0, 0
		}
		line = trimCR(data[n : n+i])
		n += i + 1
		lines++
		if len(line) > 0 {
			return line, n, lines
		}
	}
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
