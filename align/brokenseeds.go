package align

// brokenSeeds counts seeds of a pattern that the text does not have. An alignment has an error in each of
// them, so those behind a cell tell what an alignment costs from there on at least.
//
// Each is the first one brokenSpace letters or more behind the one before. A mismatch breaks one of
// them, a deletion of text letters one at most, and an insertion of pattern letters one, from
// brokenSpace+2 letters on two, and one more for each step, the letters of a seed and the space
// behind it. An open gap goes on at no cost but that of its letters. So with a cost of
//
//	min(x, o + e/4, (2o + (brokenSpace+2)*e/2) / 4, step*e/4)
//
// for each seed, all gaps but an open one cost three quarters of their extension on top of the seeds that they
// break, and an open one does but for one seed.
type brokenSeeds struct {
	size, step int
	extend     int
	unit       int      // four times the cost of a seed, 0 if nothing is known
	seen       []uint64 // bits of the hashes that the text has
	behind     []int32  // how many there are that begin at a letter or behind it, for each brokenBlock letters
}

const (
	brokenSpace = 2
	// Seeds have so many letters that the text has one of 16 or fewer by chance.
	leastBroken, mostBroken = 8, 12
	// brokenBlock is so short that one seed begins there at most.
	brokenBlock = 8
)

// none forgets the seeds.
func (s *brokenSeeds) none() { s.unit = 0 }

// load counts the seeds of a pattern that a text does not have. Letters of one hash may differ, so that it counts too
// few.
func (s *brokenSeeds) load(pen Penalties, pattern, text []byte) {
	s.size = leastBroken
	for s.size < mostBroken && 1<<(2*s.size) < 16*len(text) {
		s.size++
	}
	s.step = s.size + brokenSpace
	x, o, e := pen.Mismatch, pen.GapOpen, pen.GapExtend
	s.extend = e
	s.unit = min(4*x, 4*o+e, 2*o+(brokenSpace+2)*e/2, s.step*e)

	s.seen = roomFor(s.seen, 1<<(2*s.size-6))
	seen := s.seen
	clear(seen)
	mask := uint32(1)<<(2*s.size) - 1
	hash := uint32(0)
	for i, c := range text {
		hash = withLetter(hash, c) & mask
		if i >= s.size-1 {
			seen[hash>>6] |= 1 << (hash & 63)
		}
	}
	n := len(pattern)/brokenBlock + 2
	s.behind = roomFor(s.behind, n)
	clear(s.behind)
	hash = 0
	last := s.size - 1 // the letter at which the next one may end
	for i, c := range pattern {
		hash = withLetter(hash, c) & mask
		if i >= last && seen[hash>>6]>>(hash&63)&1 == 0 {
			s.behind[(i-s.size+1)/brokenBlock]++
			last = i + s.step
		}
	}
	for i := n - 2; i >= 0; i-- {
		s.behind[i] += s.behind[i+1]
	}
}

// from returns how many broken seeds there are at least that begin at letter i of the pattern or behind it.
func (s *brokenSeeds) from(i int) int {
	return int(s.behind[min((max(i, 0)+brokenBlock-1)/brokenBlock, len(s.behind)-1)])
}

// above reports whether an alignment costs more than bound that goes on from a cell of some cost, from letter i of the
// pattern or before it, and comes back over so many diagonals.
func (s *brokenSeeds) above(cost, back, i, bound int) bool {
	return s.unit > 0 && 4*cost+3*back*s.extend+s.unit*(s.from(i)-1) > 4*bound
}
