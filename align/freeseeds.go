package align

import (
	"math"
	"slices"
	"unsafe"
)

// freeSeeds finds where alignments of the whole pattern within the text can begin. Of errors + 1
// disjoint seeds an alignment with so many errors passes one without any: it has the diagonal of a
// place where the text has that seed, and begins no further from it than a gap of its cost is long.
type freeSeeds struct {
	kern          *kernels
	model         *Model
	pattern, text *sequence
	unit          float64 // least cost of an error in a seed
	places        []int   // diagonals of the places found, in order
	// Seeds by the hash of their first word, numbered from 1, and the next one of that hash.
	table, next []int32
	hashes      []uint32
}

// leastSeed is the least length of a seed, a word.
const leastSeed = 8

// freeSeedPlaces is the most places of seeds besides two of each: more tell nothing.
const freeSeedPlaces = 64

// takes reports whether seeds tell where alignments under a model begin: where only letters of
// the text may be left out, at no cost.
func (s *freeSeeds) takes(m *Model) bool {
	return m.Span == EndsFree && m.FreeLetter == 0 && m.Free.PatternBegin == 0 && m.Free.PatternEnd == 0
}

// load sets the pair.
func (s *freeSeeds) load(k *kernels, m *Model, pattern, text *sequence) {
	s.kern, s.pattern, s.text = k, pattern, text
	if s.model != m {
		s.model = m
		// A gap of the pattern's letters spoils two seeds if it has two letters, three if it has
		// two more than a seed, and so on.
		s.unit = float64(min(m.Mismatch, m.Cost(1), (leastSeed/2)*m.last().Extend))
		s.unit = min(s.unit, float64(m.Cost(2))/2, float64(m.Cost(leastSeed+2))/3)
	}
}

// certified returns the largest cost of which every alignment passes one of n seeds.
func (s *freeSeeds) certified(n int) int { return int(math.Ceil(float64(n)*s.unit)) - 1 }

// spoilt returns how many seeds an alignment of cost c does not pass at most.
func (s *freeSeeds) spoilt(c int) int { return int(float64(c) / s.unit) }

// seedsFor returns how many seeds to begin with where a cost is expected.
func (s *freeSeeds) seedsFor(cost int) int {
	return 2 * max(1, int(math.Ceil(float64(cost)/s.unit/2)))
}

// find looks for n seeds in the text and reports whether their places are few.
func (s *freeSeeds) find(n int) bool {
	s.places = s.places[:0]
	size := s.pattern.n / n
	if n > wordSeeds {
		if !s.lookAll(n, size) {
			return false
		}
	} else {
		for i := 0; i < n; i += 2 {
			if !s.look(i*size, min(i+1, n-1)*size, size) {
				return false
			}
		}
	}
	slices.Sort(s.places)
	return true
}

// look notes the places of the seeds of the pattern's letters v and w, of a size. It reports
// false where they are too many.
func (s *freeSeeds) look(v, w, size int) bool {
	p, t := s.pattern.first(), s.text.first()
	first, second := load64(p, v), load64(p, w)
	n, most := s.text.n-size+1, freeSeedPlaces+2*(s.pattern.n/size)
	for h := 0; h < n; {
		h += s.kern.words((*byte)(unsafe.Add(t, h)), n-h, first, second)
		for stop := min(h+wordsBlock, n); h < stop; h++ {
			word := load64(t, h)
			if word == first && matchesFrom(p, t, v, h) >= size {
				s.places = append(s.places, h-v)
			}
			if word == second && matchesFrom(p, t, w, h) >= size {
				s.places = append(s.places, h-w)
			}
		}
		if len(s.places) > most {
			return false
		}
	}
	return true
}

// wordSeeds is up to how many seeds are looked for two at a time; more are looked for together.
const wordSeeds = 16

// seedBits is the length of a hash of a word: two bits of each of its letters.
const seedBits = 2 * leastSeed

// hashOf adds a letter to the hash of the letters before it. It tells A, C, G and T apart.
func hashOf(hash uint32, letter byte) uint32 {
	return withLetter(hash, letter) & (1<<seedBits - 1)
}

// withLetter is hashOf for letters of any number.
func withLetter(hash uint32, letter byte) uint32 { return hash<<2 | uint32(letter>>1&3) }

// lookAll notes the places of n seeds of a size, as look does.
func (s *freeSeeds) lookAll(n, size int) bool {
	if s.table == nil {
		s.table = make([]int32, 1<<seedBits)
	}
	p, pattern := s.pattern.first(), s.pattern.letters()
	s.next = roomFor(s.next, n+1)
	hashes := s.hashes[:0]
	for i := range n {
		hash := uint32(0)
		for _, c := range pattern[i*size:][:leastSeed] {
			hash = hashOf(hash, c)
		}
		hashes = append(hashes, hash)
		s.next[i+1], s.table[hash] = s.table[hash], int32(i+1)
	}
	s.hashes = hashes
	most := freeSeedPlaces + 2*n
	hash := uint32(0)
	t := s.text.first()
	for h, c := range s.text.letters() {
		hash = hashOf(hash, c)
		for i := s.table[hash]; i > 0; i = s.next[i] {
			v, from := (int(i)-1)*size, h+1-leastSeed
			if from >= 0 && matchesFrom(p, t, v, from) >= size {
				s.places = append(s.places, from-v)
			}
		}
		if len(s.places) > most {
			break
		}
	}
	for _, hash := range hashes {
		s.table[hash] = 0
	}
	return len(s.places) <= most
}

// seedCluster is places of seeds on neighbouring diagonals.
type seedCluster struct {
	diagonals
	count int
}

// cluster returns the cluster from place at on, of diagonals no further apart than apart each, and
// the place after it.
func (s *freeSeeds) cluster(at, apart int) (seedCluster, int) {
	c := seedCluster{diagonals{s.places[at], s.places[at]}, 0}
	for ; at < len(s.places) && s.places[at]-c.last <= apart; at++ {
		c.last = s.places[at]
		c.count++
	}
	return c, at
}

// densest returns the cluster of the most places, one of none if there are none.
func (s *freeSeeds) densest(apart int) (best seedCluster) {
	for at := 0; at < len(s.places); {
		var c seedCluster
		if c, at = s.cluster(at, apart); c.count > best.count {
			best = c
		}
	}
	return best
}

// begins returns which of the diagonals of begins alignments begin on that pass a seed of the
// cluster, with gaps of so many letters at most.
func (c seedCluster) begins(gap int, of diagonals) (from, to int) {
	return max(of.first, c.first-gap), min(of.last, c.last+gap)
}

// longest returns the length of the longest gap that costs no more than c.
func (m *Model) longest(c int) int {
	l := 0
	for _, g := range [2]Gap{m.Gap, m.last()} {
		if c >= g.Open+g.Extend {
			l = max(l, (c-g.Open)/g.Extend)
		}
	}
	return l
}
