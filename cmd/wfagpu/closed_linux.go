package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// maybeClosed reports whether a standard stream may have been closed when the program
// began, as by `>&-`: Go's runtime then opens /dev/null in its place, for reading and
// writing. So do some programs that discard the output of others.
func maybeClosed(f *os.File) bool {
	var stat unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &stat); err != nil {
		return false
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFCHR || stat.Rdev != unix.Mkdev(1, 3) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
