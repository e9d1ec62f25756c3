package seqio

import (
	"bytes"

	"wfagpu/io/internal/letters"
	"wfagpu/io/internal/line"
)

// Most records of FASTQ have four lines of printable text that end in LF. These are taken apart in
// one pass. Whatever else stands in a file, a fault too, is left to frame.go.

// usualParts says where the parts of a usual record of FASTQ are.
type usualParts struct {
	name    int // its length, behind the first byte
	letters int // where they begin
	length  int // of the letters, and of the qualities
	size    int // of all, with the end of the last line
}

func (u usualParts) qualities() int { return u.size - 1 - u.length }

func (u usualParts) record(data []byte) (r record) {
	end, from := u.letters+u.length, u.qualities()
	r.name, r.letters = data[1:1+u.name:1+u.name], data[u.letters:end:end]
	r.qualities = data[from : from+u.length : from+u.length]
	return r
}

// usualFastq takes the usual record at the start of data apart. The size is 0 for any other text. It
// looks at no quality value but for the end of their line: see usualValues.
func usualFastq(data []byte) (u usualParts) {
	name, n := usualHeader(data, '@')
	if n == 0 {
		return usualParts{}
	}
	sequence := data[n:]
	u.name, u.letters, u.length = name, n, letterRun(sequence)
	if n += u.length; u.length == 0 || len(data)-n < u.length+4 || data[n] != '\n' || data[n+1] != '+' {
		return usualParts{}
	}
	n += 2
	if data[n] != '\n' {
		m := bytes.IndexByte(data[n:], '\n')
		if m < 0 {
			return usualParts{}
		}
		n += m
	}
	n++
	if len(data)-n <= u.length || data[n+u.length] != '\n' || data[n+u.length-1] == '\r' {
		return usualParts{}
	}
	u.size = n + u.length + 1
	return u
}

// usualValues reports whether the values of a usual record are one line, and quality values if they are
// kept.
func usualValues(values []byte, kept bool) bool {
	if kept {
		return letters.Values(values)
	}
	return bytes.IndexByte(values, '\n') < 0
}

// usualHeader returns the length of the name in a header of printable text, and that of its line; 0 for
// any other one.
func usualHeader(data []byte, mark byte) (name, n int) {
	if len(data) == 0 || data[0] != mark {
		return 0, 0
	}
	n = 1 + line.WordRun(data[1:])
	name = n - 1
	for n < len(data) && (data[n] >= ' ' || data[n] == '\t') {
		n++
	}
	if name == 0 || n == len(data) || data[n] != '\n' {
		return 0, 0
	}
	return name, n + 1
}

// takeUsual frames the record at the start of data if it is usual, and takes it apart.
func (f *framer) takeUsual(data []byte) bool {
	u := usualFastq(data)
	if u.size == 0 {
		return false
	}
	r := u.record(data)
	if !usualValues(r.qualities, f.keepValues) {
		return false
	}
	f.framed += u.size
	f.line += 4
	f.lines = 4
	f.record++
	f.parts, f.apart = r, true
	return true
}
