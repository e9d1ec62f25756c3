package align

import "unsafe"

// fenceSeeds are seeds of a pattern and their places in a text, on diagonals of a window. They show what
// alignments beside a band cost at least, as laneChain does: an error for each seed that is not in a chain of
// places beside the band. Two places that are not near each other have a gap between them. The errors of the seeds
// between them are part of it, so that it costs more besides where they are few: jump for up to gaps of them, and
// drift where there are more.
type fenceSeeds struct {
	extend        int16
	far           int // what a gap costs between places that are not near each other
	units         [mostFence - leastFence + 1]laneUnit
	drifts        [mostFence - leastFence + 1]int
	unit          *laneUnit
	gaps, drift   int
	letters       int
	count         int // seeds, one behind the other
	window        diagonals
	pattern, text *sequence
	places        seedIndex
	sides         [2]fenceChain
	found, chains []int32 // of a seed
}

// fenceChain is what is known on one side.
type fenceChain struct {
	cursors []int32 // by hash, a place near the last one that has been looked at
	blocks  []int32 // least chain that ends on diagonals
	least   int32   // of chains, less what all seeds up to here cost
	leasts  []int32 // and up to earlier ones
	seed    int     // that begins or ends next
	begun   bool
}

const (
	fenceLeft = iota
	fenceRight
)

const (
	leastFence, mostFence = 5, 8 // letters of a seed
	// fencePlaces is the most places of a seed in the window by chance, on average.
	fencePlaces = 4
	// Seeds of more letters are quicker and show less. Theirs have to show fenceEnough percent of the score, and of
	// any as much as is left beside two gaps out of the band, less fenceShown.
	fenceEnough = 160
	fenceShown  = 85
)

func newFenceSeeds(m *Model) *fenceSeeds {
	s := &fenceSeeds{extend: int16(m.Gap.Extend), far: m.Cost(chainBlock + 1)}
	steps := stepCosts(m)
	for i := range s.units {
		u := &s.units[i]
		*u = steps.unitOf(m, leastFence+i)
		s.drifts[i] = chainJump(m, leastFence+i, u.unit)
		u.jump = min(u.unit, s.far)
	}
	return s
}

// choose sets how many letters seeds have for a pattern of n letters, of whose score and window.
func (s *fenceSeeds) choose(score, n int, window diagonals) {
	s.letters = leastFence
	for l := leastFence; l <= mostFence; l++ {
		unit := s.units[l-leastFence].unit
		if few := window.count() <= fencePlaces<<(2*l); few && (l == leastFence || 100*unit*(n/l) >= fenceEnough*score) ||
			window.count() > fencePlaces<<(2*s.letters) {
			s.letters = l
		}
	}
	s.unit = &s.units[s.letters-leastFence]
	s.gaps, s.drift = (s.far-s.unit.jump)/s.unit.unit+1, s.drifts[s.letters-leastFence]
}

// mayShow chooses seeds and reports whether they may show that alignments beside a band cost more than score.
func (s *fenceSeeds) mayShow(score, n int, window diagonals) bool {
	s.choose(score, n, window)
	gaps := 2 * int(s.extend) * fencedDiagonals / 2
	return fenceShown*(s.unit.unit*(n/s.letters)+gaps) >= 100*score
}

// load sets the pair and the window, of which mayShow has been asked last.
func (s *fenceSeeds) load(pattern, text *sequence, window diagonals) {
	s.count = pattern.n / s.letters
	s.window, s.pattern, s.text = window, pattern, text
	s.places.load(text.letters(), min(s.letters, indexMost))
	for i := range s.sides {
		c := &s.sides[i]
		c.cursors = append(c.cursors[:0], s.places.heads...)
		c.blocks = roomFor(c.blocks, window.count()/chainBlock+3)
		clear(c.blocks)
		c.least, c.leasts, c.seed, c.begun = 0, c.leasts[:0], 1, false
	}
}

// set adds the events of the seeds to steps from antidiagonal a on, beside a band, on the left and on the right of it
// or on one side.
func (s *fenceSeeds) set(events []fenceEvent, a int, band diagonals, left, right bool) {
	u := s.unit
	if left {
		s.side(fenceLeft, events, (a-band.first)/2, diagonals{s.window.first, band.first - 1}, int16(u.out+u.jump))
	} else {
		s.move(fenceLeft)
	}
	if right {
		s.side(fenceRight, events, (a-band.last-1)/2, diagonals{band.last + 1, s.window.last}, int16(u.jump))
	} else {
		s.move(fenceRight)
	}
}

