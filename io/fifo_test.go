//go:build linux || darwin

package seqio

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"wfagpu/align"
)

// fifos makes two named pipes.
func fifos(t *testing.T) (query, target string) {
	t.Helper()
	dir := t.TempDir()
	query, target = filepath.Join(dir, "q"), filepath.Join(dir, "t")
	for _, path := range []string{query, target} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	return query, target
}

// within runs f and fails if it takes longer than a deadlock should be waited for.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: no end after 20 s", what)
	}
}

// TestTwoPipesInStep: one program writes both pipes in step and opens them in
// either order. Each is several times what pipes hold.
func TestTwoPipesInStep(t *testing.T) {
	const records = 20000
	letters := strings.Repeat("ACGTTGCAGA", 15)
	for _, targetFirst := range []bool{false, true} {
		for _, zip := range []bool{false, true} {
			query, target := fifos(t)
			name := fmt.Sprintf("target first %v, gzip %v", targetFirst, zip)
			produced := make(chan error, 1)
			go func() { produced <- writeInStep(query, target, targetFirst, zip, records, letters) }()
			var got []pair
			within(t, name, func() {
				var err error
				if got, err = readAll(t, Inputs{Query: []string{query}, Target: []string{target}}, nil, Limits{}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if err := <-produced; err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
			if len(got) != records || got[records-1] != (pair{"q19999", letters, "t19999", letters}) {
				t.Errorf("%s: %d pairs", name, len(got))
			}
		}
	}
}

// writeInStep is the program: a record to one pipe, then one to the other.
func writeInStep(query, target string, targetFirst, zip bool, records int, letters string) error {
	paths := []string{query, target}
	if targetFirst {
		slices.Reverse(paths)
	}
	files := map[string]*os.File{}
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		files[path] = f
	}
	q, t := newTextWriter(files[query], zip), newTextWriter(files[target], zip)
	for i := range records {
		fmt.Fprintf(q, ">q%d\n%s\n", i, letters)
		fmt.Fprintf(t, ">t%d\n%s\n", i, letters)
	}
	if err := q.Close(); err != nil {
		return err
	}
	return t.Close()
}

// TestMissingFileBesidePipe: a file that is missing is reported without waiting
// for the writer of the pipe beside it.
func TestMissingFileBesidePipe(t *testing.T) {
	pipe, missing := fifos(t)
	if err := os.Remove(missing); err != nil {
		t.Fatal(err)
	}
	for _, in := range []Inputs{{Query: []string{pipe}, Target: []string{missing}}, {Query: []string{missing}, Target: []string{pipe}}} {
		within(t, fmt.Sprintf("%+v", in), func() {
			if _, err := Open(in, nil, Limits{}); err == nil || !strings.Contains(err.Error(), "no such file") {
				t.Errorf("%+v: %v", in, err)
			}
		})
	}
}

// TestFaultInOneOfTwoPipes: a fault in one pipe ends the reading while the other
// one stays open, after the pairs before it.
func TestFaultInOneOfTwoPipes(t *testing.T) {
	query, target := fifos(t)
	release := make(chan struct{})
	defer close(release)
	for path, text := range map[string]string{query: ">a\nAC\n>b\nA1\n>c\nA\n", target: ">x\nAC\n>y\nA\n>z\n"} {
		go func() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			w := bufio.NewWriter(f)
			w.WriteString(text)
			w.Flush()
			if path == target {
				<-release
			}
		}()
	}
	within(t, "a fault", func() {
		got, err := readAll(t, Inputs{Query: []string{query}, Target: []string{target}}, nil, Limits{Pairs: 1})
		if err == nil || !strings.Contains(err.Error(), "q:4: record 2: sequence line position 2") {
			t.Error(err)
		}
		if len(got) != 1 {
			t.Errorf("%d pairs, want 1", len(got))
		}
	})
}

// openWriters opens fifos for writing while r is opened for reading.
func openWriters(t *testing.T, in Inputs, paths ...string) (*Reader, []*os.File) {
	t.Helper()
	files := make([]*os.File, len(paths))
	failed := make(chan error, 1)
	go func() {
		for i, path := range paths {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				failed <- err
				return
			}
			files[i] = f
		}
		failed <- nil
	}()
	var r *Reader
	within(t, "opening", func() {
		var err error
		if r, err = Open(in, nil, Limits{}); err != nil {
			t.Error(err)
		}
		if err := <-failed; err != nil {
			t.Error(err)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	return r, files
}

// TestPipeThatWaits: the writer of a pipe waits for each pair to be delivered
// before it writes the next one.
func TestPipeThatWaits(t *testing.T) {
	query, target := fifos(t)
	for _, tc := range []struct {
		name          string
		in            Inputs
		query, target string // of one pair
	}{
		{"pairs", Inputs{Pairs: []string{query}}, ">ACGT\n<ACG\n", ""},
		{"pairs with CRLF and blank lines", Inputs{Pairs: []string{query}}, "\n\r\n>A\r\n<C\r\n", ""},
		{"empty pairs", Inputs{Pairs: []string{query}}, ">\n<\n", ""},
		{"FASTQ", Inputs{Query: []string{query}, Target: []string{target}}, "@q\nAC\n+\nII\n", "@t\nA\n+\nI\n"},
		{"FASTQ and a file", Inputs{Query: []string{query}, Target: []string{"testdata/three.fa"}}, "@q\nAC\n+\nII\n", ""},
	} {
		paths := []string{query}
		if slices.Contains(tc.in.Target, target) {
			paths = append(paths, target)
		}
		r, files := openWriters(t, tc.in, paths...)
		within(t, tc.name, func() {
			var b align.Batch
			for i := range 3 {
				files[0].WriteString(tc.query)
				if len(files) > 1 {
					files[1].WriteString(tc.target)
				}
				if err := r.ReadBatch(&b); err != nil || len(b.Pairs) != 1 || b.First != int64(i+1) {
					t.Errorf("%s: pair %d: a batch of %d pairs from %d on, %v", tc.name, i+1, len(b.Pairs), b.First, err)
				}
			}
			for _, f := range files {
				f.Close()
			}
			if err := r.ReadBatch(&b); err != io.EOF {
				t.Errorf("%s: %v at the end", tc.name, err)
			}
		})
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPairInPieces: a pair that comes in pieces with pauses is one pair.
func TestPairInPieces(t *testing.T) {
	query, _ := fifos(t)
	r, files := openWriters(t, Inputs{Pairs: []string{query}}, query)
	defer r.Close()
	go func() {
		defer files[0].Close()
		for _, piece := range []string{">A\n<A\n>AC", "GT\n", "<ACG", "T\n>C\n<", "G"} {
			files[0].WriteString(piece)
			time.Sleep(3 * pause)
		}
	}()
	within(t, "pieces", func() {
		got, err := drain(t, r, Limits{})
		if err != nil {
			t.Error(err)
		}
		equalPairs(t, "pieces", got, []pair{{query: "A", target: "A"}, {query: "ACGT", target: "ACGT"}, {query: "C", target: "G"}})
	})
}

// TestSlowPipe: a pipe that is slow and never silent delivers, too, long before a
// batch is full.
func TestSlowPipe(t *testing.T) {
	query, target := fifos(t)
	for _, in := range []Inputs{{Pairs: []string{query}}, {Query: []string{query}, Target: []string{target}}} {
		paths := []string{query, target}
		texts := []string{"@q\nAC\n+\nII\n", "@t\nA\n+\nI\n"}
		if len(in.Pairs) > 0 {
			paths, texts = paths[:1], []string{">ACGT\n<ACG\n"}
		}
		r, files := openWriters(t, in, paths...)
		stop := make(chan struct{})
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				for i, f := range files {
					f.WriteString(texts[i])
				}
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
			}
		}()
		within(t, "a slow pipe", func() {
			var b align.Batch
			for range 3 {
				if err := r.ReadBatch(&b); err != nil || len(b.Pairs) == 0 {
					t.Errorf("%d pairs, %v", len(b.Pairs), err)
				}
			}
		})
		close(stop)
		<-stopped
		for _, f := range files {
			f.Close()
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
