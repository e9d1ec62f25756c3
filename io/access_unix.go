//go:build linux || darwin

package seqio

import (
	"os"
	"syscall"
)

// writeAccess reports whether the system would let us write to a file, or make
// one in a directory, without touching either.
func writeAccess(path string) error {
	const wOK = 2
	if err := syscall.Access(path, wOK); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}
