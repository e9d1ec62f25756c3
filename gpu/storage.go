package gpu

import (
	"unsafe"

	"wfagpu/cigar"
)

const (
	// storageChunk is the number of elements that storage takes at a time, and ownStorage that from which on an
	// alignment has memory of its own.
	storageChunk, ownStorage = 1 << 14, 1 << 10
	// storageRounding is the number that the room of an alignment is a multiple of, so that the next one of its place
	// fits, too, as a rule.
	storageRounding = 8
)

// storage is memory for alignments of results that have too little, many in one piece: short pairs have
// millions of them a second.
type storage struct{ free []cigar.Elem }

// copy copies the elements of an alignment, as kernels write them, into the memory of an earlier one, or into new memory if
// that is too small.
func (s *storage) copy(to cigar.CIGAR, elements []uint32) cigar.CIGAR {
	if cap(to) < len(elements) {
		to = s.take(len(elements))
	}
	return append(to[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elements)), len(elements))...)
}

// take returns memory for some elements.
func (s *storage) take(n int) cigar.CIGAR {
	n = (n + storageRounding - 1) / storageRounding * storageRounding
	if n >= ownStorage {
		return make(cigar.CIGAR, 0, n)
	}
	if len(s.free) < n {
		s.free = make([]cigar.Elem, storageChunk)
	}
	taken := s.free[:0:n]
	s.free = s.free[n:]
	return taken
}
