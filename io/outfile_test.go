package seqio

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// writeOld makes a file that an output is to replace.
func writeOld(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("old\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// failedOutput writes lines to path, then fails as on a full disk.
func failedOutput(t *testing.T, path string) *Output {
	t.Helper()
	o := create(t, path)
	write(t, o, "first\n")
	o.w = &limitedWriter{o.file, 2}
	if _, err := o.Write([]byte("second\n")); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("Write: %v", err)
	}
	return o
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// A full disk costs no file that was there, and what was written lies beside it.
func TestFullDiskKeepsOldContent(t *testing.T) {
	for end, finish := range map[string]func(*Output) error{"Close": (*Output).Close, "Abort": (*Output).Abort} {
		dir := t.TempDir()
		t.Chdir(dir) // a name alone is a path, too
		for _, path := range []string{filepath.Join(dir, "out.tsv"), "out.tsv"} {
			writeOld(t, path)
			o := failedOutput(t, path)
			finish(o)
			if got := content(t, path); got != "old\n" {
				t.Errorf("%s: the old file holds %q", end, got)
			}
			kept := o.Kept()
			if !strings.HasPrefix(kept, path+".partial-") || content(t, kept) != "first\n" || len(names(t, dir)) != 2 {
				t.Errorf("%s: kept %q, directory %q", end, kept, names(t, dir))
			}
			os.Remove(kept)
		}
	}
}

// A new file stays where it is, and nothing is left of one without a whole line.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	fresh := filepath.Join(dir, "fresh.tsv")
	o := failedOutput(t, fresh)
	o.Abort()
	if o.Kept() != fresh || content(t, fresh) != "first\n" {
		t.Errorf("new file: kept %q", o.Kept())
	}

	old := filepath.Join(dir, "old.tsv")
	writeOld(t, old)
	o = create(t, old)
	write(t, o, "first\n")
	if err := o.Abort(); err != nil || o.Kept() != old || content(t, old) != "first\n" {
		t.Errorf("stopped: %v, kept %q, %q", err, o.Kept(), content(t, old))
	}

	writeOld(t, old)
	o = create(t, old)
	if err := o.open(); err != nil {
		t.Fatal(err)
	}
	o.w = &limitedWriter{o.file, 2}
	o.Write([]byte("second\n"))
	o.Abort()
	if o.Kept() != "" || content(t, old) != "old\n" || len(names(t, dir)) != 2 {
		t.Errorf("nothing whole: kept %q, %q, directory %q", o.Kept(), content(t, old), names(t, dir))
	}

	o = create(t, os.DevNull)
	write(t, o, "first\n")
	if err := o.Close(); err != nil || o.Kept() != "" {
		t.Errorf("device: %v, kept %q", err, o.Kept())
	}
}

// A file keeps its permissions, and a symbolic link stays one.
func TestReplacedFile(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "out.tsv"), filepath.Join(t.TempDir(), "link")
	writeOld(t, path)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	o := create(t, link)
	write(t, o, "new\n")
	if got := content(t, path); got != "old\n" {
		t.Errorf("while it is written: %q", got)
	}
	if err := o.Close(); err != nil || o.Kept() != link {
		t.Errorf("%v, kept %q", err, o.Kept())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if got := content(t, path); got != "new\n" || len(names(t, dir)) != 1 {
		t.Errorf("%q, directory %q", got, names(t, dir))
	}
}

// These are written in place: nothing beside them can stand for them.
func TestWrittenInPlace(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeOld(t, at("linked"))
	if err := os.Link(at("linked"), at("other name")); err != nil {
		t.Skip(err)
	}
	writeOld(t, at("open"))
	open, err := os.OpenFile(at("open"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := os.WriteFile(at("empty"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{at("linked"): at("other name"), at("empty"): at("empty")}
	const fds = "/proc/self/fd"
	if _, err := os.Stat(fds); err == nil {
		paths[filepath.Join(fds, strconv.Itoa(int(open.Fd())))] = at("open")
	}
	before := len(names(t, dir))
	for path, seen := range paths {
		o := create(t, path)
		write(t, o, "new\n")
		if got := content(t, seen); got != "new\n" || len(names(t, dir)) != before {
			t.Errorf("%s: %q while it is written, directory %q", path, got, names(t, dir))
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A directory that takes no new file is no reason to refuse the output.
func TestDirectoryWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out.tsv")
	writeOld(t, path)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o777)
	o := create(t, path)
	write(t, o, "new\n")
	if err := o.Close(); err != nil || content(t, path) != "new\n" {
		t.Errorf("%v, %q", err, content(t, path))
	}
}

// What cannot be renamed over is overwritten.
func TestReplaceWithoutRename(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.tsv")
	writeOld(t, path)
	f, err := createFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("new\n")
	f.Close()
	if err := copyFile(path, f.beside); err != nil || content(t, path) != "new\n" {
		t.Errorf("%v, %q", err, content(t, path))
	}
	// The file beside is gone, and so is what could be copied.
	f.discard()
	if err := f.replace(); err == nil || !strings.Contains(err.Error(), f.beside) {
		t.Errorf("replace: %v", err)
	}
	if content(t, path) != "new\n" {
		t.Errorf("the file holds %q", content(t, path))
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	for i, name := range outputNames {
		path := filepath.Join(dir, name)
		for _, text := range []string{"{}\n", "{1}\n"} {
			if err := WriteFile(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if got := content(t, path); got != text || len(names(t, dir)) != i+1 {
				t.Errorf("%q, directory %q", got, names(t, dir))
			}
		}
	}
	if err := WriteFile(filepath.Join(dir, "none", "x"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in no directory: %v", err)
	}
}
