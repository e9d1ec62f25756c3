package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	seqio "wfagpu/io"
)

// A write to a pipe that nobody reads blocks in the system and cannot be
// cancelled. After an interrupt it is left behind: the end of the process ends it.

// stopPatience is how long a write under way may take after an interrupt, so that
// a pipe that is read gets whole lines.
const stopPatience = 250 * time.Millisecond

// stopper runs the operations on one file, one at a time.
type stopper struct {
	ctx context.Context
	// sure says that operations end by themselves, as those on plain files do. An
	// interrupt waits for them.
	sure bool
	// stuck says that an operation was left behind. The file is not touched again.
	stuck bool
}

// do returns what f returns, or the cause of the interrupt that has not waited
// for f.
func (s *stopper) do(f func() error) error {
	if s.stuck {
		return context.Cause(s.ctx)
	}
	if s.sure {
		return f()
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-s.ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(stopPatience):
		s.stuck = true
		return context.Cause(s.ctx)
	}
}

// surePath reports whether writes to a path end by themselves; to a new file, too.
func surePath(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// sureStream is surePath for a standard stream, or a test's stand-in.
func sureStream(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return true
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// stoppable is an output whose calls end when ctx does.
type stoppable struct {
	stopper
	out output
}

// createOutput is seqio.Create.
func createOutput(ctx context.Context, path string, stdout io.Writer) (*stoppable, error) {
	out, err := seqio.Create(path, stdout)
	if err != nil {
		return nil, err
	}
	sure := surePath(path)
	if path == "-" {
		sure = sureStream(stdout)
	}
	return &stoppable{stopper{ctx: ctx, sure: sure}, out}, nil
}

// Write must not be followed by a change of lines after an error.
func (s *stoppable) Write(lines []byte) (int, error) {
	err := s.do(func() error { _, err := s.out.Write(lines); return err })
	if err != nil {
		return 0, err
	}
	return len(lines), nil
}

func (s *stoppable) Close() error { return s.do(s.out.Close) }

// Abort has nothing to report of an output that was left behind.
func (s *stoppable) Abort() error {
	err := s.do(s.out.Abort)
	if s.stuck {
		return nil
	}
	return err
}

func (s *stoppable) Kept() string {
	if s.stuck {
		return ""
	}
	return s.out.Kept()
}

// stoppableWriter is a stream of messages, safe for concurrent use.
type stoppableWriter struct {
	mu sync.Mutex
	stopper
	w io.Writer
}

func newStoppableWriter(ctx context.Context, w io.Writer) *stoppableWriter {
	return &stoppableWriter{stopper: stopper{ctx: ctx, sure: sureStream(w)}, w: w}
}

func (s *stoppableWriter) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sure {
		text = slices.Clone(text)
	}
	if err := s.do(func() error { _, err := s.w.Write(text); return err }); err != nil {
		return 0, err
	}
	return len(text), nil
}

// openLog opens the file of --log-file. A named pipe waits for its reader.
func openLog(ctx context.Context, path string) (*os.File, error) {
	var log *os.File
	s := stopper{ctx: ctx, sure: surePath(path)}
	err := s.do(func() (err error) {
		if log, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err != nil {
			return fmt.Errorf("--log-file: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return log, nil
}
