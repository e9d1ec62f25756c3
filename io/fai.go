package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// The index of a FASTA file, as samtools faidx writes it, has a line of five numbers and
// names for each sequence: name, letters, where the first one is in the text, letters of a
// line, bytes of a line. The libraries that read and make one split lines at quotes, take no
// long line or keep no places behind blank ones; hence this one.

// indexed is a sequence in an index.
type indexed struct {
	name       string
	length     int64
	offset     int64 // of the first letter
	line, step int64 // letters and bytes of every line but the last
}

// textIndex is an index of sequences.
type textIndex struct {
	all   []indexed
	names map[string]int32 // in all; doubled if there are two
}

// doubled is what a name that two sequences have stands for.
const doubled = -1

// find returns the sequence of a name.
func (x *textIndex) find(name []byte) (*indexed, error) {
	i, ok := x.names[string(name)]
	switch {
	case !ok:
		return nil, errNoName
	case i == doubled:
		return nil, errTwoNames
	}
	return &x.all[i], nil
}

var (
	errNoName   = errors.New("there is no sequence of that name")
	errTwoNames = errors.New("two sequences have that name")
)

func (x *textIndex) add(s indexed) error {
	if len(x.all) == math.MaxInt32 {
		return errors.New("there are too many sequences")
	}
	if x.names == nil {
		x.names = map[string]int32{}
	}
	if _, ok := x.names[s.name]; ok {
		x.names[s.name] = doubled
	} else {
		x.names[s.name] = int32(len(x.all))
	}
	x.all = append(x.all, s)
	return nil
}

// at is where letter i is in the text.
func (s *indexed) at(i int64) int64 {
	if s.line == 0 {
		return s.offset
	}
	return s.offset + i/s.line*s.step + i%s.line
}

// check refuses numbers that no sequence in a text of a size has.
func (s *indexed) check(size int64) error {
	const most = math.MaxInt64 / 4
	switch {
	case s.name == "":
		return errors.New("a name is missing")
	case s.length < 0 || s.offset < 0 || s.line < 0 || s.step < s.line || s.step > most/4:
		return errors.New("its numbers are of no sequence")
	case s.length == 0:
		return nil
	case s.line == 0:
		return errors.New("its lines have no letters")
	case s.length > s.line && s.step == s.line:
		return errors.New("its lines have no ends")
	case s.length > most || s.offset > size || s.length/s.line > most/s.step || s.at(s.length-1) >= size:
		return fmt.Errorf("it ends behind byte %d, the end of the text", size)
	}
	return nil
}

// parseFAI reads the index of a text of a size. The file's name is for errors.
func parseFAI(data []byte, name string, size int64) (*textIndex, error) {
	x := &textIndex{}
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte{'\n'})
		s, err := parseIndexed(trimCR(line))
		if err == nil {
			err = s.check(size)
		}
		if err == nil {
			err = x.add(s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return x, nil
}

func parseIndexed(line []byte) (s indexed, err error) {
	fields := bytes.Split(line, []byte{'\t'})
	if len(fields) == 6 {
		return s, errors.New("this is an index of FASTQ: want one of FASTA")
	}
	if len(fields) != 5 {
		return s, fmt.Errorf("%s: want 5, as samtools faidx writes", count(int64(len(fields)), "column"))
	}
	s.name = string(fields[0])
	for i, to := range []*int64{&s.length, &s.offset, &s.line, &s.step} {
		if *to, err = strconv.ParseInt(string(fields[i+1]), 10, 64); err != nil {
			return s, fmt.Errorf("column %d: %.40q is no number", i+2, fields[i+1])
		}
	}
	return s, nil
}

// appendFAI is the index as text.
func (x *textIndex) appendFAI(dst []byte) []byte {
	for _, s := range x.all {
		dst = append(dst, s.name...)
		for _, n := range []int64{s.length, s.offset, s.line, s.step} {
			dst = strconv.AppendInt(append(dst, '\t'), n, 10)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// errIrregular says that no index can tell where the letters of a text are.
var errIrregular = errors.New("the lines of a sequence have different lengths")

// faiMaker makes the index of a text that it is given line by line.
type faiMaker struct {
	index textIndex
	cur   indexed
	begun bool
	short bool // the last line ended the sequence
	at    int64
	lines int64
}

// makeFAI reads a source that has been started to its end and returns the index of its text.
func makeFAI(src *source) (*textIndex, error) {
	m := &faiMaker{at: src.skipped}
	buf := make([]byte, 0, seqStep)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, len(buf))
		}
		n, err := src.readFull(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		used, bad := m.takeLines(buf)
		if bad != nil {
			return nil, bad
		}
		buf = append(buf[:0], buf[used:]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, src.fail(err, m.lines+1, int64(len(m.index.all)+1))
		}
	}
	if len(buf) > 0 {
		if err := m.add(buf); err != nil {
			return nil, err
		}
	}
	return &m.index, m.end()
}

// takeLines takes the whole lines of a text and returns how many bytes they have.
func (m *faiMaker) takeLines(text []byte) (used int, err error) {
	for {
		n := bytes.IndexByte(text[used:], '\n') + 1
		if n == 0 {
			return used, nil
		}
		if err := m.add(text[used : used+n]); err != nil {
			return 0, err
		}
		used += n
	}
}

// add takes one line with its end, which the last one of a text may lack.
func (m *faiMaker) add(line []byte) error {
	start := m.at
	m.at += int64(len(line))
	m.lines++
	letters := int64(len(trimCR(bytes.TrimSuffix(line, []byte{'\n'}))))
	switch {
	case letters == 0:
		m.short = true
		return nil
	case line[0] == '>':
		if err := m.end(); err != nil {
			return err
		}
		name := firstWord(line[1:])
		if len(name) == 0 {
			return errIrregular
		}
		m.cur = indexed{name: string(name), offset: m.at}
		m.begun, m.short = true, false
		return nil
	case !m.begun, m.short && m.cur.length > 0, m.cur.length > 0 && letters > m.cur.line:
		return errIrregular
	case m.cur.length == 0:
		m.cur.offset, m.cur.line, m.cur.step = start, letters, int64(len(line))
		m.short = false
	default:
		// A line of other letters or with another end has to be the last one.
		m.short = letters != m.cur.line || int64(len(line)) != m.cur.step
	}
	m.cur.length += letters
	return nil
}

func (m *faiMaker) end() error {
	if !m.begun {
		return nil
	}
	return m.index.add(m.cur)
}
