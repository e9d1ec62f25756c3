package main

import (
	"errors"
	"fmt"
	"io"

	seqio "wfagpu/io"
)

// output is the destination of results; see seqio.Output.
type output interface {
	io.WriteCloser
	Abort() error
}

// outputError is a result that could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return fmt.Sprintf("writing the output: %v", e.err) }
func (e *outputError) Unwrap() error { return e.err }

// resultWriter puts the header line, if any, before the first results.
type resultWriter struct {
	dst    output
	header string
	begun  bool
}

func newResultWriter(opts *alignOptions, stdout io.Writer) (*resultWriter, error) {
	dst, err := seqio.Create(opts.output, stdout)
	if err != nil {
		return nil, &outputError{err}
	}
	w := &resultWriter{dst: dst}
	switch {
	case opts.header && opts.scoreOnly:
		w.header = seqio.TSVHeaderScoreOnly
	case opts.header:
		w.header = seqio.TSVHeader
	}
	return w, nil
}

func (w *resultWriter) Write(text []byte) (int, error) {
	if err := w.begin(); err != nil {
		return 0, err
	}
	n, err := w.dst.Write(text)
	if err != nil {
		err = &outputError{err}
	}
	return n, err
}

func (w *resultWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	if w.header == "" {
		return nil
	}
	if _, err := io.WriteString(w.dst, w.header); err != nil {
		return &outputError{err}
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
			return &outputError{err}
		}
		return nil
	}
	if err := w.dst.Abort(); err != nil {
		return errors.Join(runErr, &outputError{err})
	}
	return runErr
}
