//go:build linux || darwin

package seqio

import (
	"os"
	"syscall"
)

// writeAccess reports whether the process may write to a file, or create one in a
// directory, without changing either.
func writeAccess(path string) error {
	const wOK = 2
	if err := syscall.Access(path, wOK); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}
