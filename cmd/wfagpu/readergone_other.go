//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// readerGone reports that the reader of an output pipe has gone away.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
