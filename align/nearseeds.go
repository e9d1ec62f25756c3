package align

import (
	"math/bits"
	"slices"
	"unsafe"
)

// nearPlaces tells near which diagonals seeds of a pattern have their places in a text, and how many have
// them elsewhere.
type nearPlaces struct {
	seeds, letters int       // of each
	near           diagonals // on which most seeds have their places
	missing        int       // seeds that have none there
	elsewhere      int       // places
	nowhere        int       // seeds that have none anywhere
}

// fewSeeds looks for few seeds of a pattern, where alignments of a low cost pass. That is quicker than all
// of them, and enough for reads of few errors.
type fewSeeds struct {
	nearPlaces
	in     diagonals // that are looked at
	most   int       // the diagonal of most places
	others int       // places on other diagonals
	rate   seedRate  // of the last pairs
	finder seedFinder
	places []int // diagonals
}

const (
	fewLetters = 8  // that are looked for
	fewSure    = 24 // most letters of a seed
	fewLeast   = 4  // seeds
	fewMost    = 12 // seeds, and four places for each
	fewNear    = 6  // how far apart the diagonals of an alignment are at most, to tell where most places are
)

// find finds the places of the seeds of a pattern in the text of c that alignments pass which cost less than
// a unit for each seed, and reports whether they are few and some are near each other.
func (s *fewSeeds) find(k *lanesKernel, c *codes, m *Model, unit int, pattern *sequence) bool {
	n := min(pattern.n/fewLetters, fewMost)
	if n < fewLeast {
		return false
	}
	gap := m.mostGap(min(n*unit, maxNarrowScore+1), seqPad)
	in := diagonals{-gap, c.text.n - pattern.n + gap}
	if s.in = in; in.count() <= 0 {
		return false
	}
	stride := pattern.n / n
	letters := min(stride, fewSure)
	p, t := pattern.first(), c.text.first()
	found := s.finder.findOn(k, c, pattern, fewLetters, n, in)
	s.nearPlaces = nearPlaces{seeds: n, letters: fewLetters, nowhere: n}
	d, first, last := s.places[:0], 0, int32(-1)
	one := true
	for i := range found {
		b := &found[i]
		v := int(b.seed) * stride
		at := in.first + v + int(b.at)
		for places := b.places; places != 0; places &= places - 1 {
			h := at + bits.TrailingZeros64(places)
			if h < 0 || h+letters > c.text.n || !equalLetters(p, t, v, h, letters) {
				continue
			}
			if b.seed != last {
				last = b.seed
				s.nowhere--
			}
			if len(d) == 0 {
				first = h - v
			} else if h-v != first {
				one = false
			}
			d = append(d, h-v)
		}
		if len(d) > 4*fewMost {
			s.places = d
			return false
		}
	}
	s.places = d
	if len(d) == 0 {
		return false
	}
	if one { // all on one diagonal
		s.near, s.most, s.others = diagonals{first, first}, first, 0
		s.missing = max(0, n-len(d))
		return true
	}
	slices.Sort(d)
	from, to := densest(d, fewNear)
	s.near = diagonals{d[from], d[to-1]}
	s.missing = max(0, n-(to-from))
	s.elsewhere = len(d) - (to - from)
	at, behind := densest(d[from:to], 0)
	s.most, s.others = d[from+at], len(d)-(behind-at)
	return true
}

// equalLetters reports whether so many letters, 8 to 24, from v of the pattern on and from h of the text on
// are equal.
func equalLetters(pattern, text unsafe.Pointer, v, h, letters int) bool {
	next, last := min(8, letters-8), letters-8
	return load64(pattern, v) == load64(text, h) && load64(pattern, v+next) == load64(text, h+next) &&
		load64(pattern, v+last) == load64(text, h+last)
}
