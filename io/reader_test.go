package seqio

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"wfagpu/align"
)

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		in   Inputs
		want string
	}{
		{Inputs{}, "no input: want a pairs file, or a query and a target file"},
		{Inputs{Pairs: []string{"a"}, Query: []string{"b"}}, "want a pairs file, or a query and a target file, not both"},
		{Inputs{Query: []string{"a"}}, "a query file needs a target file beside it"},
		{Inputs{Target: []string{"a"}}, "a target file needs a query file beside it"},
		{Inputs{Query: []string{"-"}, Target: []string{"-"}}, "standard input cannot be both the query and the target file"},
		{Inputs{Pairs: []string{dir}}, dir + " is a directory"},
		{Inputs{Pairs: []string{filepath.Join(dir, "none")}}, "open " + filepath.Join(dir, "none") + ": no such file or directory"},
		{Inputs{Query: []string{"-"}, Target: []string{"|date"}}, "open |date: no such file or directory"},
	}
	for _, tc := range tests {
		if _, err := Open(tc.in, strings.NewReader(""), Limits{}); err == nil || err.Error() != tc.want {
			t.Errorf("Open(%+v): %v, want %s", tc.in, err, tc.want)
		}
	}
}

// TestOpenLooksAtFiles: a file of the wrong kind is refused before any work.
func TestOpenLooksAtFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reads.seq")
	if err := os.WriteFile(path, []byte("@r\nA\n+\nI\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(Inputs{Pairs: []string{path}}, nil, Limits{})
	if parse, ok := errors.AsType[*ParseError](err); !ok || parse.Line != 1 || parse.Record != 1 || parse.File != path {
		t.Errorf("got %v", err)
	}
}

func TestStdin(t *testing.T) {
	text := ">ACGT\n<AGT\n>TT\n<TTT\n"
	want := []pair{{query: "ACGT", target: "AGT"}, {query: "TT", target: "TTT"}}
	readers := map[string]io.Reader{
		"at once":       strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
		"data with EOF": iotest.DataErrReader(strings.NewReader(text)),
		"gzip":          iotest.HalfReader(strings.NewReader(compress(t, text))),
	}
	for name, stdin := range readers {
		got, err := readAll(t, Inputs{Pairs: []string{"-"}}, stdin, Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		equalPairs(t, name, got, want)
	}

	target := filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(target, []byte(">t\nG\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readAll(t, Inputs{Query: []string{"-"}, Target: []string{target}}, iotest.OneByteReader(strings.NewReader("\n\n@q x\nA\n+\nI\n")), Limits{})
	if err != nil {
		t.Error(err)
	}
	equalPairs(t, "query from stdin", got, []pair{{"q", "A", "t", "G"}})

	_, err = readAll(t, Inputs{Pairs: []string{"-"}}, strings.NewReader(">A\n<C\nG\n"), Limits{})
	if want := "stdin:3: record 2: found a line that starts with 'G': want a line >QUERY, then a line <TARGET"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestReadFailure: a failing disk is not malformed input, and the pairs before
// it are delivered.
func TestReadFailure(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for name, in := range map[string]struct {
		text string
		in   Inputs
	}{
		"seq":   {">A\n<C\n>A\n", Inputs{Pairs: []string{"-"}}},
		"fasta": {">q\nA\n>r\nA", Inputs{Query: []string{"-"}, Target: []string{"testdata/three.fa"}}},
	} {
		stdin := io.MultiReader(strings.NewReader(in.text), iotest.ErrReader(broken))
		got, err := readAll(t, in.in, stdin, Limits{})
		_, parse := errors.AsType[*ParseError](err)
		if !errors.Is(err, broken) || parse || err.Error() != "stdin: the disk is on fire" {
			t.Errorf("%s: %v", name, err)
		}
		if len(got) != 1 {
			t.Errorf("%s: %d pairs, want 1", name, len(got))
		}
	}
}

func TestSizeAndBytesRead(t *testing.T) {
	text := ">A\n<C\n>ACGT\n<AGT\n"
	path := filepath.Join(t.TempDir(), "a.seq")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Open(Inputs{Pairs: []string{path}}, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Size() != int64(len(text)) {
		t.Errorf("Size() = %d, want %d", r.Size(), len(text))
	}
	if _, err := drain(t, r, Limits{}); err != nil {
		t.Error(err)
	}
	if r.BytesRead() != int64(len(text)) {
		t.Errorf("BytesRead() = %d, want %d", r.BytesRead(), len(text))
	}

	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(6, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		stdin io.Reader
		want  int64
	}{{f, int64(len(text)) - 6}, {strings.NewReader(text), -1}} {
		r, err := Open(Inputs{Pairs: []string{"-"}}, tc.stdin, Limits{})
		if err != nil || r.Size() != tc.want {
			t.Errorf("Size() = %d, %v, want %d", r.Size(), err, tc.want)
		}
	}
}

func TestReadAfterClose(t *testing.T) {
	r, err := Open(Inputs{Query: []string{"testdata/three.fa"}, Target: []string{"testdata/three.fa"}}, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var b align.Batch
	if err := r.ReadBatch(&b); !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
}

// TestCloseDoesNotWaitForStdin: the reading ahead that Close interrupts may be
// waiting for a pipe that says nothing.
func TestCloseDoesNotWaitForStdin(t *testing.T) {
	for _, in := range []Inputs{{Pairs: []string{"-"}}, {Query: []string{"-"}, Target: []string{"testdata/three.fa"}}} {
		for _, zip := range []bool{false, true} {
			text := ">a\n<C\n"
			if len(in.Pairs) == 0 {
				text = ">a\nC\n"
			}
			// Enough to fill every buffer on the way, then silence.
			text = strings.Repeat(text, 4<<20/len(text))
			if zip {
				text = compress(t, text)
			}
			silence, write := io.Pipe()
			r, err := Open(in, io.MultiReader(strings.NewReader(text), silence), Limits{Pairs: 1})
			if err != nil {
				t.Fatal(err)
			}
			var b align.Batch
			if err := r.ReadBatch(&b); err != nil || len(b.Pairs) != 1 {
				t.Fatalf("%+v: %d pairs, %v", in, len(b.Pairs), err)
			}
			closed := make(chan error, 1)
			go func() { closed <- r.Close() }()
			select {
			case err := <-closed:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("%+v: Close waits for stdin", in)
			}
			write.Close()
		}
	}
}
