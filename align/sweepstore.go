package align

import "math/bits"

// sweepStore stores what the strips of a sweep are computed from: their borders, and the states before
// their blocks. If those of all strips exceed the memory, one border of every so many strips is saved,
// and the strips up to the next one are computed again when one of them is asked for. If these exceed
// the memory, too, borders between them are saved on the way, in as many levels as it takes. Where the
// memory is too little even for two borders on a level, it takes that much all the same: the border of a
// strip is no longer than a row of the matrix.
type sweepStore[C sweepCell] struct {
	memory      int // cells
	strips      []sweepStrip
	first, last int // strips whose borders and states are stored
	borders     []C // of each of these, from the column before it on
	states      []C // of each of their blocks

	levels             []savedBorders[C] // of all strips, and of those after one border of the level before
	mostBorder, mostOf int               // cells that the border of one strip takes, and all of it
}

// savedBorders are the borders of one strip of every so many.
type savedBorders[C sweepCell] struct {
	first, last int // strips among which these are
	every       int
	cells       []C
	places      []int // of the strips first, first+every, …
}

func (b *savedBorders[C]) reset(first, last, every int) {
	b.first, b.last, b.every = first, last, every
	b.cells, b.places = b.cells[:0], b.places[:0]
}

// empty leaves no strip.
func (b *savedBorders[C]) empty() { b.reset(0, -1, 0) }

func (b *savedBorders[C]) has(strip int) bool { return strip >= b.first && strip <= b.last }

// of returns the last strip not after another one that has a border here, and the border.
func (b *savedBorders[C]) of(strip int) (int, []C) {
	i := (strip - b.first) / b.every
	return b.first + i*b.every, b.cells[b.places[i]:]
}

// start empties the store.
func (c *sweepStore[C]) start(memory int) {
	c.memory, c.mostBorder, c.mostOf = memory, 0, 0
	c.first, c.last = 0, -1
	c.strips, c.borders, c.states = c.strips[:0], c.borders[:0], c.states[:0]
	if len(c.levels) == 0 {
		c.levels = make([]savedBorders[C], 1)
	}
	for i := range c.levels {
		c.levels[i].empty()
	}
}

// all reports whether all strips are stored so far.
func (c *sweepStore[C]) all() bool { return c.levels[0].every == 0 }

// add adds the next strip, whose border is in s.
func (c *sweepStore[C]) add(s *sweep[C], t sweepStrip) {
	i, o := len(c.strips), &c.levels[0]
	c.strips = append(c.strips, t)
	border := len(s.borders()) * t.line()
	size := border + t.blocks()*len(s.state)
	c.mostBorder, c.mostOf = max(c.mostBorder, border), max(c.mostOf, size)
	if c.all() {
		next := 1 // strips that take about as much
		if !s.bounded() {
			next = s.strips - i
		}
		if len(c.borders)+len(c.states)+next*size <= c.memory {
			c.store(s, i)
			return
		}
		for _, t := range c.strips[:i] {
			o.places = append(o.places, t.border)
		}
		o.every, o.cells, c.borders = 1, c.borders, o.cells
		c.states = nil // room for most of them
		c.first, c.last = 0, -1
	}
	if i%o.every == 0 {
		o.places = append(o.places, len(o.cells))
		o.cells = c.appendBorder(o.cells, s, &t)
	}
	for len(o.places) > 1 && (o.every == 1 || len(o.cells) > c.memory/2 || len(o.places) > 2 && !c.plan().fits) {
		c.thin(s)
	}
}

// thin drops every other border of all strips.
func (c *sweepStore[C]) thin(s *sweep[C]) {
	o := &c.levels[0]
	o.every *= 2
	end, kept := 0, 0
	for i, at := range o.places {
		if i%2 == 1 {
			continue
		}
		n := len(s.borders()) * c.strips[kept*o.every].line()
		copy(o.cells[end:], o.cells[at:][:n])
		o.places[kept] = end
		end, kept = end+n, kept+1
	}
	o.places, o.cells = o.places[:kept], o.cells[:end]
}

// sweepPlan is how the strips between two borders of all are stored.
type sweepPlan struct {
	together int  // strips at a time
	levels   int  // of borders between those
	share    int  // a level has so many borders between two of the one before
	fits     bool // in the memory
}

