package main

import (
	"errors"
	"syscall"
)

// readerGone reports that the reader of an output pipe has gone away.
func readerGone(err error) bool {
	const noData, notConnected = syscall.Errno(232), syscall.Errno(233)
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, noData) || errors.Is(err, notConnected)
}
