package gpu

import (
	"unsafe"

	"wfagpu/cigar"
)

const (
	// storageChunk is the number of elements that storage takes at a time.
	storageChunk = 1 << 14
	// fewElements is the number of elements below which the first alignment of a result shares a chunk with others.
	fewElements = 64
	// storageRounding is the number that the room of an alignment is a multiple of, so that the next one of its place
	// fits, too, as a rule.
	storageRounding = 8
)

// storage is memory for the first alignments of results, many in one piece: short pairs have
// millions of them a second. A result that needs more later has memory of its own, so that few
// chunks have places that nobody uses.
type storage struct{ free []cigar.Elem }

// copy copies the elements of an alignment, as kernels write them, into the memory of an earlier
// one, or into new memory if that is too small.
func (s *storage) copy(to cigar.CIGAR, elements []uint32) cigar.CIGAR {
	if cap(to) == 0 && len(elements) < fewElements {
		to = s.take(len(elements))
	}
	return append(to[:0], unsafe.Slice((*cigar.Elem)(unsafe.SliceData(elements)), len(elements))...)
}

// take returns memory for some elements.
func (s *storage) take(n int) cigar.CIGAR {
	n = (n + storageRounding - 1) / storageRounding * storageRounding
	if len(s.free) < n {
		s.free = make([]cigar.Elem, storageChunk)
	}
	taken := s.free[:0:n]
	s.free = s.free[n:]
	return taken
}