// plan returns the plan of the fewest levels, for each of them the strips are computed once more.
func (c *sweepStore[C]) plan() sweepPlan {
	o := &c.levels[0]
	free, most := c.memory-len(o.cells), bits.Len(uint(o.every))-1
	for levels := 0; levels <= most; levels++ {
		for strips := most; strips >= 0; strips-- {
			p := sweepPlan{together: 1 << strips, levels: levels, fits: true}
			room := free - p.together*c.mostOf
			if room < 0 || levels == 0 && strips < most {
				continue
			}
			share := 0 // the logarithm
			if levels > 0 {
				share = bits.Len(uint(room/(levels*c.mostBorder))) - 1
			}
			if strips+levels*share >= most && (levels == 0 || share > 0) {
				p.share = 1 << max(share, 0)
				return p
			}
		}
	}
	return sweepPlan{together: 1, levels: most, share: 2}
}

// store stores the border of strip i, which is in s.
func (c *sweepStore[C]) store(s *sweep[C], i int) {
	t := &c.strips[i]
	t.border, t.states = len(c.borders), len(c.states)
	c.borders = c.appendBorder(c.borders, s, t)
	c.last = i
}

func (c *sweepStore[C]) appendBorder(to []C, s *sweep[C], t *sweepStrip) []C {
	to = moreRoom(to, len(s.borders())*t.line(), c.memory)
	for _, b := range s.borders() {
		to = append(to, b[s.rows+t.before:][:t.line()]...)
	}
	return to
}

// addBlock stores the state before the next block of the newest strip.
func (c *sweepStore[C]) addBlock(s *sweep[C]) {
	if c.all() {
		c.appendState(s)
	}
}

func (c *sweepStore[C]) appendState(s *sweep[C]) {
	c.states = append(moreRoom(c.states, len(s.state), c.memory), s.state...)
}

// need makes a strip one of those that are stored. It reports false when stopped.
func (c *sweepStore[C]) need(s *sweep[C], strip int) bool {
	if strip >= c.first && strip <= c.last {
		return true
	}
	c.borders, c.states = c.borders[:0], c.states[:0]
	c.first, c.last = 0, -1
	p := c.plan()
	for len(c.levels) <= p.levels {
		c.levels = append(c.levels, savedBorders[C]{last: -1})
	}
	every := c.levels[0].every
	from, border := c.levels[0].of(strip)
	for i := 1; i <= p.levels; i++ {
		in, last := &c.levels[i], min(from+every, len(c.strips))-1
		every = max(every/p.share, p.together)
		if !in.has(strip) {
			in.reset(from, last, every)
			if !c.again(s, from, last, border, in) {
				in.empty()
				return false
			}
		}
		from, border = in.of(strip)
	}
	c.first, c.last = from, from-1
	if !c.again(s, from, min(from+every, len(c.strips))-1, border, nil) {
		c.first, c.last = 0, -1
		return false
	}
	return true
}

// again computes the strips from..to, the first of them from its border, and stores all of them, or
// borders of some on a level. It reports false when stopped.
func (c *sweepStore[C]) again(s *sweep[C], from, to int, border []C, level *savedBorders[C]) bool {
	if stopped(s.stop) {
		return false
	}
	t := &c.strips[from]
	for part, b := range s.borders() {
		copy(b[s.rows+t.before:][:t.line()], border[part*t.line():])
	}
	for i := from; i <= to; i++ {
		t := &c.strips[i]
		if i > from {
			s.enter(t.first)
		} else {
			s.ready(t, s.bound+1)
		}
		if level == nil {
			c.store(s, i)
		} else if (i-from)%level.every == 0 {
			level.places = append(level.places, len(level.cells))
			level.cells = c.appendBorder(level.cells, s, t)
		}
		for at := 0; at < t.steps; at += sweepBlock {
			if stopped(s.stop) {
				return false
			}
			if level == nil {
				c.appendState(s)
			}
			s.advance(t, at, min(sweepBlock, t.steps-at), s.history[:0])
		}
		s.lastStrip = *t
	}
	return true
}
