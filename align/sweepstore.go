package align

import "math/bits"

// sweepStore stores what the strips of a sweep are computed from: their borders, and the states before
// their blocks. If those of all strips exceed the memory, one border of every so many strips is saved,
// and the strips up to the next one are computed again when one of them is asked for. If these exceed
// the memory, too, borders between them are saved on the way, in as many layers as it takes. Where the
// memory is too little even for that, it takes two borders on each of the layers that half of the strips, a quarter
// and so on make, and one whole strip: each is two or three rows of the matrix and about as many states.
type sweepStore[C sweepCell] struct {
	memory      int // cells
	held        int // cells of what follows while all strips are stored
	strips      []sweepStrip
	first, last int   // strips whose borders and states are stored
	borders     [][]C // of each of these, from the column before it on
	states      [][]C // of each of these: of its blocks
	spare       [][]C // borders to use again,
	spareStates [][]C // and states

	layers             []savedBorders[C] // of all strips, and of those after one border of the layer before
	mostBorder, mostOf int               // cells that the border of one strip takes, and all of it
}

// savedBorders are the borders of one strip of every so many.
type savedBorders[C sweepCell] struct {
	first, last int // strips among which these are
	every       int
	borders     [][]C // of the strips first, first+every, …
}

func (b *savedBorders[C]) has(strip int) bool { return strip >= b.first && strip <= b.last }

// of returns the last strip not after another one that has a border here, and the border.
func (b *savedBorders[C]) of(strip int) (int, []C) {
	i := (strip - b.first) / b.every
	return b.first + i*b.every, b.borders[i]
}

// cells returns how many cells the borders have.
func (b *savedBorders[C]) cells() (n int) {
	for _, border := range b.borders {
		n += len(border)
	}
	return n
}

// start empties the store.
func (c *sweepStore[C]) start(memory int) {
	c.memory, c.mostBorder, c.mostOf, c.held = memory, 0, 0, 0
	c.strips = c.strips[:0]
	c.drop()
	if len(c.layers) == 0 {
		c.layers = make([]savedBorders[C], 1)
	}
	for i := range c.layers {
		c.reset(&c.layers[i], 0, -1, 0)
	}
}

// drop stores no strip as a whole.
func (c *sweepStore[C]) drop() {
	c.spare, c.spareStates = append(c.spare, c.borders...), append(c.spareStates, c.states...)
	c.borders, c.states = c.borders[:0], c.states[:0]
	c.first, c.last = 0, -1
}

// reset makes a layer one of other strips, with no borders yet.
func (c *sweepStore[C]) reset(b *savedBorders[C], first, last, every int) {
	c.spare = append(c.spare, b.borders...)
	b.first, b.last, b.every, b.borders = first, last, every, b.borders[:0]
}

// all reports whether all strips are stored so far.
func (c *sweepStore[C]) all() bool { return c.layers[0].every == 0 }

// add adds the next strip, whose border is in s.
func (c *sweepStore[C]) add(s *sweep[C], t sweepStrip) {
	i, o := len(c.strips), &c.layers[0]
	c.strips = append(c.strips, t)
	border := len(s.borders()) * t.line()
	size := border + t.blocks()*len(s.state)
	c.mostBorder, c.mostOf = max(c.mostBorder, border), max(c.mostOf, size)
	if c.all() {
		next := 1 // strips that take about as much
		if !s.bounded() {
			next = s.strips - i
		}
		if c.held+next*size <= c.memory {
			c.held += size
			c.store(s, i)
			return
		}
		o.every, o.borders, c.borders = 1, c.borders, o.borders
		c.drop()
		c.spare, c.spareStates = nil, nil // those of most strips are not needed again
	}
	if i%o.every == 0 {
		o.borders = append(o.borders, c.border(s, &t))
	}
	for len(o.borders) > 1 && (o.every == 1 || o.cells() > c.memory/2 || len(o.borders) > 2 && !c.plan().fits) {
		c.thin()
	}
}

// thin drops every other border of all strips.
func (c *sweepStore[C]) thin() {
	o := &c.layers[0]
	o.every *= 2
	kept := o.borders[:0]
	for i, border := range o.borders {
		if i%2 == 0 {
			kept = append(kept, border)
		} else {
			c.spare = append(c.spare, border)
		}
	}
	o.borders = kept
}

