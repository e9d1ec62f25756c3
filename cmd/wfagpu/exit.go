package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Exit codes are part of the command's contract: scripts test for them.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitInput    = 3
	exitDevice   = 4
	exitMismatch = 5
	exitSignal   = 128 // plus the signal's number: 130 for SIGINT
	exitPipe     = exitSignal + int(syscall.SIGPIPE)
)

const exitCodesHelp = `Exit codes:
  0    every pair was aligned and written
  1    the run failed (a write error, a full disk, a pair that could not be aligned, SIGQUIT)
  2    bad usage
  3    bad input: missing, malformed, truncated or uneven files
  4    the device or code path asked for is not usable here
  5    --check found a mismatch
  129  hung up: the terminal or the session ended
  130  interrupted (143: terminated); an output file has whole records only
  141  the reader of the output went away`

// usageError is a command line that cannot be run as it stands.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// inputError is input that could not be opened or read.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// deviceError is a device, or a code path of the CPU, that is demanded and not
// usable here.
type deviceError struct{ err error }

func (e *deviceError) Error() string { return e.err.Error() }
func (e *deviceError) Unwrap() error { return e.err }

// mismatchError counts the alignments that do not pass --check.
type mismatchError struct{ pairs int64 }

func (e *mismatchError) Error() string {
	return "--check found " + count(e.pairs, "wrong alignment")
}

// logError is a log file that could not be written. It is printed when it shows.
type logError struct{ err error }

func (e *logError) Error() string { return fmt.Sprintf("--log-file: %v", e.err) }
func (e *logError) Unwrap() error { return e.err }

// pairsError counts the pairs that no engine could align.
type pairsError struct{ pairs int64 }

func (e *pairsError) Error() string {
	return fmt.Sprintf("%s could not be aligned", count(e.pairs, "pair"))
}

// interruptError is the cause of a context that a signal cancelled.
type interruptError struct{ signal syscall.Signal }

func (e *interruptError) Error() string { return "stopped by signal: " + e.signal.String() }

// hintedError carries advice for the user beside the error.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }
func (e *hintedError) Unwrap() error { return e.err }

func withHint(err error, hint string) error { return &hintedError{err, hint} }

// exitCode maps the error that ended a command to the process's exit status.
func exitCode(err error) int {
	var (
		usage     *usageError
		input     *inputError
		device    *deviceError
		mismatch  *mismatchError
		interrupt *interruptError
		log       *logError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &log):
		return exitFailed // also where it is a pipe whose reader went away
	case errors.As(err, &interrupt) && interrupt.signal == syscall.SIGQUIT:
		return exitFailed
	case errors.As(err, &interrupt):
		return exitSignal + int(interrupt.signal)
	case errors.Is(err, context.Canceled):
		return exitSignal + int(syscall.SIGINT)
	case readerGone(err):
		return exitPipe
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &device):
		return exitDevice
	case errors.As(err, &mismatch):
		return exitMismatch
	}
	return exitFailed
}

// count is "1 pair", "2 pairs".
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
