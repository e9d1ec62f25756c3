package align

// planeGroup computes the bands of several pairs, side by side in fields of words.
type planeGroup struct {
	lanes   int // of a field: 16, 32 or 64
	members []planeMember
	words   []planeWord
	differ  []uint64
	rows    planeRows
	trace   planeTrace
}

// planeMember is a pair of a group.
type planeMember struct {
	letters planeLetters
	known   bool // whether all letters can be encoded
	base    int  // diagonal of its first lane
}

// planePad is the number of words of any letters beside those of a pair: windows of a block go
// beyond them.
const planePad = 6

func newPlaneGroup(lanes, size int) *planeGroup {
	return &planeGroup{lanes: lanes, members: make([]planeMember, size)}
}

// set sets a pair, whose first diagonal is base.
func (g *planeGroup) set(i int, pattern, text *sequence, base int) {
	m := &g.members[i]
	m.base, m.known = base, m.letters.load(pattern, text, planePad)
}

// field returns the word and the first lane of a pair.
func (g *planeGroup) field(i int) (word int, lane uint) {
	return i * g.lanes / planeLanes, uint(i * g.lanes % planeLanes)
}

// run computes the first rows antidiagonals of the first n pairs.
func (g *planeGroup) run(n, rows int) {
	words := (n*g.lanes + planeLanes - 1) / planeLanes
	g.words = roomFor(g.words, words+2)
	each := uint64(1) // in each field
	for s := g.lanes; s < planeLanes; s *= 2 {
		each |= each << s
	}
	for i := range g.words {
		g.words[i].low, g.words[i].high = each, each<<(g.lanes-1)
	}
	g.differ = roomFor(g.differ, (rows+1)*words)
	for w := range words {
		from := w * planeLanes / g.lanes
		g.compare(from, min(n, from+planeLanes/g.lanes), w, words, rows)
	}
	for i := range n {
		m := &g.members[i]
		w, lane := g.field(i)
		g.words[w+1].start(lanesBelow(g.lanes)<<lane, int(lane)-m.base/2)
	}
	g.trace.begin(0, 62)
	g.rows = planeRows{words: g.words, differ: g.differ, keep: true, steps: g.trace.block(0, words, rows)}
	g.rows.run(rows)
}

// compare sets which letters of pairs from..to-1, those of word w of n, differ.
func (g *planeGroup) compare(from, to, w, n, rows int) {
	low, high := g.words[w+1].low, g.words[w+1].high
	shift := uint(g.lanes-1) & 63
	// The letters that lanes have come to, those that come next, and lanes that antidiagonals have
	// come to.
	var text, reverse, nextText, nextReverse [2]uint64
	var inside, centre uint64
	for i := from; i < to; i++ {
		_, lane := g.field(i)
		centre |= 1 << (int(lane) - g.members[i].base/2)
	}
	g.gather(&text, &reverse, from, to, 0)
	for c := 0; 2*c < rows; c++ {
		if c%g.lanes == 0 {
			g.gather(&nextText, &nextReverse, from, to, c+g.lanes)
		}
		at := 2*c*n + w
		inside |= inside >> 1 &^ high
		g.differ[at] = ((text[0] ^ reverse[0]) | (text[1] ^ reverse[1])) & inside
		for p := range reverse {
			reverse[p] = reverse[p]<<1&^low | nextReverse[p]>>shift&low
			nextReverse[p] <<= 1
		}
		inside |= inside<<1&^low | centre
		g.differ[at+n] = ((text[0] ^ reverse[0]) | (text[1] ^ reverse[1])) & inside
		for p := range text {
			text[p] = text[p]>>1&^high | nextText[p]<<shift&high
			nextText[p] >>= 1
		}
	}
}

// gather collects the letters that the lanes of pairs from..to-1 come to in step c.
func (g *planeGroup) gather(text, reverse *[2]uint64, from, to, c int) {
	field := lanesBelow(g.lanes)
	*text, *reverse = [2]uint64{}, [2]uint64{}
	for i := from; i < to; i++ {
		m := &g.members[i]
		_, lane := g.field(i)
		l := &m.letters
		for p := range text {
			text[p] |= planeWindow(l.text[p], l.textAt+c+m.base/2) & field << lane
			reverse[p] |= planeWindow(l.reverse[p], l.reverseAt-c+m.base/2) & field << lane
		}
	}
}

// maxPlaneGroup bounds the letters of pairs in groups, for their steps are to stay in the cache.
const maxPlaneGroup = 4096

// planeScore finds the alignment of a pair and returns its cost, bandInf for a pair with letters that
// planes do not take.
func (g *bandGroup) planeScore(m *groupMember) (cost int) {
	p := g.planes
	m.err = nil
	if !p.members[m.slot].known {
		return bandInf
	}
	p.trace.base = m.band.base - 2*m.slot*p.lanes
	cost, m.found, m.err = p.trace.run(m.found, &m.pattern, &m.text, &m.band.pen)
	return cost
}
