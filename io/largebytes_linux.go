package seqio

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of the system's huge pages, in bytes.
const hugePage = 2 << 20

// largeBytes returns empty storage of n bytes. The system may give it in huge pages, which take
// less than half of the time that those of 4 KiB take when they are first used.
func largeBytes(n int) []byte {
	b := make([]byte, 0, n)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	from := int(-at & (hugePage - 1))
	if to := from + (n-from)&^(hugePage-1); from < to {
		_ = unix.Madvise(b[from:to], unix.MADV_HUGEPAGE) // a hint, which some systems do not take
	}
	return b
}

// GiveBack gives the pages of storage back to the system, which takes a while for many. What was in it is lost.
func GiveBack(b []byte) {
	const page = 64 << 10 // or a part of it
	b = b[:cap(b)]
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (page - 1))
	if to := from + (len(b)-from)&^(page-1); from < to {
		_ = unix.Madvise(b[from:to], unix.MADV_DONTNEED)
	}
}
