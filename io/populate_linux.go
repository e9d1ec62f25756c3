package seqio

import "golang.org/x/sys/unix"

// populate makes the pages of mapped text ready at once, where the system can: the first look at
// each would take longer. That a page has gone shows when it is read.
func populate(data []byte) { unix.Madvise(data, unix.MADV_POPULATE_READ) }
