package seqio

import (
	"bytes"
	"errors"
	"fmt"

	"wfagpu/io/internal/line"
)

// bio/fastx keeps no line numbers and lets several malformed files pass, so the
// functions here look at every record before bio does. They take text that
// begins with a record and return the bytes and lines of that record. n is 0
// when the record goes on, or may go on, beyond data. With atEnd nothing lies
// beyond, and data ends with a newline.

type frameFunc func(data []byte, atEnd bool) (n, lines int, f *fault)

// frameFasta frames one FASTA record: a header and any number of lines.
func frameFasta(data []byte, atEnd bool) (n, lines int, f *fault) {
	n, f = frameHeader(data, '>')
	if n == 0 || f != nil {
		return 0, 0, f
	}
	for lines = 1; n < len(data); lines++ {
		switch data[n] {
		case '>':
			return n, lines, nil
		case '@':
			return 0, 0, faultf(lines, "found a FASTQ header in a FASTA file")
		case '<':
			return 0, 0, faultf(lines, "found a line <TARGET in a FASTA file: .seq is read as a pairs file")
		}
		line, m := cutLine(data[n:])
		if m == 0 {
			return 0, 0, nil
		}
		if err := checkLetters(line, "sequence line"); err != nil {
			return 0, 0, &fault{lines, err}
		}
		n += m
	}
	if !atEnd {
		return 0, 0, nil
	}
	return n, lines, nil
}

// frameFastq frames one FASTQ record: a header, the sequence, a line that starts
// with '+', and as many quality values as there are letters. A sequence on one
// line has its values on one line; a wrapped one may have them wrapped anyhow,
// and only their count tells where they end.
func frameFastq(data []byte, atEnd bool) (n, lines int, f *fault) {
	n, f = frameHeader(data, '@')
	if n == 0 || f != nil {
		return 0, 0, f
	}
	lines = 1
	bases, values := 0, 0
	for {
		if n < len(data) && data[n] == '@' {
			return 0, 0, faultf(lines, "found the next header: want a line that starts with '+'")
		}
		line, m := cutLine(data[n:])
		if m == 0 && atEnd {
			return 0, 0, faultf(lines-1, "the file ends within the record: its line that starts with '+' is missing")
		}
		if m == 0 {
			return 0, 0, nil
		}
		n += m
		lines++
		if len(line) > 0 && line[0] == '+' {
			break
		}
		if err := checkLetters(line, "sequence line"); err != nil {
			return 0, 0, &fault{lines - 1, err}
		}
		bases += len(line)
	}
	wrapped := lines > 3
	for values < bases {
		line, m := cutLine(data[n:])
		if m == 0 && atEnd {
			return 0, 0, faultf(lines-1, "the file ends within the record: it has %s", valuesFor(values, bases))
		}
		if m == 0 {
			return 0, 0, nil
		}
		values += len(line)
		if values > bases || values < bases && !wrapped {
			return 0, 0, faultf(lines, "found %s", valuesFor(values, bases))
		}
		n += m
		lines++
	}
	return n, lines, nil
}

func valuesFor(values, bases int) string {
	return count(int64(values), "quality value") + " for " + count(int64(bases), "letter")
}

// frameHeader returns the bytes of a header line, 0 when data has not all of it.
func frameHeader(data []byte, mark byte) (int, *fault) {
	if len(data) > 0 && data[0] != mark {
		return 0, faultf(0, "found %s: want a header that starts with %q", startsWith(data[0]), mark)
	}
	line, n := cutLine(data)
	if n == 0 {
		line = data
	}
	if i := bytes.IndexByte(line, '\r'); i >= 0 && len(bytes.TrimLeft(line[i:], "\r")) > 0 {
		return 0, &fault{0, fmt.Errorf("header position %d: byte 0x0d is followed by more: %w", i+1, errLoneCR)}
	}
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return 0, faultf(0, "header position %d: byte 0x00 is no text", i+1)
	}
	if n > 0 && len(firstWord(line[1:])) == 0 {
		return 0, faultf(0, "the header has no name")
	}
	return n, nil
}

// errLoneCR refuses the line ends of old Macs. Without it, a whole FASTA file of
// them would be the header of one empty record.
var errLoneCR = errors.New(`want lines that end in LF or CRLF, not in CR alone; tr '\r' '\n' converts them`)

// cutLine returns the first line of data without its end, and the bytes it
// takes with it; 0 when data has no whole line.
func cutLine(data []byte) (line []byte, n int) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return nil, 0
	}
	return trimCR(data[:i]), i + 1
}

// firstWord returns the name in a header.
func firstWord(header []byte) []byte { return line.FirstWord(header) }
