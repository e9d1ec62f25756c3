package seqio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// outFile is the file of an output, open for writing alone: a process that can
// read a pipe is its reader, and a write to that pipe blocks for ever when the
// other readers are gone.
//
// A plain file that has content keeps it until replace: the new content goes to a
// file beside it, which then takes its place and its permissions. Everything else
// is truncated and written in place:
//
//   - a new or empty file, a device, a pipe;
//   - a path that leads through /proc, such as /dev/stdout;
//   - a file with several hard links, or whose owner the new file cannot have;
//   - a file in a directory where no file can be made.
type outFile struct {
	*os.File
	path   string // as given
	target string // path with symbolic links resolved, if beside is set
	beside string // the file that is written until replace, "" if it is path
}

func createFile(path string) (*outFile, error) {
	if f := createBeside(path); f != nil {
		return f, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	return &outFile{File: f, path: path}, nil
}

// createBeside makes the file that is to replace path, or returns nil if path is
// to be written in place.
func createBeside(path string) *outFile {
	target, ok := resolve(path)
	if !ok {
		return nil
	}
	old, err := os.Stat(target)
	if err != nil || !old.Mode().IsRegular() || old.Size() == 0 || hardLinks(old) > 1 {
		return nil
	}
	ext := packedExt(target)
	pattern := strings.TrimSuffix(filepath.Base(target), ext) + ".partial-*" + ext
	f, err := os.CreateTemp(filepath.Dir(target), pattern)
	if err != nil {
		return nil
	}
	err = takeOwner(f, old)
	if err == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	o := &outFile{File: f, path: path, target: target, beside: filepath.Clean(f.Name())}
	if err != nil {
		f.Close()
		o.discard()
		return nil
	}
	return o
}

// resolve follows symbolic links. It refuses paths through /proc: they name open
// files, which others go on writing to.
func resolve(path string) (string, bool) {
	const mostLinks = 40
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil || strings.HasPrefix(dir+"/", "/proc/") {
			return "", false
		}
		path = filepath.Join(dir, filepath.Base(path))
		link, err := os.Readlink(path)
		if err != nil {
			return path, true
		}
		if path = link; !filepath.IsAbs(link) {
			path = filepath.Join(dir, link)
		}
	}
	return "", false
}

// replace puts the closed file in the place of the output.
func (f *outFile) replace() error {
	if f.beside == "" || os.Rename(f.beside, f.target) == nil {
		return nil
	}
	// A mount point cannot be renamed over.
	if err := copyFile(f.target, f.beside); err != nil {
		return fmt.Errorf("%w; the whole output is in %s", err, f.beside)
	}
	f.discard()
	return nil
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// discard removes a file that is not to replace the output.
func (f *outFile) discard() {
	if f.beside != "" {
		os.Remove(f.beside) // at worst it stays, under a name that says what it is
	}
}

// kept returns where the content lies, "" if there is none or it is not in a plain
// file. The file is closed; replaced says that replace has succeeded.
func (f *outFile) kept(replaced bool) string {
	path := f.path
	if f.beside != "" && !replaced {
		path = f.beside
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return ""
	}
	return path
}

// WriteFile writes a file at once, compressed as by Create. What a plain file at path
// held stays until data is on disk. If there was none, none is left after an error; a file that is written in place is
// left empty.
func WriteFile(path string, data []byte) error {
	old, statErr := os.Stat(path)
	f, err := createFile(path)
	if err != nil {
		return err
	}
	err = writePacked(path, f, data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		f.discard()
		switch {
		case f.beside != "":
		case errors.Is(statErr, fs.ErrNotExist):
			os.Remove(path)
		case statErr == nil && old.Mode().IsRegular():
			os.Truncate(path, 0)
		}
		return err
	}
	return f.replace()
}

// writePacked writes data as the name of the file says.
func writePacked(path string, w io.Writer, data []byte) error {
	p, err := newPacker(path, w)
	if err != nil {
		return err
	}
	if p == nil {
		_, err = w.Write(data)
		return err
	}
	_, err = p.Write(data)
	if closeErr := p.Close(); err == nil {
		err = closeErr
	}
	return err
}
