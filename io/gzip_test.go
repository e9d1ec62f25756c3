package seqio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seqText is n pairs that do not compress to nothing.
func seqText(n int) string {
	var s strings.Builder
	x := uint32(1)
	for range n {
		s.WriteByte('>')
		for range 20 {
			x = x*1664525 + 1013904223
			s.WriteByte("ACGT"[x>>30])
		}
		s.WriteString("\n<ACGT\n")
	}
	return s.String()
}

// TestDamagedGzip: whatever is wrong, the error names the file, the place that
// was reached and the cause, and no wrong pair is delivered.
func TestDamagedGzip(t *testing.T) {
	const pairs = 2000
	text := seqText(pairs)
	whole := compress(t, text)
	flip := func(i int) string {
		b := []byte(whole)
		b[i] ^= 0x55
		return string(b)
	}
	const emptyBlock = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x1b\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	tests := []struct {
		name, data, cause string
	}{
		{"cut in the header", whole[:7], "the gzip data is cut short: unexpected EOF"},
		{"only the magic", whole[:2], "the gzip data is cut short: unexpected EOF"},
		{"cut in the middle", whole[:len(whole)/2], "the gzip data is cut short: unexpected EOF"},
		{"cut before the trailer", whole[:len(whole)-8], "the gzip data is cut short: unexpected EOF"},
		{"cut in the trailer", whole[:len(whole)-3], "the gzip data is cut short: unexpected EOF"},
		{"wrong checksum", flip(len(whole) - 6), "the gzip data is damaged: gzip: invalid checksum"},
		{"wrong method", flip(2), "the gzip header is damaged: gzip: invalid header"},
		{"text behind it", whole + ">ACGT\n<ACGT\n>A\n<A\n", "the gzip data is followed by something else: gzip: invalid header"},
		{"a little behind it", whole + "\n", "the gzip data is followed by something else (1 B)"},
		{"nine bytes behind it", whole + "not gzip!", "the gzip data is followed by something else (9 B)"},
		{"a little behind the end of BGZF", whole + emptyBlock + "abc", "the gzip data is followed by something else (3 B)"},
		{"second member cut in its header", whole + whole[:7], "the gzip data is cut short: unexpected EOF"},
		{"second member cut in its magic", whole + whole[:1], "the gzip data is cut short: unexpected EOF"},
		{"zeros behind it", whole + strings.Repeat("\x00", 512), "the gzip data is followed by something else: gzip: invalid header"},
		{"second member cut", whole + whole[:len(whole)/2], "the gzip data is cut short: unexpected EOF"},
	}
	want, err := readFiles(t, Limits{}, text+text)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range tests {
		got, err := readFiles(t, Limits{}, tc.data)
		parse, ok := errors.AsType[*ParseError](err)
		if !ok || parse.Err.Error() != tc.cause {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.cause)
			continue
		}
		if parse.Record != int64(len(got)+1) || parse.Line < 2*parse.Record-1 || parse.Line > 2*parse.Record {
			t.Errorf("%s: %v after %d pairs", tc.name, message(t, err), len(got))
		}
		if len(got) > len(want) {
			t.Fatalf("%s: %d pairs", tc.name, len(got))
		}
		equalPairs(t, tc.name, got, want[:len(got)])
	}
}

// nextMember returns where the second block of BGZF begins.
func nextMember(packed string) int { return int(packed[16]) + int(packed[17])<<8 + 1 }

