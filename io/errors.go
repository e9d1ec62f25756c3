package seqio

import (
	"fmt"
	"strings"
)

// FileName is what messages call the file of a path: standard input is "-" on a command line.
func FileName(path string) string {
	if path == "-" {
		return "stdin"
	}
	return path
}

// ParseError is malformed input.
type ParseError struct {
	File   string // see FileName
	Line   int64  // from 1, in the uncompressed text
	Record int64  // from 1: a pair of a pairs file, a record of a FASTA or FASTQ file
	Err    error  // what is wrong
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s:%d: record %d: %v", e.File, e.Line, e.Record, e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }

// UnevenError reports a query and a target file of different length.
type UnevenError struct {
	ShortFile, LongFile string
	Pairs               int64 // complete pairs, all of which were delivered
	ShortRecords        int64 // of ShortFile, which may be one of several
	// LongRecord is a record of LongFile without its counterpart, and LongLine where it
	// starts: the first one or, in a shard behind it, the shard's first.
	LongRecord, LongLine int64
}

func (e *UnevenError) Error() string {
	return fmt.Sprintf("%s ends after %s, %s has more: record %d, line %d",
		e.ShortFile, count(e.ShortRecords, "record"), e.LongFile, e.LongRecord, e.LongLine)
}

// RecordError is a pair that a format of results cannot hold. See Located.
type RecordError struct {
	Record int64  // the pair's ordinal
	Line   int64  // of its hit, from 1; 0 without one
	Query  string // its name
	Why    string
}

func (e *RecordError) Error() string { return fmt.Sprintf("record %d: %s", e.Record, e.Why) }

// count is "1 record", "2 records", "2 queries".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// fault is a fault within a record, before the record's place is known.
type fault struct {
	line int // lines between the record's first line and the faulty one
	err  error
}

func faultf(line int, format string, args ...any) *fault {
	return &fault{line, fmt.Errorf(format, args...)}
}

// showByte quotes a byte so that it can be found, whatever it is.
func showByte(b byte) string {
	if b > ' ' && b < 0x7f {
		return fmt.Sprintf("%q", b)
	}
	return fmt.Sprintf("byte 0x%02x", b)
}
