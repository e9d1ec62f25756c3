package seqio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
)

func write(t *testing.T, o *Output, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if n, err := io.WriteString(o, l); n != len(l) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
}

func create(t *testing.T, path string) *Output {
	t.Helper()
	o, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// content returns what a file holds, decompressed as its name says.
func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz", ".bgz":
		r, err = pgzip.NewReader(bytes.NewReader(data))
	case ".zst":
		r, err = zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	default:
		return string(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var outputNames = []string{"out.tsv", "out.tsv.gz", "out.bgz", "out.tsv.zst", "OUT.GZ"}

func TestOutput(t *testing.T) {
	for _, name := range outputNames {
		for end, finish := range map[string]func(*Output) error{"Close": (*Output).Close, "Abort": (*Output).Abort} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte("what was there before, and longer"), 0o666); err != nil {
				t.Fatal(err)
			}
			o := create(t, path)
			if got, _ := os.ReadFile(path); len(got) == 0 {
				t.Error("Create truncated the file")
			}
			write(t, o, "a\t1\n", "", "b\t2\n")
			if err := finish(o); err != nil {
				t.Errorf("%s: %v", end, err)
			}
			if got := content(t, path); got != "a\t1\nb\t2\n" {
				t.Errorf("%s, %s: %q", name, end, got)
			}
			if o.Close() != nil || o.Abort() != nil {
				t.Error("finishing again is an error")
			}
			if _, err := o.Write([]byte("c\n")); !errors.Is(err, errClosedOutput) {
				t.Errorf("Write after %s: %v", end, err)
			}
		}
	}
}

func TestOutputComesIntoBeingLate(t *testing.T) {
	for _, name := range outputNames {
		path := filepath.Join(t.TempDir(), name)
		exists := func() bool { _, err := os.Stat(path); return err == nil }
		o := create(t, path)
		if exists() {
			t.Error("Create made the file")
		}
		if err := o.Abort(); err != nil || exists() {
			t.Errorf("Abort: %v, file made: %t", err, exists())
		}
		if err := create(t, path).Close(); err != nil {
			t.Error(err)
		}
		if got := content(t, path); got != "" {
			t.Errorf("an empty output holds %q", got)
		}
	}
}

func TestOutputToStdout(t *testing.T) {
	var out bytes.Buffer
	o, err := Create("-", &out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, o, "a\n", "b\n")
	if err := o.Close(); err != nil || out.String() != "a\nb\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	missing, below := filepath.Join(dir, "none", "out"), filepath.Join(file, "out")
	tests := []struct{ path, want string }{
		{"", "the output has no name"},
		{dir, dir + " is a directory"},
		{missing, missing + ": there is no directory " + filepath.Dir(missing)},
		{below, "stat " + below + ": not a directory"},
	}
	for _, tc := range tests {
		if _, err := Create(tc.path, nil); err == nil || err.Error() != tc.want {
			t.Errorf("Create(%q): %v, want %s", tc.path, err, tc.want)
		}
	}
}

func TestCreateWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	for _, path := range []string{file, filepath.Join(dir, "new")} {
		if _, err := Create(path, nil); !errors.Is(err, os.ErrPermission) {
			t.Errorf("Create(%q): %v", path, err)
		}
	}
}

// TestFullDisk writes to the device that is always full.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	o := create(t, "/dev/full")
	for range 2 {
		if _, err := o.Write([]byte("a\n")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("Write: %v", err)
		}
	}
	if err := o.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Close: %v", err)
	}

	// Compressed output reports late, but it does.
	for _, name := range []string{"full.gz", "full.zst"} {
		link := filepath.Join(t.TempDir(), name)
		if err := os.Symlink("/dev/full", link); err != nil {
			t.Skip(err)
		}
		o = create(t, link)
		o.Write([]byte("a\n"))
		if err := o.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("Close of %s: %v", name, err)
		}
		if err := WriteFile(link, []byte("a\n")); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("WriteFile of %s: %v", name, err)
		}
	}
}

// TestHalfWrittenLinesAreTakenBack limits the file's size in place of a disk.
func TestHalfWrittenLinesAreTakenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.tsv")
	o := create(t, path)
	write(t, o, "first\n")
	o.w = &limitedWriter{o.file, 8}
	if _, err := o.Write([]byte("second\nthird\n")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write: %v", err)
	}
	if err := o.Abort(); err != nil {
		t.Errorf("Abort repeats what Write reported: %v", err)
	}
	if got := content(t, path); got != "first\n" {
		t.Errorf("the file holds %q", got)
	}
}

// limitedWriter has room for n more bytes.
type limitedWriter struct {
	w io.Writer
	n int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	n, err := l.w.Write(p[:min(l.n, len(p))])
	l.n -= n
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return n, err
}
