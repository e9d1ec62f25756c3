//go:build linux || darwin

package seqio

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file of a size into memory, nil where that is not possible.
func mapFile(f *os.File, size int64) []byte {
	if size <= 0 || int64(int(size)) != size {
		return nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return data
}

func unmapFile(data []byte) {
	if data != nil {
		unix.Munmap(data)
	}
}

// forgetMapped gives the pages of mapped text back. They are read again when they are needed.
func forgetMapped(data []byte) { unix.Madvise(data, unix.MADV_DONTNEED) }
