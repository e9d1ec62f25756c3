package align

import "wfagpu/cigar"

// bandGroup aligns several pairs at a time, each in a band of one vector, with
// all costs kept. A band of one vector alone mostly waits for its own results;
// side by side they fill the gaps.
type bandGroup struct {
	kern  groupKernel
	slots []groupSlot
	used  int
	args  []bandArgs
}

// groupSlot holds one waiting pair.
type groupSlot struct {
	pattern, text sequence
	band          *banded
	index         int // of the pair in its batch
}

// groupLag is by how many antidiagonals the pairs of a group may differ: the
// shorter ones run on into the space beside their letters.
const groupLag = seqPad

func newBandGroup(k groupKernel, pen Penalties) *bandGroup {
	g := &bandGroup{kern: k, slots: make([]groupSlot, k.size), args: make([]bandArgs, k.size)}
	for i := range g.slots {
		g.slots[i].band = newBanded(&g.kern.vector, pen)
	}
	return g
}

// certified returns the largest score that a band of this group certifies for
// pairs that end on diagonal end and have total letters, negative if it cannot
// take them.
func (g *bandGroup) certified(end, total int) int {
	b := g.slots[0].band
	r := b.oneVector(end)
	if r <= 0 || total == 0 || !b.fits(total, 1) {
		return -1
	}
	return min(b.pen.leave(end, r)-1, maxBandScore)
}

// takes reports whether a pair of total letters can join those waiting.
func (g *bandGroup) takes(total int) bool {
	for i := range g.used {
		if abs(g.slots[i].band.total-total) > groupLag {
			return false
		}
	}
	return g.used < len(g.slots)
}

// run aligns the waiting pairs; afterwards each slot's band can be traced.
func (g *bandGroup) run() {
	rows := 0
	for i := range g.used {
		rows = max(rows, (g.slots[i].band.total+1)&^1)
	}
	for i := range g.used {
		s := &g.slots[i]
		g.args[i] = *s.band.prepare(rows)
	}
	for i := g.used; i < len(g.args); i++ {
		g.args[i] = g.args[0] // does the same work twice
	}
	g.kern.run(&g.args[0])
}

// prepare sets up a band of one vector for rows antidiagonals in one call, with
// all H rows kept, and returns the arguments of that call.
func (b *banded) prepare(rows int) *bandArgs {
	b.allow(b.oneVector(b.end))
	b.begin(0, 0)
	b.arguments(0, rows, 0, 0, b.even, b.odd, b.ins, b.del, b.room(rows*b.kern.lanes))
	b.loaded = bandWindow{rows: rows, whole: true}
	return &b.args
}

// oneVector returns how many diagonals beyond 0 and end a band of one vector
// covers on both sides.
func (b *banded) oneVector(end int) int { return (b.width - abs(end) - 2) / 2 }

// score returns the end cell's cost after run.
func (s *groupSlot) score() int { return s.band.cost(s.band.total, s.band.end) }

// join puts the loaded pair, of whose score guess is expected, into a group if
// one is likely to do and not dearer than wavefronts.
func (a *Aligner) join(guess int) bool {
	end, total := a.text.n-a.pattern.n, a.text.n+a.pattern.n
	for _, g := range a.groups {
		if guess > g.certified(end, total) {
			continue
		}
		if bandSetup+groupLane*float64(total*g.kern.vector.lanes) > a.waveCost(guess, 0) {
			return false
		}
		if !g.takes(total) {
			a.finish(g)
		}
		s := &g.slots[g.used]
		a.exchange(s)
		s.band.load(&s.pattern, &s.text)
		s.index = a.index
		g.used++
		return true
	}
	return false
}

// exchange swaps the loaded pair with that of s.
func (a *Aligner) exchange(s *groupSlot) {
	a.pattern, s.pattern = s.pattern, a.pattern
	a.text, s.text = s.text, a.text
}

// finish aligns the pairs that wait in g.
func (a *Aligner) finish(g *bandGroup) {
	if g.used == 0 {
		return
	}
	g.run()
	for i := range g.used {
		s := &g.slots[i]
		r := &a.batch.Results[s.index]
		score, c, err := a.fromGroup(g, s, r.CIGAR[:0])
		r.Score, r.CIGAR, r.Err = score*a.scale, c, err
		if err == nil {
			a.observe(score, s.band.total)
		}
	}
	g.used = 0
}

// fromGroup finishes one pair of a group that has run. Where its score is not
// certified it bounds the optimum.
func (a *Aligner) fromGroup(g *bandGroup, s *groupSlot, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	score := s.score()
	if score <= g.certified(s.band.end, s.band.total) {
		a.stats.Banded++
		if a.scoreOnly {
			return score, dst, nil
		}
		c, err := s.band.backtrace(dst, score)
		return score, c, err
	}
	a.exchange(s)
	defer a.exchange(s)
	a.band.load(&a.pattern, &a.text)
	if score, c, ok, err := a.boundedBand(dst, score); ok || err != nil {
		return score, c, err
	}
	return a.wavefronts(dst)
}
