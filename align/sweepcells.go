package align

// sweepCells gives the traceback the costs of a sweep's cells: all of them where they fit the
// cache, else tiles, the blocks of strips, which are computed again from the strip's border and the
// state before the block.
type sweepCells[C sweepCell] struct {
	sweep   *sweep[C]
	blocks  int // of a strip
	isWhole bool
	all     []C // H of all steps of all strips
	borders []C // of each strip
	states  []C // of each block of each strip
	tiles   [3]sweepTile[C]
	uses    int
}

// sweepTile is the H of the steps of a block.
type sweepTile[C sweepCell] struct {
	strip, block int
	used         int // larger for a later use
	history      []C
	state        []C
}

// sweepWhole is how many bytes of cells are stored at once: more leave the cache.
const sweepWhole = 1 << 20

// plan makes room for a sweep in about memory bytes, and reports whether that is enough.
func (c *sweepCells[C]) plan(s *sweep[C], memory int) bool {
	c.sweep = s
	c.blocks = (s.steps + sweepBlock - 1) / sweepBlock
	for i := range c.tiles {
		c.tiles[i].strip, c.tiles[i].used = -1, 0
	}
	size := s.bits / 8
	whole := s.strips * s.steps * s.rows
	if c.isWhole = whole*size <= min(sweepWhole, memory); c.isWhole {
		c.all = sized(c.all, whole)
		return true
	}
	borders, states := s.strips*c.width(), s.strips*c.blocks*len(s.state)
	tiles := len(c.tiles) * sweepBlock * s.rows
	if (borders+states+tiles)*size > memory {
		return false
	}
	c.borders, c.states = sized(c.borders, borders), sized(c.states, states)
	return true
}

// width is the number of elements of a strip's border.
func (c *sweepCells[C]) width() int {
	n := 2
	if c.sweep.two() {
		n = 3
	}
	return n * c.line()
}

// line is the number of elements of a part of it, from column 0 on.
func (c *sweepCells[C]) line() int { return c.sweep.steps + 2 }

// whole returns where the cells of a block go where all are stored.
func (c *sweepCells[C]) whole(s *sweep[C], strip, from int) []C {
	if c.sweep != s || !c.isWhole {
		return nil
	}
	return c.all[(strip*s.steps+from)*s.rows:]
}

func (c *sweepCells[C]) keepBorder(s *sweep[C], strip int) {
	if c.isWhole {
		return
	}
	to := c.borders[strip*c.width():]
	copy(to[:c.line()], s.border[s.rows:])
	copy(to[c.line():][:c.line()], s.insBorder[s.rows:])
	if s.two() {
		copy(to[2*c.line():][:c.line()], s.longBorder[s.rows:])
	}
}

func (c *sweepCells[C]) keepState(s *sweep[C], strip, from int) {
	if !c.isWhole {
		copy(c.saved(strip, from/sweepBlock), s.state)
	}
}

// saved returns the state before a block.
func (c *sweepCells[C]) saved(strip, block int) []C {
	n := len(c.sweep.state)
	return c.states[(strip*c.blocks+block)*n:][:n]
}

func (c *sweepCells[C]) costs(i, j, cost int) bool { return c.cost(i, j) == cost }

// cost returns the cost of cell (i,j).
func (c *sweepCells[C]) cost(i, j int) int {
	s := c.sweep
	switch {
	case i == 0:
		return s.model.top(j)
	case j == 0:
		return s.model.left(i)
	}
	strip := (i - 1) / s.rows
	lane := (strip+1)*s.rows - i
	step := j + s.rows - 1 - lane - 1 // from 0
	if c.isWhole {
		return s.cost(i, j, c.all[(strip*s.steps+step)*s.rows+lane])
	}
	t := c.tile(strip, step/sweepBlock)
	return s.cost(i, j, t.history[step%sweepBlock*s.rows+lane])
}

// tile returns a tile, computed again unless it is one of the last that were used.
func (c *sweepCells[C]) tile(strip, block int) *sweepTile[C] {
	c.uses++
	oldest := &c.tiles[0]
	for i := range c.tiles {
		t := &c.tiles[i]
		if t.strip == strip && t.block == block {
			t.used = c.uses
			return t
		}
		if t.used < oldest.used {
			oldest = t
		}
	}
	oldest.strip, oldest.block, oldest.used = strip, block, c.uses
	c.load(oldest)
	return oldest
}

// load computes a tile.
func (c *sweepCells[C]) load(t *sweepTile[C]) {
	s := c.sweep
	t.history = sized(t.history, sweepBlock*s.rows)
	from := t.block * sweepBlock
	steps := min(sweepBlock, s.steps-from)
	copy(s.state, c.saved(t.strip, t.block))
	// A strip overwrites its border, from rows elements before the first step on.
	saved := c.borders[t.strip*c.width():]
	for i, b := range [][]C{s.border, s.insBorder, s.longBorder}[:c.width()/c.line()] {
		copy(b[s.rows+from+1:][:steps], saved[i*c.line()+from+1:][:steps])
	}
	s.advance(t.strip, from, steps, s.border, s.insBorder, s.longBorder, t.history)
}
