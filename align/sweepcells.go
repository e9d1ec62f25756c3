package align

// sweepCells gives the traceback the costs of a sweep's cells: all of them where they fit the
// cache, else tiles, the blocks of strips, which are computed again from the strip's border and the
// state before the block (sweepStore).
type sweepCells[C sweepCell] struct {
	sweepStore[C]
	sweep   *sweep[C]
	isWhole bool
	whole   []C // H of all steps of all strips
	tiles   [3]sweepTile[C]
	uses    int
}

// sweepTile is the H of the first steps of a block.
type sweepTile[C sweepCell] struct {
	strip, block int
	steps        int
	used         int // larger for a later use
	history      []C
}

// sweepWhole is how many bytes of cells are stored at once: more leave the cache.
const sweepWhole = 1 << 20

// begin makes room for a sweep in about memory bytes.
func (c *sweepCells[C]) begin(s *sweep[C], memory int) {
	c.sweep = s
	for i := range c.tiles {
		c.tiles[i].strip, c.tiles[i].used = -1, 0
	}
	size := s.bits / 8
	all := s.strips * (s.text.n + s.rows) * s.rows
	c.isWhole = all*size <= min(sweepWhole, memory) && !s.bounded()
	if c.isWhole {
		c.whole = roomFor(c.whole, all)
	}
	c.start(memory/size - len(c.tiles)*sweepBlock*s.rows)
}

// keep stores a strip.
func (c *sweepCells[C]) keep(s *sweep[C], t *sweepStrip) {
	if c.isWhole {
		c.strips = append(c.strips, *t)
		return
	}
	c.add(s, *t)
}

// keepBlock stores the state before a block of a strip, or returns where its cells go.
func (c *sweepCells[C]) keepBlock(s *sweep[C], t *sweepStrip, from int) []C {
	if c.isWhole {
		return c.whole[(t.first/s.rows*t.steps+from)*s.rows:]
	}
	c.addBlock(s)
	return nil
}

func (c *sweepCells[C]) costs(i, j, cost int) bool { return c.cost(i, j) == cost }

// cost returns the cost of cell (i,j), or more than the bound.
func (c *sweepCells[C]) cost(i, j int) int {
	s := c.sweep
	switch {
	case i == 0:
		return s.model.top(j)
	case j == 0:
		return s.model.left(i)
	}
	strip := (i - 1) / s.rows
	t := &c.strips[strip]
	if j <= t.before || j > t.last {
		return s.bound + 1
	}
	lane := t.first + s.rows - i
	step := j - t.before + s.rows - 1 - lane - 1 // from 0
	if c.isWhole {
		return s.cost(i, j, c.whole[(strip*t.steps+step)*s.rows+lane])
	}
	tile := c.tile(strip, step/sweepBlock, step%sweepBlock)
	return s.cost(i, j, tile.history[step%sweepBlock*s.rows+lane])
}

// tileSpare is how many steps of a tile are computed behind the one that is asked for: a traceback asks
// for few later ones, for those of long gaps.
const tileSpare = 8

// tile returns a tile that has a step, computed again unless it is one of the last that were used.
func (c *sweepCells[C]) tile(strip, block, step int) *sweepTile[C] {
	c.uses++
	oldest := &c.tiles[0]
	for i := range c.tiles {
		t := &c.tiles[i]
		if t.strip == strip && t.block == block {
			t.used = c.uses
			if step >= t.steps && c.need(c.sweep, strip) {
				c.load(t, sweepBlock)
			}
			return t
		}
		if t.used < oldest.used {
			oldest = t
		}
	}
	oldest.strip, oldest.block, oldest.used = strip, block, c.uses
	oldest.history = roomFor(oldest.history, sweepBlock*c.sweep.rows)
	if c.need(c.sweep, strip) {
		c.load(oldest, step+1+tileSpare)
	}
	return oldest
}

// load computes so many steps of a tile, or all there are.
func (c *sweepCells[C]) load(tile *sweepTile[C], steps int) {
	s := c.sweep
	t := &c.strips[tile.strip]
	from := tile.block * sweepBlock
	steps = min(steps, sweepBlock, t.steps-from)
	tile.steps = steps
	stored := tile.strip - c.first
	copy(s.state, c.states[stored][tile.block*len(s.state):])
	for i, b := range s.borders() {
		copy(b[s.rows+t.before+from+1:][:steps], c.borders[stored][i*t.line()+from+1:])
	}
	s.advance(t, from, steps, tile.history)
}
