package align

import "sort"

// approxKept is what the traceback reads: all M rows as long as they fit, else
// those of two segments of scores. A segment is computed again from a
// checkpoint, which has all that later scores read, when one of its rows is
// asked for. Two, since most steps lead only a few scores back.
type approxKept struct {
	memory   int // the bound, in bytes
	on       bool
	into     *segment // where rows go as they are computed; nil for nowhere
	segments [2]segment
	recent   int // the one last read
	score    int // of the last row of all

	checks []checkpoint // storage beyond used is for later
	used   int
	every  int // scores from one to the next
}

// segment has the M rows of the scores from first on.
type segment struct {
	first int
	rows  []row
	arena arena
}

func (g *segment) reset(first int) {
	g.first, g.rows = first, g.rows[:0]
	g.arena.reset()
}

// checkpoint is the state after the row of score s and a look.
type checkpoint struct {
	s, w, nextLook int
	held           []int32
}

// Of the memory all rows may take 12 parts of 16. When they do not fit, that is
// room for one of the segments, each of one part, and checkpoints may take
// three. Where that is too little for the score, both grow as its square root.
const keptParts, keptRowsParts, keptChecksParts = 16, 12, 3

// startKeeping prepares for a pair. on is whether to keep anything.
func (f *approxFront) startKeeping(on bool) {
	k := &f.kept
	k.on, k.into, k.recent, k.used = on, nil, 0, 0
	for i := range k.segments {
		k.segments[i].reset(0)
	}
	if on {
		k.into = &k.segments[0]
		// Segments smaller than checkpoints are no use.
		k.every = max(k.memory/keptParts/(4*f.rows.width), f.heldCount())
	}
}

// heldCount is the number of rows that later scores read.
func (f *approxFront) heldCount() int { return f.heldM() + 2*f.pen.GapExtend }

// store makes b, which is yet to be filled, the M row of score s.
func (g *segment) store(b []int32, w, band int) {
	g.rows = append(g.rows, row{lo: w, hi: w + band - 1, buf: b})
}

// bound is called before each step of the first pass and holds what is kept
// to the bound.
func (f *approxFront) bound() {
	k := &f.kept
	if !k.on {
		return
	}
	if g := &k.segments[0]; k.into != nil && g.arena.taken > k.memory/4/keptParts*keptRowsParts {
		k.into = nil
		g.reset(0)
	}
	if f.s == (k.used+1)*k.every {
		f.checkpoint()
	}
}

// checkpoint saves the state. If that is too much, every other checkpoint goes,
// unless checkpoints are less than the segments between them, which would grow.
func (f *approxFront) checkpoint() {
	k, width := &f.kept, f.rows.width
	if k.used == len(k.checks) {
		k.checks = append(k.checks, checkpoint{})
	}
	c := &k.checks[k.used]
	k.used++
	c.s, c.w, c.nextLook = f.s, f.w, f.nextLook
	if need := f.heldCount() * width; cap(c.held) < need {
		c.held = make([]int32, 0, need)
	}
	c.held = c.held[:0]
	for r := range f.held {
		c.held = append(c.held, r...)
	}
	if k.used*len(c.held) > max(k.memory/4/keptParts*keptChecksParts, 2*k.every*width) {
		k.used /= 2
		for i := range k.used {
			k.checks[i], k.checks[2*i+1] = k.checks[2*i+1], k.checks[i]
		}
		k.every *= 2
	}
}

// row returns the M row of score s, which is not negative.
func (f *approxFront) row(s int) *row {
	k := &f.kept
	for i := range k.segments {
		if g := &k.segments[i]; s >= g.first && s-g.first < len(g.rows) {
			k.recent = i
			return &g.rows[s-g.first]
		}
	}
	k.recent = 1 - k.recent
	f.recompute(&k.segments[k.recent], s)
	return f.row(s)
}

// recompute computes the rows from the last checkpoint before score s to the
// next one.
func (f *approxFront) recompute(g *segment, s int) {
	k := &f.kept
	i := sort.Search(k.used, func(i int) bool { return k.checks[i].s >= s })
	end := k.score
	if i < k.used {
		end = k.checks[i].s
	}
	k.into = g
	if i == 0 {
		g.reset(0)
		f.begin()
	} else {
		g.reset(k.checks[i-1].s + 1)
		f.restore(&k.checks[i-1])
	}
	for f.s < end {
		if f.s == f.nextLook {
			f.look()
		}
		f.step()
	}
	k.into = nil
}

// restore goes back to a checkpoint.
func (f *approxFront) restore(c *checkpoint) {
	f.s, f.nextLook = c.s, c.nextLook
	f.place(c.w)
	clear(f.rows.ahead)
	f.edge = true // for all that is known
	held := c.held
	for i := range f.heldM() {
		f.m.reuse(f.s - i)
	}
	for r := range f.held {
		held = held[copy(r, held):]
	}
}
