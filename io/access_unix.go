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

// hardLinks returns how many names a file has.
func hardLinks(info os.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// takeOwner gives a new file the owner and group of an old one.
func takeOwner(f *os.File, old os.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	want, ok2 := old.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
