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
	bytes   []byteArgs  // of a kernel with costs of a byte
	planes  *planeGroup // of a kernel with planes
}

// groupMember holds one waiting pair.
type groupMember struct {
	pattern, text sequence
	band          *banded
	index         int       // of the pair in its batch
	costs         byteCosts // where costs are of a byte
	even          []byte
	slot          int
	found         cigar.CIGAR // in planes, and err
	err           error
}

// groupLag is by how many antidiagonals the pairs of a group may differ: the shorter ones
// run on into the space beside their letters.
const groupLag = seqPad

// bandGroups are those of a level, narrowest first.
type bandGroups []*bandGroup

// certifying returns the first group that certifies a score of pairs that end on diagonal end and
// have total letters, or nil.
func (gs bandGroups) certifying(score, end, total int) *bandGroup {
	for _, g := range gs {
		if score <= g.certified(end, total) {
			return g
		}
	}
	return nil
}

// promising is certifying for a score that is expected. Of pairs of some hundred letters seeds show
// that no alignment leaves the widest band of planes, up to a quarter above what its width certifies.
func (gs bandGroups) promising(score, end, total int) *bandGroup {
	g := gs.certifying(score, end, total)
	if n := len(gs); g == nil && n > 0 && gs[n-1].planes != nil {
		g = gs[n-1:].certifying(score-score/5, end, total)
	}
	return g
}

// errWaits is returned for a pair that has joined a group and is not aligned yet.
var errWaits = errors.New("waits for its group")

func newBandGroup(k groupKernel, pen Penalties) *bandGroup {
	g := &bandGroup{kern: k, members: make([]groupMember, k.size), args: make([]bandArgs, k.size), bytes: make([]byteArgs, k.size)}
	if k.planes {
		g.planes = newPlaneGroup(k.vector.lanes, k.size)
	}
	for i := range g.members {
		g.members[i].slot = i
		g.members[i].band = newBanded(&g.kern.vector, pen)
	}
	return g
}

// certified returns the largest score that a band of this group certifies for pairs that end
// on diagonal end and have total letters, negative if it cannot take them.
func (g *bandGroup) certified(end, total int) int {
	b := g.members[0].band
	r := b.oneVector(end)
	switch {
	case r <= 0 || total == 0:
		return -1
	case g.planes != nil && total <= maxPlaneGroup:
		return b.pen.leave(end, r) - 1
	case g.kern.runBytes != nil && b.lanes*total <= maxHistory:
		return min(b.pen.leave(end, r)-1, byteScore(b.pen))
	case g.kern.run != nil && b.fits(total, 1):
		return min(b.pen.leave(end, r)-1, maxBandScore)
	}
	return -1
}

// cost estimates what a pair of total letters costs in this group.
func (g *bandGroup) cost(total int) float64 {
	bytes := g.kern.vector.lanes
	if g.planes != nil {
		return planeGroupSetup + planeGroupWords*float64(total*bytes)/planeLanes
	}
	if g.kern.run != nil {
		bytes *= 2
	}
	return bandSetup + groupByte*float64(total*bytes)
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
	switch {
	case g.planes != nil:
		g.planes.run(g.used, rows)
		return
	case g.kern.runBytes != nil:
		g.runBytes(rows)
		return
	}
	for i := range g.used {
		g.args[i] = *g.members[i].band.prepare(rows)
	}
	for i := g.used; i < len(g.args); i++ {
		g.args[i] = g.args[0] // repeats the work of the first
	}
	g.kern.run(&g.args[0])
}

// runBytes is run for costs of a byte, over at least rows antidiagonals.
func (g *bandGroup) runBytes(rows int) {
	blocks := (rows + byteRows - 1) / byteRows
	for i := range g.used {
		g.bytes[i] = g.members[i].bytes(blocks)
	}
	for i := g.used; i < len(g.bytes); i++ {
		g.bytes[i] = g.bytes[0]
	}
	g.kern.runBytes(&g.bytes[0])
}

// score returns the end cell's cost after run, bandInf where it is not known.
func (g *bandGroup) score(m *groupMember) int {
	if g.planes != nil {
		return g.planeScore(m)
	}
	if g.kern.runBytes != nil {
		return m.costs.at(m.band.total, m.band.end)
	}
	return m.band.costs.all.at(m.band.total, m.band.end)
}

// traceback writes the alignment of a pair whose score is certified to dst.
func (g *bandGroup) traceback(dst cigar.CIGAR, m *groupMember, score int) (cigar.CIGAR, error) {
	if g.planes != nil {
		return append(dst, m.found...), m.err
	}
	if g.kern.runBytes == nil {
		return m.band.traceback(dst, score)
	}
	t := traceback{pattern: &m.pattern, text: &m.text, pen: m.band.pen, score: score}
	return t.run(dst, &m.costs)
}

// add lets a pair wait and takes over its sequences.
func (g *bandGroup) add(pattern, text *sequence, index int) {
	m := &g.members[g.used]
	*pattern, m.pattern = m.pattern, *pattern
	*text, m.text = m.text, *text
	m.band.load(&m.pattern, &m.text)
	m.index = index
	if g.planes != nil {
		m.band.cover(m.band.oneVector(m.band.end))
		g.planes.set(g.used, &m.pattern, &m.text, m.band.base)
	}
	g.used++
}
