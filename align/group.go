package align

import (
	"errors"

	"wfagpu/cigar"
)

// bandGroup aligns several pairs at a time, each in a band of one vector, with all costs
// stored. A band of one vector alone mostly waits for its own results; side by side they
// hide that latency.
type bandGroup struct {
	kern    groupKernel
	members []groupMember
	used    int
	args    []bandArgs
}

// groupMember holds one waiting pair.
type groupMember struct {
	pattern, text sequence
	band          *banded
	index         int // of the pair in its batch
}

// groupLag is by how many antidiagonals the pairs of a group may differ: the shorter ones
// run on into the space beside their letters.
const groupLag = seqPad

// errWaits is returned for a pair that has joined a group and is not aligned yet.
var errWaits = errors.New("waits for its group")

func newBandGroup(k groupKernel, pen Penalties) *bandGroup {
	g := &bandGroup{kern: k, members: make([]groupMember, k.size), args: make([]bandArgs, k.size)}
	for i := range g.members {
		g.members[i].band = newBanded(&g.kern.vector, pen)
	}
	return g
}

// certified returns the largest score that a band of this group certifies for pairs that end
// on diagonal end and have total letters, negative if it cannot take them.
func (g *bandGroup) certified(end, total int) int {
	b := g.members[0].band
	r := b.oneVector(end)
	if r <= 0 || total == 0 || !b.fits(total, 1) {
		return -1
	}
	return min(b.pen.leave(end, r)-1, maxBandScore)
}

// cost estimates what a pair of total letters costs in this group.
func (g *bandGroup) cost(total int) float64 {
	return bandSetup + groupLane*float64(total*g.kern.vector.lanes)
}

// takes reports whether a pair of total letters can join those waiting.
func (g *bandGroup) takes(total int) bool {
	for i := range g.used {
		if abs(g.members[i].band.total-total) > groupLag {
			return false
		}
	}
	return g.used < len(g.members)
}

// run aligns the waiting pairs; afterwards each member's band has its costs.
func (g *bandGroup) run() {
	rows := 0
	for i := range g.used {
		rows = max(rows, (g.members[i].band.total+1)&^1)
	}
	for i := range g.used {
		g.args[i] = *g.members[i].band.prepare(rows)
	}
	for i := g.used; i < len(g.args); i++ {
		g.args[i] = g.args[0] // repeats the work of the first
	}
	g.kern.run(&g.args[0])
}

// score returns the end cell's cost after run.
func (m *groupMember) score() int { return m.band.costs.all.at(m.band.total, m.band.end) }

// join puts the loaded pair, whose expected score is guess, into a group if its band
// probably certifies the score and costs no more than wavefronts.
func (a *Aligner) join(guess int) bool {
	end, total := a.text.n-a.pattern.n, a.text.n+a.pattern.n
	for _, g := range a.groups {
		if guess > g.certified(end, total) {
			continue
		}
		if g.cost(total) > a.costs.wavefronts(guess, 0) {
			return false
		}
		if !g.takes(total) {
			a.finish(g)
		}
		m := &g.members[g.used]
		a.exchange(m)
		m.band.load(&m.pattern, &m.text)
		m.index = a.index
		g.used++
		return true
	}
	return false
}

// exchange swaps the loaded pair with that of m.
func (a *Aligner) exchange(m *groupMember) {
	a.pattern, m.pattern = m.pattern, a.pattern
	a.text, m.text = m.text, a.text
}

// finish aligns the pairs that wait in g.
func (a *Aligner) finish(g *bandGroup) {
	if g.used == 0 {
		return
	}
	g.run()
	for i := range g.used {
		m := &g.members[i]
		r := &a.batch.Results[m.index]
		score, c, err := a.fromGroup(g, m, r.CIGAR[:0])
		r.Score, r.CIGAR, r.Err = a.result(score, c, err, m.band.total)
		if err == nil {
			a.costs.observe(score, m.band.total)
		}
	}
	g.used = 0
}

// fromGroup finishes one pair of a group that has run. A score that is not certified bounds
// the optimum.
func (a *Aligner) fromGroup(g *bandGroup, m *groupMember, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	score := m.score()
	if score <= g.certified(m.band.end, m.band.total) {
		a.stats.Banded++
		if a.scoreOnly {
			return score, dst, nil
		}
		c, err := m.band.traceback(dst, score)
		return score, c, err
	}
	a.exchange(m)
	defer a.exchange(m)
	a.band.load(&a.pattern, &a.text)
	if score, c, ok, err := a.boundedBand(dst, score); ok || err != nil {
		return score, c, err
	}
	if score > maxBandScore {
		score = 0
	}
	return a.wavefronts(dst, score)
}

// alignRange fills the results of the pairs [from, to) of b, or of some of them when it is
// stopped.
func (a *Aligner) alignRange(b *Batch, from, to int) {
	if len(a.groups) > 0 {
		a.batch = b
	}
	for i := from; i < to && !stopped(a.stop); i++ {
		p, r := &b.Pairs[i], &b.Results[i]
		if r.Err = a.load(p.Pattern, p.Text); r.Err != nil {
			continue
		}
		a.index = i
		s, c, err := a.align(r.CIGAR[:0])
		if err != errWaits {
			r.Score, r.CIGAR, r.Err = a.result(s, c, err, a.pattern.n+a.text.n)
			r.Place = a.Place()
		}
	}
	for _, g := range a.groups {
		if !stopped(a.stop) {
			a.finish(g)
		}
		g.used = 0
	}
	a.batch = nil
}
