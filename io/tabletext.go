package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// tableCache is what BGZF files whose records are read by name keep in memory, in bytes.
const tableCache = 256 << 20

// addSource adds the records of a file on disk, from its start on. Plain files and BGZF are
// read where they are; the text of others is copied to a temporary file.
func (t *recordTable) addSource(src *source) error {
	if err := src.restart(); err != nil {
		return err
	}
	blocks, err := src.blocks(tableCache)
	if err != nil {
		return err
	}
	file := tableFile{src: src}
	switch {
	case !src.packed():
		file.text = io.NewSectionReader(src.disk, src.base, src.size)
	case blocks != nil:
		file.text = blocks
	default:
		return t.addCopy(src)
	}
	return t.addFile(file, emptyFramer(src))
}

// addCopy copies the text of a source that has been started to a temporary file, and adds
// its records.
func (t *recordTable) addCopy(src *source) error {
	f, err := os.CreateTemp("", "wfagpu-*")
	if err != nil {
		return fmt.Errorf("copying %s: %w", src.name, err)
	}
	temporary := &temporaryFile{File: f, removed: os.Remove(f.Name()) == nil}
	copied := &copyReader{from: src.body, to: f}
	src.body = bufio.NewReaderSize(copied, peekBuffer)
	src.skipped = 0 // what has been skipped is not copied
	err = t.addFile(tableFile{src: src, text: f, temporary: temporary}, emptyFramer(src))
	if copied.failed != nil {
		err = fmt.Errorf("copying %s to %s (TMPDIR): %w", src.name, f.Name(), copied.failed)
	}
	if err != nil {
		temporary.Close()
	}
	return err
}

// temporaryFile has no name any more or, where files that are open keep it, loses it when
// it is closed.
type temporaryFile struct {
	*os.File
	removed bool
}

func (f *temporaryFile) Close() error {
	err := f.File.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// copyReader writes what is read from it to a file.
type copyReader struct {
	from   io.Reader
	to     io.Writer
	failed error
}

func (c *copyReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if n > 0 {
		if _, c.failed = c.to.Write(p[:n]); c.failed != nil {
			return 0, c.failed
		}
	}
	return n, err
}

// pipeCopy is a pipe that is being copied to a temporary file, which is read in its place.
type pipeCopy struct {
	src  *source
	file *temporaryFile
	done chan error
}

func copyPipe(src *source) *pipeCopy {
	c := &pipeCopy{src: src, done: make(chan error, 1)}
	f, err := os.CreateTemp("", "wfagpu-*")
	if err != nil {
		c.done <- fmt.Errorf("copying %s: %w", src.name, err)
		return c
	}
	c.file = &temporaryFile{File: f, removed: os.Remove(f.Name()) == nil}
	go func() {
		_, err := io.Copy(f, src.raw.r)
		if err != nil {
			err = fmt.Errorf("copying %s to %s (TMPDIR): %w", src.name, f.Name(), err)
		}
		c.done <- err
	}()
	return c
}

// finish waits for the end of the pipe.
func (c *pipeCopy) finish() error {
	if err := <-c.done; err != nil {
		return err
	}
	if _, err := c.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	c.src.raw.r, c.src.pipe = c.file, nil
	return nil
}
