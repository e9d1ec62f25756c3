//go:build linux || darwin

package seqio

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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
				if got, err = readAll(t, Inputs{Query: query, Target: target}, nil, Limits{}); err != nil {
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
	for _, in := range []Inputs{{Query: pipe, Target: missing}, {Query: missing, Target: pipe}} {
		within(t, fmt.Sprintf("%+v", in), func() {
			if _, err := Open(in, nil, Limits{}); err == nil || !strings.Contains(err.Error(), "no such file") {
				t.Errorf("%+v: %v", in, err)
			}
		})
	}
}
