package seqio

import "bytes"

// Most records of FASTQ have four lines of printable text that end in LF. These are taken apart in
// one pass. Whatever else stands in a file, a fault too, is left to frame.go.

// usualFastq takes the usual record at the start of data apart, and returns its bytes; 0 for any
// other text. It looks at no quality value but for the end of their line: see usualValues.
func usualFastq(data []byte) (r record, n int) {
	r.name, n = usualHeader(data, '@')
	if n == 0 {
		return r, 0
	}
	letters := data[n:]
	length := letterRun(letters)
	if n += length; length == 0 || len(data)-n < length+4 || data[n] != '\n' || data[n+1] != '+' {
		return r, 0
	}
	n += 2
	if data[n] != '\n' {
		m := bytes.IndexByte(data[n:], '\n')
		if m < 0 {
			return r, 0
		}
		n += m
	}
	n++
	if len(data)-n <= length || data[n+length] != '\n' || data[n+length-1] == '\r' {
		return r, 0
	}
	r.letters, r.qualities = letters[:length:length], data[n:n+length:n+length]
	return r, n + length + 1
}

// usualHeader returns the name in a header of printable text, and the bytes of its line; 0 for any
// other one.
func usualHeader(data []byte, mark byte) (name []byte, n int) {
	if len(data) == 0 || data[0] != mark {
		return nil, 0
	}
	n = 1
	for n < len(data) && data[n] > ' ' {
		n++
	}
	name = data[1:n:n]
	for n < len(data) && (data[n] >= ' ' || data[n] == '\t') {
		n++
	}
	if len(name) == 0 || n == len(data) || data[n] != '\n' {
		return nil, 0
	}
	return name, n + 1
}

// takeUsual frames the record at the start of data if it is usual, and takes it apart.
func (f *framer) takeUsual(data []byte) bool {
	r, n := usualFastq(data)
	if n == 0 || bytes.IndexByte(r.qualities, '\n') >= 0 {
		return false
	}
	f.framed += n
	f.line += 4
	f.lines = 4
	f.record++
	f.parts, f.apart = r, true
	return true
}