// side adds the events of one side, where the first step comes behind a row of the pattern. What has come beside
// the band when a seed begins may cost out less than has been counted.
func (s *fenceSeeds) side(side int, events []fenceEvent, row int, on diagonals, out int16) {
	c := &s.sides[side]
	for c.seed < s.count {
		begin := c.seed * s.letters
		if !c.begun {
			if begin <= row {
				c.seed = row/s.letters + 1
				continue
			}
			if begin > row+len(events) {
				return
			}
			e := events[begin-row-1].on(side)
			e.begin, e.out = pairOf(bandInf), pairOf(out)
			c.begun = true
		}
		end := begin + s.letters
		if end > row+len(events) {
			return
		}
		if end > row {
			e := events[end-row-1].on(side)
			e.cost = pairOf(e.cost[0] + int16(s.cost(c, begin, on)))
		}
		c.begun = false
		c.seed++
	}
}

// on returns the part of one side.
func (e *fenceEvent) on(side int) *fenceSide {
	if side == fenceLeft {
		return &e.left
	}
	return &e.right
}

// cost returns what the seed of a side costs that begins at a letter, with places on some diagonals of the window.
func (s *fenceSeeds) cost(c *fenceChain, v int, on diagonals) int {
	unit, jump, last := int32(s.unit.unit), int32(s.unit.jump), c.least
	base := int32(v + s.window.first)
	old := int32(0)
	if n := len(c.leasts); n > s.gaps {
		old = c.leasts[n-1-s.gaps]
	}
	jumped := min(last+jump, old+int32(s.drift))
	found, chains := s.found[:0], s.chains[:0]
	word, pattern, text := load64(s.pattern.first(), v), s.pattern.first(), s.text.first()
	shift := 64 - 8*s.letters
	for _, h := range s.places.within(c.cursors, pattern, v, v+on.first, v+on.last) {
		if (load64(text, int(h))^word)<<shift != 0 {
			continue
		}
		at := (h - base) / chainBlock
		b := c.blocks[at:][:3]
		chain := min(b[0], b[1], b[2], jumped) - unit
		found, chains = append(found, at+1), append(chains, chain)
		c.least = min(c.least, chain)
	}
	for i, chain := range chains {
		b := &c.blocks[found[i]]
		*b = min(*b, chain)
	}
	s.found, s.chains = found, chains
	c.leasts = append(c.leasts, c.least)
	return int(unit + c.least - last)
}

// move forgets the seed of a side that has begun: the edge of the band has moved, or seeds do not count.
func (s *fenceSeeds) move(side int) {
	if c := &s.sides[side]; c.begun {
		c.begun = false
		c.seed++
	}
}

// seedIndex has the places of words of a text, by hash.
type seedIndex struct {
	letters int
	heads   []int32 // where the places begin
	places  []int32
}

// indexMost is the most letters of a word.
const indexMost = 6

// load sets the text, of at least so many letters.
func (x *seedIndex) load(text []byte, letters int) {
	x.letters = letters
	hashes, last := 1<<(2*letters), letters-1
	mask := uint32(hashes - 1)
	x.heads = roomFor(x.heads, hashes+1)
	x.places = roomFor(x.places, len(text))
	heads := x.heads
	clear(heads)
	hash := uint32(0)
	for i, c := range text {
		hash = withLetter(hash, c) & mask
		if i >= last {
			heads[hash]++
		}
	}
	sum := int32(0)
	for i, n := range heads {
		sum += n
		heads[i] = sum // where they end
	}
	// From the last one on, so that those of a hash are in order.
	hash = 0
	for i := len(text) - 1; i >= 0; i-- {
		hash = hash>>2 | uint32(text[i]>>1&3)<<(2*last)
		if i+last < len(text) {
			heads[hash]--
			x.places[heads[hash]] = int32(i)
		}
	}
}

// within returns the places from..to of the word of s at letter v. The cursors remember where they have been.
func (x *seedIndex) within(cursors []int32, s unsafe.Pointer, v, from, to int) []int32 {
	hash := uint32(0)
	for i := range x.letters {
		hash = withLetter(hash, *(*byte)(unsafe.Add(s, v+i)))
	}
	first, end, at := x.heads[hash], x.heads[hash+1], cursors[hash]
	for at > first && int(x.places[at-1]) >= from {
		at--
	}
	for at < end && int(x.places[at]) < from {
		at++
	}
	cursors[hash] = at
	last := at
	for last < end && int(x.places[last]) <= to {
		last++
	}
	return x.places[at:last]
}
