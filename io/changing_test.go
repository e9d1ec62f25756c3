package seqio

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
)

// TestChangingFiles: one of two files that is cut off while it is read is an error,
// between records, too, and so is a pairs file that is standard input. A file that
// grows is read to its new end.
func TestChangingFiles(t *testing.T) {
	fasta := strings.Repeat(">a\nACGTACGT\n", 250_000) // more than is read ahead
	record := int64(len(">a\nACGTACGT\n"))
	pairs := strings.Repeat(">ACGT\n<ACG\n", 100_000)
	dir := t.TempDir()
	q, x := filepath.Join(dir, "q"), filepath.Join(dir, "t")
	for _, tc := range []struct {
		name   string
		texts  [2]string
		change func() error
		pairs  int
		err    string
	}{
		{"target cut off", [2]string{fasta, fasta}, func() error { return os.Truncate(x, 200_000*record+5) }, 200_000,
			"t:400002: record 200001: the file has become shorter while it was read: it had 3000000 bytes and ends after 2400005"},
		{"query cut off between records", [2]string{fasta, fasta}, func() error { return os.Truncate(q, 200_000*record) }, 199_999,
			"q:400001: record 200000: the file has become shorter while it was read: it had 3000000 bytes and ends after 2400000"},
		{"both grow", [2]string{fasta, fasta}, func() error { return appendTo(fasta, q, x) }, 500_000, ""},
		{"one grows", [2]string{fasta, fasta}, func() error { return appendTo(fasta, q) }, 250_000, "t ends after 250000 records, q has more: record 250001, line 500001"},
		{"standard input cut off", [2]string{pairs, ""}, func() error { return os.Truncate(q, 11*90_000) }, 90_000,
			"stdin:180001: record 90001: the file has become shorter while it was read: it had 1100000 bytes and ends after 990000"},
	} {
		for i, path := range []string{q, x} {
			if err := os.WriteFile(path, []byte(tc.texts[i]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		stdin, err := os.Open(q)
		if err != nil {
			t.Fatal(err)
		}
		in := Inputs{Query: []string{q}, Target: []string{x}}
		if tc.texts[1] == "" {
			in = Inputs{Pairs: []string{"-"}}
		}
		lim := Limits{Bases: 7000, Pairs: 1000}
		r, err := Open(in, stdin, lim)
		if err != nil {
			t.Fatal(err)
		}
		var b align.Batch
		if err := r.ReadBatch(&b); err != nil {
			t.Fatal(err)
		}
		if err := tc.change(); err != nil {
			t.Fatal(err)
		}
		n := len(b.Pairs)
		for err == nil {
			err = r.ReadBatch(&b)
			n += len(b.Pairs)
		}
		if err == io.EOF {
			err = nil
		}
		if msg := message(t, err); n != tc.pairs || msg != tc.err {
			t.Errorf("%s: %d pairs and %q, want %d and %q", tc.name, n, msg, tc.pairs, tc.err)
		}
		r.Close()
		stdin.Close()
	}
}

func appendTo(text string, paths ...string) error {
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		if _, err := f.WriteString(text); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
