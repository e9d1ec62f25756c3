package align

import (
	"math"
	"math/bits"
)

// laneSeeds are the places that the seeds of a pattern have in a text. They show near which diagonals an
// alignment is likely, and what alignments cost elsewhere at least: an error for each seed that has no
// place there.
type laneSeeds struct {
	nearPlaces
	stride      int
	first, last []int32 // diagonals of the places of a seed; last < first if it has none
	certain     int     // places are known that alignments of such costs may have

	counts []uint16 // places, by diagonals
	blocks []uint16 // by blocks of laneNear diagonals
	finder seedFinder
	places []int32 // diagonals, from that of the pattern's last letter and the text's first one on
}

const (
	laneNear  = 16 // diagonals: so many, or twice as many, are near each other
	laneShort = 6  // letters of a seed
	laneLong  = 8  // in a text of more than laneText letters, where short ones have more places by chance
	laneText  = 2048

	laneMostText   = 1 << 14 // most letters of a text
	laneMostSeeds  = 512
	laneMostPlaces = 48 // of a seed, on average: where all letters are equal, say, whole matrices take less time
)

// lettersOfSeeds returns how many letters seeds have that are looked for in all of a text.
func lettersOfSeeds(text int) int {
	if text > laneText {
		return laneLong
	}
	return laneShort
}

// laneCount returns how many seeds of so many letters are looked for, 0 if a pattern has too few or the
// text is too short or too long.
func laneCount(pattern, text, letters int) int {
	n := min(pattern/letters, laneMostSeeds)
	if n < 2 || text < letters || text > laneMostText {
		return 0
	}
	return n
}

// find finds the places of the seeds of a pattern in the text of c, and reports whether they are few and
// some are near each other.
func (s *laneSeeds) find(k *lanesKernel, c *codes, pattern *sequence) bool {
	text := c.text
	s.letters = lettersOfSeeds(text.n)
	n := laneCount(pattern.n, text.n, s.letters)
	if n == 0 {
		return false
	}
	s.seeds, s.nowhere, s.stride, s.certain = n, n, pattern.n/n, math.MaxInt
	found := s.finder.find(k, c, pattern, s.letters, n)
	s.first, s.last, s.places = roomFor(s.first, n), roomFor(s.last, n), s.places[:0]
	for i := range n {
		s.first[i], s.last[i] = 1<<30, -1<<30
	}
	if most := 64 + 8*n; len(found) > most {
		return false
	}
	places := 0
	for i := range found {
		places += bits.OnesCount64(found[i].places)
	}
	if places > laneMostPlaces*n {
		return false
	}
	for i := range found {
		b := &found[i]
		for k := range b.diagonals(pattern, text, s.letters, s.stride) {
			if s.last[b.seed] == -1<<30 {
				s.nowhere--
			}
			s.first[b.seed] = min(s.first[b.seed], k)
			s.last[b.seed] = k
			s.places = append(s.places, k+int32(pattern.n))
		}
	}
	return s.locate(pattern.n, text.n)
}

// locate sets near and missing.
func (s *laneSeeds) locate(pattern, text int) bool {
	if len(s.places) == 0 {
		return false
	}
	all := (pattern+text)/laneNear + 2
	s.blocks = roomFor(s.blocks, all)
	clear(s.blocks)
	for _, k := range s.places {
		s.blocks[k/laneNear]++
	}
	best, most := 0, uint16(0)
	for i := range all - 1 {
		if n := s.blocks[i] + s.blocks[i+1]; n > most {
			best, most = i, n
		}
	}
	if len(s.counts) < laneNear*(all+1) {
		s.counts = make([]uint16, laneNear*(all+1))
	}
	first, last := int32(best*laneNear), int32((best+2)*laneNear-1)
	for _, k := range s.places {
		s.counts[k]++
	}
	// Single places may be there by chance.
	s.near = diagonals{1 << 30, -1}
	for least := uint16(2); least > 0 && s.near.first > s.near.last; least-- {
		for k := first; k <= last; k++ {
			if s.counts[k] >= least {
				s.near = diagonals{min(s.near.first, int(k)), int(k)}
			}
		}
	}
	inside := 0
	for k := s.near.first; k <= s.near.last; k++ {
		inside += int(s.counts[k])
	}
	for _, k := range s.places {
		s.counts[k] = 0
	}
	s.near.first -= pattern
	s.near.last -= pattern
	s.missing = max(0, len(s.first)-inside)
	s.elsewhere = len(s.places) - inside
	return true
}

// absent reports whether seed i has no place on the left of a band, and none on the right of it.
func (s *laneSeeds) absent(i int, band diagonals) (left, right bool) {
	return int(s.first[i]) >= band.first, int(s.last[i]) <= band.last
}

// copyFrom sets what is known of a pair to what t has.
func (s *laneSeeds) copyFrom(t *laneSeeds) {
	s.nearPlaces, s.stride, s.certain = t.nearPlaces, t.stride, t.certain
	s.first, s.last = append(s.first[:0], t.first...), append(s.last[:0], t.last...)
}
