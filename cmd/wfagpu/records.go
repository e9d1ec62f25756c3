package main

import (
	"context"
	"errors"
	"io"
)

// flushAt is the size from which collected records are written out.
const flushAt = 1 << 20

// recordFile collects whole records and writes them in large pieces.
type recordFile struct {
	out  output
	path string
	buf  []byte
}

// recordFiles are the files of one set, written in step.
type recordFiles []*recordFile

// createRecordFiles opens one file for each path; "-" is stdout.
func createRecordFiles(ctx context.Context, stdout io.Writer, paths ...string) (recordFiles, error) {
	var files recordFiles
	for _, path := range paths {
		out, err := createOutput(ctx, path, stdout)
		if err != nil {
			return nil, files.abort(err)
		}
		files = append(files, &recordFile{out: out, path: path})
	}
	return files, nil
}

func (f *recordFile) appendLine(mark byte, text []byte) {
	f.buf = append(append(append(f.buf, mark), text...), '\n')
}

func (f *recordFile) appendFASTA(name, seq []byte) {
	f.appendLine('>', name)
	f.buf = append(append(f.buf, seq...), '\n')
}

// flush writes out the records of files that have at least atLeast bytes of them.
func (files recordFiles) flush(ctx context.Context, atLeast int) error {
	for _, f := range files {
		if len(f.buf) < atLeast {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := f.out.Write(f.buf); err != nil {
			return outputFailure(err)
		}
		f.buf = f.buf[:0]
	}
	return nil
}

// finish writes the rest and closes the files.
func (files recordFiles) finish(ctx context.Context) error {
	if err := files.flush(ctx, 1); err != nil {
		return files.abort(err)
	}
	for _, f := range files {
		if err := f.out.Close(); err != nil {
			return files.abort(outputFailure(err))
		}
	}
	return nil
}

// abort closes the files of a set that is not complete.
func (files recordFiles) abort(err error) error {
	for _, f := range files {
		err = errors.Join(err, f.out.Abort())
	}
	for _, f := range files {
		err = keptHint(err, f.path, f.out.Kept())
	}
	return err
}
