package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// output is the destination of results; see seqio.Output.
type output interface {
	io.WriteCloser
	Abort() error
	Kept() string
}

// outputError is a result that could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return fmt.Sprintf("writing the output: %v", e.err) }
func (e *outputError) Unwrap() error { return e.err }

// outputFailure is the error of a write that failed. One that was interrupted did
// not fail.
func outputFailure(err error) error {
	if _, ok := errors.AsType[*interruptError](err); ok {
		return err
	}
	return &outputError{err}
}

// keptHint adds to the error of a run where the results before it lie. path is the
// output, kept what Output.Kept says of it.
func keptHint(err error, path, kept string) error {
	switch kept {
	case "":
		return err
	case path:
		return withHint(err, path+" has what was written before the error")
	}
	return withHint(err, path+" is unchanged; "+kept+" has what was written before the error")
}

// noteDiscarded says that results for standard output may be lost.
func (c *console) noteDiscarded(path string, stdout io.Writer) {
	if f, ok := stdout.(*os.File); ok && path == "-" && maybeClosed(f) {
		c.notice("results are discarded: standard output is closed, or /dev/null")
	}
}

// resultWriter puts the header, if any, before the first results.
type resultWriter struct {
	dst    output
	path   string
	ready  func() error          // waits for what header needs; may be nil
	header func(io.Writer) error // writes it
	begun  bool
}

func newResultWriter(ctx context.Context, opts *alignOptions, stdout io.Writer) (*resultWriter, error) {
	dst, err := createOutput(ctx, opts.output, stdout)
	if err != nil {
		return nil, &outputError{err}
	}
	return &resultWriter{dst: dst, path: opts.output, header: noHeader}, nil
}

func (w *resultWriter) Write(text []byte) (int, error) {
	if err := w.begin(); err != nil {
		return 0, err
	}
	n, err := w.dst.Write(text)
	if err != nil {
		err = outputFailure(err)
	}
	return n, err
}

func (w *resultWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	if w.ready != nil {
		if err := w.ready(); err != nil {
			return err
		}
	}
	if err := w.header(w.dst); err != nil {
		return outputFailure(err)
	}
	return nil
}

// finish ends the output of a run that ended with runErr, and returns the error to
// report. After a failure, whole lines that have been written stay, but no file
// is created.
func (w *resultWriter) finish(runErr error) error {
	if runErr == nil {
		runErr = w.begin()
	}
	if runErr == nil {
		if err := w.dst.Close(); err != nil {
			return keptHint(outputFailure(err), w.path, w.dst.Kept())
		}
		return nil
	}
	if err := w.dst.Abort(); err != nil {
		runErr = errors.Join(runErr, &outputError{err})
	}
	return keptHint(runErr, w.path, w.dst.Kept())
}
