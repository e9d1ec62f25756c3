package align

// sweepStore stores what the strips of a sweep are computed from: their borders, and the states before
// their blocks. If those of all strips exceed the memory, one border of every so many strips is saved,
// and the strips up to the next one are computed again when one of them is asked for. If these exceed
// the memory, too, borders between them are saved on the way.
type sweepStore[C sweepCell] struct {
	memory      int // cells
	strips      []sweepStrip
	first, last int // strips whose borders and states are stored
	borders     []C // of each of these, from the column before it on
	states      []C // of each of their blocks

	outer, inner       savedBorders[C] // of all strips, and of those after one of outer
	mostBorder, mostOf int             // cells that the border of one strip takes, and all of it
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
	c.outer.reset(0, -1, 0)
	c.inner.reset(0, -1, 0)
}

// all reports whether all strips are stored so far.
func (c *sweepStore[C]) all() bool { return c.outer.every == 0 }

// add adds the next strip, whose border is in s, and reports whether there is room for it.
func (c *sweepStore[C]) add(s *sweep[C], t sweepStrip) bool {
	i, o := len(c.strips), &c.outer
	c.strips = append(c.strips, t)
	border := len(s.borders()) * t.line()
	size := border + t.blocks()*len(s.state)
	c.mostBorder, c.mostOf = max(c.mostBorder, border), max(c.mostOf, size)
	if c.all() {
		if len(c.borders)+len(c.states)+size <= c.memory {
			c.store(s, i)
			return true
		}
		for _, t := range c.strips[:i] {
			o.places = append(o.places, t.border)
		}
		o.every, o.cells, c.borders = 1, c.borders, o.cells
		c.first, c.last = 0, -1
	}
	if i%o.every == 0 {
		o.places = append(o.places, len(o.cells))
		o.cells = c.appendBorder(o.cells, s, &t)
	}
	for o.every == 1 || len(o.cells) > c.memory/2 && c.innerEvery() > 0 {
		c.thin(s)
	}
	return c.innerEvery() > 0
}

// thin drops every other saved border.
func (c *sweepStore[C]) thin(s *sweep[C]) {
	o := &c.outer
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

// innerEvery returns how many strips are stored at a time, of those between two borders of outer. 0
// means that the memory is too little.
func (c *sweepStore[C]) innerEvery() int {
	if c.outer.every*c.mostOf <= c.memory/2 {
		return c.outer.every
	}
	for every := 1; every*c.mostOf <= c.memory/4; every *= 2 {
		if c.outer.every/every*c.mostBorder <= c.memory/4 {
			return every
		}
	}
	return 0
}

// store stores the border of strip i, which is in s.
func (c *sweepStore[C]) store(s *sweep[C], i int) {
	t := &c.strips[i]
	t.border, t.states = len(c.borders), len(c.states)
	c.borders = c.appendBorder(c.borders, s, t)
	c.last = i
}

func (c *sweepStore[C]) appendBorder(to []C, s *sweep[C], t *sweepStrip) []C {
	for _, b := range s.borders() {
		to = append(to, b[s.rows+t.before:][:t.line()]...)
	}
	return to
}

// addBlock stores the state before the next block of the newest strip.
func (c *sweepStore[C]) addBlock(s *sweep[C]) {
	if c.all() {
		c.states = append(c.states, s.state...)
	}
}

// need makes a strip one of those that are stored. It reports false when stopped.
func (c *sweepStore[C]) need(s *sweep[C], strip int) bool {
	if strip >= c.first && strip <= c.last {
		return true
	}
	every := c.innerEvery()
	from, border := c.outer.of(strip)
	c.borders, c.states = c.borders[:0], c.states[:0]
	c.first, c.last = 0, -1
	if in := &c.inner; every < c.outer.every {
		if strip < in.first || strip > in.last {
			in.reset(from, min(from+c.outer.every, len(c.strips))-1, every)
			if !c.again(s, in.last, from, border, false) {
				in.last = in.first - 1
				return false
			}
		}
		from, border = in.of(strip)
	}
	c.first, c.last = from, from-1
	to := min(from+every, len(c.strips)) - 1
	if !c.again(s, to, from, border, true) {
		c.first, c.last = 0, -1
		return false
	}
	return true
}

// again computes the strips from..to, the first of them from its border, and stores all of them, or
// borders of some in inner. It reports false when stopped.
func (c *sweepStore[C]) again(s *sweep[C], to, from int, border []C, whole bool) bool {
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
		if whole {
			c.store(s, i)
		} else if in := &c.inner; (i-from)%in.every == 0 {
			in.places = append(in.places, len(in.cells))
			in.cells = c.appendBorder(in.cells, s, t)
		}
		for at := 0; at < t.steps; at += sweepBlock {
			if stopped(s.stop) {
				return false
			}
			if whole {
				c.states = append(c.states, s.state...)
			}
			s.advance(t, at, min(sweepBlock, t.steps-at), s.history[:0])
		}
		s.lastStrip = *t
	}
	return true
}
