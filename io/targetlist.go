package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
)

// listLines reads the lines of an index or of a header.
func listLines(src *source, g *targetGroup) error {
	const buffer, longest = 256 << 10, 1 << 20
	lines := bufio.NewScanner(src.body)
	lines.Buffer(make([]byte, buffer), longest)
	n := int64(0)
	for lines.Scan() {
		n++
		text := trimCR(lines.Bytes())
		first, rest, more := bytes.Cut(text, []byte{'\t'})
		header := bytes.HasPrefix(first, []byte{'@'})
		var name, length []byte
		switch {
		case len(text) == 0, header && len(first) == 3 && string(first) != "@SQ":
			continue // or another line of a header
		case header:
			name, length = sqFields(rest)
		case more:
			name = first
			length, _, _ = bytes.Cut(rest, []byte{'\t'})
		}
		l, err := strconv.ParseInt(string(length), 10, 64)
		if len(name) == 0 || err != nil || l < 0 {
			if err := g.flush(); err != nil {
				return err
			}
			return &ParseError{src.name, n, n, errors.New("want the name and the length of a sequence: FASTA, its index (.fai), or a SAM header (.dict)")}
		}
		if err := g.add(Target{Name: g.keep(name), Length: int(l)}, recordLine{n, n}); err != nil {
			return err
		}
	}
	if err := g.flush(); err != nil {
		return err
	}
	if err := lines.Err(); err == bufio.ErrTooLong {
		return &ParseError{src.name, n + 1, n + 1, errors.New("the line has more than 1 MB")}
	} else if err != nil {
		return src.fail(err, n+1, n+1)
	}
	return nil
}

// sqFields returns the name and the length in a line @SQ.
func sqFields(fields []byte) (name, length []byte) {
	for len(fields) > 0 {
		f := fields
		if tab := bytes.IndexByte(fields, '\t'); tab >= 0 {
			f, fields = fields[:tab], fields[tab+1:]
		} else {
			fields = nil
		}
		if v, ok := bytes.CutPrefix(f, []byte("SN:")); ok {
			name = v
		}
		if v, ok := bytes.CutPrefix(f, []byte("LN:")); ok {
			length = v
		}
	}
	return name, length
}
