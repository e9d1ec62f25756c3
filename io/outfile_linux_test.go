package seqio

import (
	"errors"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// Of a file that cannot be written whole, nothing is left, unless it was there.
func TestWriteFileFails(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "old"), "old\n")
	writeText(t, filepath.Join(dir, "empty"), "")
	small := limit
	small.Cur = 16
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, name := range []string{"old", "empty", "new"} {
		errs = append(errs, WriteFile(filepath.Join(dir, name), make([]byte, 100)))
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	for _, err := range errs {
		if !errors.Is(err, syscall.EFBIG) {
			t.Errorf("%v", err)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{"empty", "old"}) {
		t.Errorf("the directory has %q", got)
	}
	if a, b := content(t, filepath.Join(dir, "old")), content(t, filepath.Join(dir, "empty")); a != "old\n" || b != "" {
		t.Errorf("%q and %q", a, b)
	}
}
