package seqio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Output writes results to a file or to standard output. Every Write takes whole
// lines. However the run ends, the file holds whole lines:
//
//   - the first Write or Close creates the file, so that a run that fails before
//     it leaves no file;
//   - a plain file that has content keeps it until Close or Abort. The new content
//     is written beside it, see Kept;
//   - a run that is stopped calls Close or Abort, and either finishes a
//     compressed stream;
//   - when the disk is full, a plain file is truncated to the lines before the
//     failed Write, one in .gz to whole lines without the end of BGZF, and neither
//     replaces an older file. A file in .zst then ends in the middle, and
//     decompressors report it.
//
// An Output is for one goroutine.
type Output struct {
	path   string // "" for standard output
	w      io.Writer
	file   *outFile
	packer packer // over w; nil for plain text
	whole  int64  // bytes of file that are whole lines; plain text only
	kept   string // set when closed, see Kept
	err    error  // the first failure
	closed bool
}

// errClosedOutput is what writing to a closed Output returns.
var errClosedOutput = errors.New("write to a closed output")

// Create prepares to write to path, "-" for stdout. A file whose name ends in .gz or
// .bgz is compressed as BGZF, which is gzip in blocks, and one in .zst with zstd;
// standard output is not. It returns an error for a path that cannot be written, as
// far as that shows without creating the file.
func Create(path string, stdout io.Writer) (*Output, error) {
	if path == "-" {
		return &Output{w: stdout}, nil
	}
	if path == "" {
		return nil, errors.New("the output has no name")
	}
	if err := checkWritable(path); err != nil {
		return nil, err
	}
	return &Output{path: path}, nil
}

// checkWritable reports why path cannot be made or overwritten.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case err == nil:
		return writeAccess(path)
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if link, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		if err := checkWritable(link); err != nil {
			return fmt.Errorf("link %s: %w", path, err)
		}
		return nil
	}
	dir := filepath.Dir(path)
	info, err = os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s: there is no directory %s", path, dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a directory", path, dir)
	}
	if denied, ok := errors.AsType[*os.PathError](writeAccess(dir)); ok {
		return &os.PathError{Op: "create", Path: path, Err: denied.Err}
	}
	return nil
}

// open makes the file on first use.
func (o *Output) open() error {
	if o.path == "" || o.file != nil {
		return nil
	}
	f, err := createFile(o.path)
	if err != nil {
		return err
	}
	o.file, o.w = f, f
	o.packer, err = newPacker(o.path, f)
	return err
}

// Write writes whole lines. A compressed stream reports a failure at a later
// Write or at Close. After a failure every call returns the same error.
func (o *Output) Write(lines []byte) (int, error) {
	if o.closed {
		return 0, errClosedOutput
	}
	if o.err != nil {
		return 0, o.err
	}
	if o.err = o.open(); o.err != nil {
		return 0, o.err
	}
	if o.packer != nil {
		n, err := o.packer.Write(lines)
		o.err = err
		return n, err
	}
	n, err := o.w.Write(lines)
	if err != nil {
		o.err = err
		o.trim()
		return n, err
	}
	o.whole += int64(n)
	return n, nil
}

// trim removes a half-written block from a file. On pipes and devices it cannot,
// which is not a failure of its own.
func (o *Output) trim() {
	if o.file == nil {
		return
	}
	if info, err := o.file.Stat(); err == nil && info.Mode().IsRegular() {
		o.file.Truncate(o.whole)
	}
}

// Close finishes the output and makes an empty file if nothing was written. It
// returns the first failure of all, even one that a Write has reported. Closing
// again does nothing.
func (o *Output) Close() error {
	if o.closed {
		return nil
	}
	if o.err == nil {
		o.err = o.open()
	}
	o.finish()
	return o.err
}

// Abort is Close for a run that failed: it finishes what was written, but creates
// no file, and returns only a failure that no Write has reported.
func (o *Output) Abort() error {
	if o.closed {
		return nil
	}
	reported := o.err != nil
	o.finish()
	if reported {
		return nil
	}
	return o.err
}

// finish ends the stream and closes the file, keeping the first failure.
func (o *Output) finish() {
	o.closed = true
	if o.packer != nil {
		if err := o.packer.Close(); o.err == nil {
			o.err = err
		}
		if z, ok := o.packer.(*bgzfWriter); ok && o.err != nil {
			o.whole = z.whole
			o.trim()
		}
	}
	if o.file != nil {
		// A full disk may show no earlier than here.
		if err := o.file.Close(); o.err == nil {
			o.err = err
		}
		replaced := false
		if o.err == nil {
			o.err = o.file.replace()
			replaced = o.err == nil
		}
		if o.kept = o.file.kept(replaced); o.kept == "" {
			o.file.discard()
		}
	}
}

// Kept returns, after Close or Abort, the plain file that has what was written: the
// path given to Create or, after a failed Write over a file that has content, the
// file beside it, NAME.partial-NUMBER. It is "" if nothing was written, and for
// pipes, devices and standard output.
func (o *Output) Kept() string { return o.kept }
