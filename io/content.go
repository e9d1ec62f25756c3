package seqio

import (
	"bytes"
	"fmt"
)

const wantPairs = "want a line >QUERY, then a line <TARGET"

// magics lists formats that are passed to an aligner by mistake, by their first
// bytes.
var magics = []struct{ prefix, what string }{
	{"BAM\x01", "BAM"},
	{"CRAM", "CRAM"},
	{"\x1f\x8b", "data compressed with gzip twice"},
	{"\xfd7zXZ", "data compressed with xz"},
	{"\x28\xb5\x2f\xfd", "data compressed with zstd"},
	{"BZh", "data compressed with bzip2"},
	{"PK\x03\x04", "a zip archive"},
	{"\x89HDF", "HDF5 (FAST5)"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
}

// foreign returns the name of a format that is not sequence text, or "".
func foreign(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return m.what
		}
	}
	if isSAM(head) {
		return sam
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "binary data"
	}
	return ""
}

// sam is what foreign calls SAM, the one of them that is text.
const sam = "SAM"

// isSAM recognises SAM by a header line, or else by the tabs and the numbers of its
// first record (flag, position, mapping quality).
func isSAM(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	fields := bytes.Split(line, []byte{'\t'})
	switch string(fields[0]) {
	case "@HD", "@SQ", "@RG", "@PG":
		return len(fields) > 1 && len(fields[1]) > 3 && fields[1][2] == ':'
	}
	if len(fields) < 10 || len(line) == len(head) && len(fields) < 11 {
		return false
	}
	for _, i := range []int{1, 3, 4} {
		if len(fields[i]) == 0 || len(bytes.Trim(fields[i], "0123456789")) > 0 {
			return false
		}
	}
	return true
}

// startsWith describes a line by its first byte.
func startsWith(b byte) string { return "a line that starts with " + showByte(b) }

// notQueryLine explains a line of a pairs file where '>' was due.
func notQueryLine(b byte) error {
	switch b {
	case '@':
		return fmt.Errorf("found a FASTQ header in a pairs file: %s (FASTA and FASTQ are read as a query and a target file)", wantPairs)
	case '<':
		return fmt.Errorf("found a line <TARGET without its line >QUERY")
	}
	return fmt.Errorf("found %s: %s", startsWith(b), wantPairs)
}

// notTargetLine explains a line of a pairs file where '<' was due.
func notTargetLine(b byte, record int64) error {
	switch {
	case b == '>':
		return fmt.Errorf("found a second line >QUERY: want a line <TARGET after the first")
	case record == 1 && isLetter[b]:
		return fmt.Errorf("found a FASTA sequence in a pairs file: %s (FASTA and FASTQ are read as a query and a target file)", wantPairs)
	}
	return fmt.Errorf("found %s: want a line <TARGET after the line >QUERY", startsWith(b))
}