// sweepPlan is how the strips between two borders of all are stored.
type sweepPlan struct {
	together int  // strips at a time
	layers   int  // of borders between those
	share    int  // a layer has so many borders between two of the one before
	fits     bool // in the memory
}

// plan returns the plan of the fewest layers: for each of them the strips are computed once more.
func (c *sweepStore[C]) plan() sweepPlan {
	o := &c.layers[0]
	free, most := c.memory-o.cells(), bits.Len(uint(o.every))-1
	if o.every*c.mostOf <= free {
		return sweepPlan{together: o.every, fits: true}
	}
	for layers := 1; layers <= most; layers++ {
		for together := o.every / 2; together > 0; together /= 2 {
			room := free - together*c.mostOf
			p := sweepPlan{together: together, layers: layers, share: room / (layers * c.mostBorder), fits: true}
			if p.share < 2 {
				continue
			}
			reach := together
			for range layers {
				reach = min(reach*p.share, o.every)
			}
			if reach == o.every {
				return p
			}
		}
	}
	return sweepPlan{together: 1, layers: most, share: 2}
}

// store stores the border of strip i, which is in s, and makes room for its states.
func (c *sweepStore[C]) store(s *sweep[C], i int) {
	t := &c.strips[i]
	c.borders = append(c.borders, c.border(s, t))
	c.states = append(c.states, fromSpare(&c.spareStates, t.blocks()*len(s.state)))
	c.last = i
}

// border returns a copy of the border of a strip, which is in s.
func (c *sweepStore[C]) border(s *sweep[C], t *sweepStrip) []C {
	to := fromSpare(&c.spare, len(s.borders())*t.line())
	for _, b := range s.borders() {
		to = append(to, b[s.rows+t.before:][:t.line()]...)
	}
	return to
}

// fromSpare returns an empty slice with room for n cells, one to use again if it has.
func fromSpare[C sweepCell](spare *[][]C, n int) []C {
	if last := len(*spare) - 1; last >= 0 {
		s := (*spare)[last]
		(*spare)[last] = nil
		*spare = (*spare)[:last]
		if cap(s) >= n {
			return s[:0]
		}
	}
	return make([]C, 0, n)
}

// addBlock stores the state before the next block of the newest strip.
func (c *sweepStore[C]) addBlock(s *sweep[C]) {
	if c.all() {
		c.appendState(s)
	}
}

func (c *sweepStore[C]) appendState(s *sweep[C]) {
	last := &c.states[len(c.states)-1]
	*last = append(*last, s.state...)
}

// need makes a strip one of those that are stored. It reports false when stopped.
func (c *sweepStore[C]) need(s *sweep[C], strip int) bool {
	if strip >= c.first && strip <= c.last {
		return true
	}
	c.drop()
	p := c.plan()
	for len(c.layers) <= p.layers {
		c.layers = append(c.layers, savedBorders[C]{last: -1})
	}
	every := c.layers[0].every
	from, border := c.layers[0].of(strip)
	for i := 1; i <= p.layers; i++ {
		in, last := &c.layers[i], min(from+every, len(c.strips))-1
		every = max((every+p.share-1)/p.share, p.together)
		if !in.has(strip) {
			c.reset(in, from, last, every)
			if !c.again(s, from, last, border, in) {
				c.reset(in, 0, -1, 0)
				return false
			}
		}
		from, border = in.of(strip)
	}
	c.first, c.last = from, from-1
	if !c.again(s, from, min(from+every, len(c.strips))-1, border, nil) {
		c.drop()
		return false
	}
	return true
}

// again computes the strips from..to, the first of them from its border, and stores all of them, or
// borders of some on a layer. It reports false when stopped.
func (c *sweepStore[C]) again(s *sweep[C], from, to int, border []C, layer *savedBorders[C]) bool {
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
			s.ready(t, s.dead)
		}
		if layer == nil {
			c.store(s, i)
		} else if (i-from)%layer.every == 0 {
			layer.borders = append(layer.borders, c.border(s, t))
		}
		for at := 0; at < t.steps; at += sweepBlock {
			if stopped(s.stop) {
				return false
			}
			if layer == nil {
				c.appendState(s)
			}
			s.advance(t, at, min(sweepBlock, t.steps-at), s.history[:0])
		}
		s.lastStrip = *t
	}
	return true
}
