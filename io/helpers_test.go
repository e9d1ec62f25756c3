package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/pgzip"

	"wfagpu/align"
)

// pair is an align.Pair copied out of its batch.
type pair struct{ qName, query, tName, target string }

// drain reads everything and checks what every batch promises.
func drain(t testing.TB, r *Reader, lim Limits) ([]pair, error) {
	t.Helper()
	lim = lim.withDefaults()
	var got []pair
	var b align.Batch
	for {
		err := r.ReadBatch(&b)
		if len(b.Pairs) > 0 && b.First != int64(len(got)+1) {
			t.Fatalf("First = %d after %d pairs", b.First, len(got))
		}
		if len(b.Pairs) > lim.Pairs || len(b.Pairs) > 1 && b.Bases() > lim.Bases {
			t.Fatalf("a batch of %d pairs and %d bases is over the limits %+v", len(b.Pairs), b.Bases(), lim)
		}
		for _, p := range b.Pairs {
			got = append(got, pair{string(p.PatternName), string(p.Pattern), string(p.TextName), string(p.Text)})
		}
		if err == nil {
			if len(b.Pairs) == 0 {
				t.Fatal("an empty batch without an error")
			}
			continue
		}
		if err == io.EOF && len(b.Pairs) > 0 {
			t.Fatal("io.EOF with pairs")
		}
		if again := r.ReadBatch(&b); !errors.Is(again, err) || len(b.Pairs) > 0 {
			t.Fatalf("after %v came %v with %d pairs", err, again, len(b.Pairs))
		}
		if err == io.EOF {
			err = nil
		}
		return got, err
	}
}

// readAll opens the inputs and drains them.
func readAll(t testing.TB, in Inputs, stdin io.Reader, lim Limits) ([]pair, error) {
	t.Helper()
	r, err := Open(in, stdin, lim)
	if err != nil {
		return nil, err
	}
	got, err := drain(t, r, lim)
	if closeErr := r.Close(); closeErr != nil {
		t.Errorf("Close: %v", closeErr)
	}
	return got, err
}

// readFiles writes the texts to files and reads them: one as a pairs file, two
// as a query and a target file.
func readFiles(t testing.TB, lim Limits, texts ...string) ([]pair, error) {
	t.Helper()
	dir := t.TempDir()
	names := []string{"pairs", "target"}
	if len(texts) == 2 {
		names[0] = "query"
	}
	paths := make([]string, 2)
	for i, text := range texts {
		paths[i] = filepath.Join(dir, names[i])
		if err := os.WriteFile(paths[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := Inputs{Pairs: []string{paths[0]}}
	if len(texts) == 2 {
		in = Inputs{Query: []string{paths[0]}, Target: []string{paths[1]}}
	}
	got, err := readAll(t, in, nil, lim)
	return got, err
}

// message is an error's text without the directory of the test's files.
func message(t testing.TB, err error) string {
	if err == nil {
		return ""
	}
	words := strings.Fields(err.Error())
	for i, w := range words {
		if strings.HasPrefix(w, os.TempDir()) {
			words[i] = filepath.Base(w)
		}
	}
	return strings.Join(words, " ")
}

func equalPairs(t testing.TB, name string, got, want []pair) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", name, got, want)
	}
}

// compress makes one gzip member of each text.
func compress(t testing.TB, members ...string) string {
	t.Helper()
	var buf bytes.Buffer
	for _, m := range members {
		w := pgzip.NewWriter(&buf)
		if _, err := io.WriteString(w, m); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

// newTextWriter writes text, compressed if zip is set.
func newTextWriter(w io.Writer, zip bool) io.WriteCloser {
	if zip {
		return pgzip.NewWriter(w)
	}
	return plainWriter{bufio.NewWriter(w)}
}

// plainWriter is a buffered writer whose Close writes the rest.
type plainWriter struct{ *bufio.Writer }

func (w plainWriter) Close() error { return w.Flush() }