// BGZF without the block that ends it is read, and a notice says so; all else is whole.
func TestBGZFEnd(t *testing.T) {
	text := seqText(6000)
	packed := string(packBGZF(t, text, len(text)))
	want, err := readFiles(t, Limits{}, text+text)
	if err != nil {
		t.Fatal(err)
	}
	cut, next := packed[:len(packed)-len(bgzfEnd)], nextMember(packed)
	for _, tc := range []struct {
		name, data string
		notes      int
	}{
		{"twice", packed + packed, 0},
		{"joined", cut + packed, 0},
		{"with gzip behind it", cut + compress(t, text), 0},
		{"behind gzip", compress(t, text) + packed, 0},
		{"with an empty member between", packed + compress(t, "") + packed, 0},
		{"twice, without the end", packed + cut, 1},
		{"cut behind a block", packed + packed[:next], 1},
	} {
		path := filepath.Join(t.TempDir(), "reads.seq.gz")
		if err := os.WriteFile(path, []byte(tc.data), 0o666); err != nil {
			t.Fatal(err)
		}
		var notes []string
		got, err := readAll(t, Inputs{Pairs: []string{path}, Note: func(err error) { notes = append(notes, err.Error()) }}, nil, Limits{})
		if err != nil && !strings.HasPrefix(tc.name, "cut") {
			t.Errorf("%s: %v", tc.name, err)
		}
		if len(notes) != tc.notes && err == nil || len(notes) == 1 && notes[0] != path+": the empty block that ends BGZF is missing: the file may be cut short" {
			t.Errorf("%s: %q, want %d", tc.name, notes, tc.notes)
		}
		equalPairs(t, tc.name, got, want[:len(got)])
		if tc.name != "cut behind a block" && len(got) != len(want) {
			t.Errorf("%s: %d pairs, want %d", tc.name, len(got), len(want))
		}
	}
}

func TestDamagedGzipFastx(t *testing.T) {
	var fasta strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&fasta, ">read%d\nACGTTACGGATC\nACG\n", i)
	}
	whole := compress(t, fasta.String())
	_, err := readFiles(t, Limits{}, fasta.String(), whole[:len(whole)-20])
	parse, ok := errors.AsType[*ParseError](err)
	if !ok || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("got %v", err)
	}
	if line := (parse.Record-1)*3 + 1; parse.Line < line || parse.Line > line+2 {
		t.Errorf("record %d does not reach line %d", parse.Record, parse.Line)
	}
}

// A file that is read by blocks is known to have no end.
func TestOpenBlocksEnd(t *testing.T) {
	text := seqText(6000)
	packed := packBGZF(t, text, len(text))
	for _, tc := range []struct {
		data []byte
		want bool
	}{
		{packed, true},
		{packed[:len(packed)-len(bgzfEnd)], false},
		{packed[:nextMember(string(packed))], false},
		{[]byte(bgzfEnd), true},
	} {
		z, err := openBlocks(bytes.NewReader(tc.data), "reads.gz", int64(len(tc.data)), nil, 0)
		if err != nil || z.hasEnd() != tc.want {
			t.Errorf("%d bytes: %v, want %v", len(tc.data), err, tc.want)
		}
	}
}

// A reference without the end is told of once, when it is opened.
func TestReferenceWithoutEnd(t *testing.T) {
	fasta := ">c\n" + strings.Repeat("ACGTACGGTC\n", 20_000)
	packed := packBGZF(t, fasta, len(fasta))
	dir := t.TempDir()
	reads, reference, hits := filepath.Join(dir, "reads.fa"), filepath.Join(dir, "c.fa.gz"), filepath.Join(dir, "hits.paf")
	for path, text := range map[string]string{
		reads: ">r\nACGTACGGTC\n", reference: string(packed[:len(packed)-len(bgzfEnd)]),
		hits: "r\t10\t0\t10\t+\tc\t200000\t0\t10\t10\t10\t60\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // without and with an index
		var notes []string
		in := Inputs{Hits: hits, Query: []string{reads}, Target: []string{reference}, Note: func(err error) {
			if errors.Is(err, errNoBGZFEnd) {
				notes = append(notes, err.Error())
			}
		}}
		got, err := readAll(t, in, nil, Limits{})
		if err != nil || len(got) != 1 || len(notes) != 1 {
			t.Errorf("%v, %d pairs, notes %q", err, len(got), notes)
		}
	}
}
