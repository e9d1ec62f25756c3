package align

import "math/bits"

// laneReach is the least number of diagonals on either side of a band on which seeds are looked for.
const laneReach = 16

// findOn finds the places of the seeds of a pattern on some diagonals alone, which all alignments of costs up to
// certain are on. It looks at codes, so that some places may be there for other letters. c has the text, and a
// margin as wide as the diagonals go beyond it.
func (s *laneSeeds) findOn(k *lanesKernel, c *codes, pattern *sequence, on diagonals, certain int) {
	s.letters = laneShort
	n := pattern.n / s.letters
	s.seeds, s.stride, s.certain = n, pattern.n/n, certain
	s.first, s.last = roomFor(s.first, n), roomFor(s.last, n)
	for i := range n {
		s.first[i], s.last[i] = 1<<30, -1<<30
	}
	found := s.finder.findOn(k, c, pattern, s.letters, n, on)
	for i := range found {
		b := &found[i]
		at := b.at + int32(on.first)
		s.first[b.seed] = min(s.first[b.seed], at+int32(bits.TrailingZeros64(b.places)))
		s.last[b.seed] = max(s.last[b.seed], at+63-int32(bits.LeadingZeros64(b.places)))
	}
}
