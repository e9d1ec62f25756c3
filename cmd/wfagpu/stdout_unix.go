//go:build linux || darwin

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closedStdout reports whether stdout is a standard output that was closed when
// the process started (`>&-`). Go's runtime opens the null device in its place, for
// reading and writing. Shells open it for writing alone.
func closedStdout(stdout io.Writer) bool {
	f, ok := stdout.(*os.File)
	if !ok || f != os.Stdout {
		return false
	}
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	if err != nil || nullErr != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(uintptr(unix.Stdout), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
