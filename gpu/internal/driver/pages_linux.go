package driver

import "golang.org/x/sys/unix"

// hugePage is the least size of pinned memory, in bytes, that is mapped in huge pages.
const hugePage = 2 << 20

// mapPages returns memory from the system, in huge pages where it has them.
func mapPages(bytes int) ([]byte, error) {
	pages, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, err
	}
	// Both are hints: a system without huge pages has small ones, and pages that are not there
	// come with their first use.
	_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
	_ = unix.Madvise(pages, unix.MADV_POPULATE_WRITE)
	return pages, nil
}

// unmapPages gives memory of mapPages back.
func unmapPages(pages []byte) {
	_ = unix.Munmap(pages) // fails for memory of others alone
}
