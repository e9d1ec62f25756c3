package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"wfagpu/io/internal/letters"
)

const wantPairs = "want a line >QUERY, then a line <TARGET"

// magics lists formats that are passed to an aligner by mistake, by their first
// bytes.
var magics = []struct{ prefix, what string }{
	{"BAM\x01", "BAM"},
	{"CRAM", "CRAM"},
	{"BCF\x02", "BCF"},
	{"\x43\x27\x41\x1a", "2bit"},
	{"\x1a\x41\x27\x43", "2bit"},
	{"\x1f\x8b", "data compressed with gzip"},
	{"\x1f\x9d", "data compressed with compress"},
	{"\xfd7zXZ", "data compressed with xz"},
	{"\x28\xb5\x2f\xfd", "data compressed with zstd"},
	{"\x04\x22\x4d\x18", "data compressed with lz4"},
	{"BZh", "data compressed with bzip2"},
	{"PK\x03\x04", "a zip archive"},
	{"PK\x05\x06", "a zip archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\x89HDF", "HDF5 (FAST5)"},
	{"\x8bPOD\r\n", "POD5"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
}

// textMagics lists such formats that are text, by their first letters.
var textMagics = []struct{ prefix, what string }{
	{"##fileformat=VCF", "VCF"},
	{"##gff-version", "GFF"},
	{"<!doctype html", "HTML, perhaps the error page of a download"},
	{"<html", "HTML, perhaps the error page of a download"},
}

// start is unpack that refuses content that cannot be sequence text.
func (s *source) start() error {
	if err := s.unpack(); err != nil {
		return err
	}
	if err := foreign(s.head); err != nil {
		return &ParseError{s.name, 1, 1, err}
	}
	return nil
}

// foreign names a format that is not sequence text; nil for any other text.
func foreign(head []byte) error {
	if err := binaryData(head); err != nil {
		return err
	}
	if isSAM(head) {
		return errors.New("found SAM: want pairs, FASTA or FASTQ; samtools fasta or fastq converts")
	}
	if isPAF(head) {
		return notSequences("PAF")
	}
	for _, m := range textMagics {
		if len(head) >= len(m.prefix) && strings.EqualFold(string(head[:len(m.prefix)]), m.prefix) {
			return notSequences(m.what)
		}
	}
	return nil
}

// foreignHits is foreign for PAF.
func foreignHits(head []byte) error {
	if err := binaryData(head); err != nil {
		return err
	}
	if isPAF(head) {
		return nil
	}
	if isSAM(head) {
		return errors.New("found SAM: want PAF; paftools.js sam2paf converts, and minimap2 prints PAF without -a")
	}
	if len(head) > 0 && (head[0] == '>' || head[0] == '@') {
		return fmt.Errorf("found %s, as of sequences: want PAF", startsWith(head[0]))
	}
	return nil
}

// binaryData names a format that is no text.
func binaryData(head []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return notText(m.what)
		}
	}
	if len(head) >= tarMagicAt+5 && string(head[tarMagicAt:tarMagicAt+5]) == "ustar" {
		return notText("a tar archive")
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return notText("binary data")
	}
	return nil
}

const tarMagicAt = 257

func notText(what string) error {
	return fmt.Errorf("found %s: want text, plain or compressed once with gzip, zstd, bzip2 or xz", what)
}

func notSequences(what string) error {
	return fmt.Errorf("found %s: want pairs, FASTA or FASTQ", what)
}

// columns are the columns of the first line of head, and whether it ends in head.
func columns(head []byte) (fields [][]byte, whole bool) {
	line, _, whole := bytes.Cut(head, []byte{'\n'})
	return bytes.Split(line, []byte{'\t'}), whole
}

// areNumbers reports whether the fields of these indices are.
func areNumbers(fields [][]byte, indices ...int) bool {
	for _, i := range indices {
		if len(fields[i]) == 0 || len(bytes.Trim(fields[i], "0123456789")) > 0 {
			return false
		}
	}
	return true
}

// isSAM recognises SAM by a header line, or else by the tabs and the numbers of its
// first record (flag, position, mapping quality).
func isSAM(head []byte) bool {
	fields, whole := columns(head)
	switch string(fields[0]) {
	case "@HD", "@SQ", "@RG", "@PG":
		return len(fields) > 1 && len(fields[1]) > 3 && fields[1][2] == ':'
	}
	if len(fields) < 10 || !whole && len(fields) < 11 {
		return false
	}
	return areNumbers(fields, 1, 3, 4)
}

// isPAF recognises PAF by the numbers and the strand of its first record.
func isPAF(head []byte) bool {
	fields, _ := columns(head)
	return len(fields) >= 12 && (string(fields[4]) == "+" || string(fields[4]) == "-") && areNumbers(fields, 1, 2, 3, 6, 7, 8)
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
	case record == 1 && letters.Is[b]:
		return fmt.Errorf("found a FASTA sequence in a pairs file: %s (FASTA and FASTQ are read as a query and a target file)", wantPairs)
	}
	return fmt.Errorf("found %s: want a line <TARGET after the line >QUERY", startsWith(b))
}
