package align

import "wfagpu/cigar"

// alignRange fills the results of the pairs [from, to) of b, or of some of them when it is
// stopped.
func (a *Aligner) alignRange(b *Batch, from, to int) {
	if a.exact != nil {
		a.exact.waits = true
	} else {
		a.spanned.wait(true)
	}
	for i := from; i < to && !stopped(a.stop); i++ {
		p, r := &b.Pairs[i], &b.Results[i]
		if r.Err = a.load(p.Pattern, p.Text); r.Err != nil {
			continue
		}
		s, c, err := a.align(r.CIGAR[:0])
		if err == errWaits {
			a.noteWaiting(b, i)
			continue
		}
		r.Score, r.CIGAR, r.Err = a.result(s, c, err, a.pattern.n+a.text.n)
		r.Place = a.Place()
	}
	if a.exact == nil {
		a.spanned.wait(false)
		return
	}
	for _, g := range a.exact.groups {
		if !stopped(a.stop) {
			a.finish(g, b)
		}
		g.used = 0
	}
	a.exact.waits = false
}

// noteWaiting notes the index of the loaded pair, which has begun to wait, and aligns those that wait as it does where
// no more may.
func (a *Aligner) noteWaiting(b *Batch, index int) {
	x := a.exact
	switch {
	case x == nil:
		if a.spanned.waits(index) {
			a.finishFull(b)
		}
	case x.lanes.note(index):
		if x.lanes.queue.full() {
			a.finishExactLanes(b, false)
		}
	case x.bundle.note(index):
		if x.bundle.full() {
			a.finishBundle(b, x.bundle)
		}
	default:
		a.join(x.waitsFor, b, &a.pattern, &a.text, index)
	}
}

// join lets a pair, of an index in b, wait in g, whose pairs are aligned before if it
// takes no more.
func (a *Aligner) join(g *bandGroup, b *Batch, pattern, text *sequence, index int) {
	if !g.takes(pattern.n + text.n) {
		a.finish(g, b)
	}
	g.add(pattern, text, index)
}

// finish aligns the pairs of b that wait in g.
func (a *Aligner) finish(g *bandGroup, b *Batch) {
	if g.used == 0 {
		return
	}
	g.run()
	for i := range g.used {
		m := &g.members[i]
		r := &b.Results[m.index]
		score, c, err := a.exact.fromGroup(g, m, r.CIGAR[:0])
		if err == errWaits {
			a.join(a.exact.waitsFor, b, &m.pattern, &m.text, m.index)
			continue
		}
		r.Score, r.CIGAR, r.Err = a.result(score, c, err, m.band.total)
		if err == nil {
			a.exact.costs.observe(score, m.pattern.n, m.text.n)
		}
	}
	g.used = 0
}

// fromGroup finishes one pair of a group that has run. A score that is not certified bounds
// the optimum: the pair is to wait in a wider group, which is finished later, or is aligned alone.
func (a *exact) fromGroup(g *bandGroup, m *groupMember, dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	score := g.score(m)
	if m.err != nil {
		return 0, dst, m.err
	}
	if score <= g.certified(m.band.end, m.band.total) ||
		g.planes != nil && score < bandInf && score < m.band.leaving(&m.pattern, &m.text, score) {
		a.stats.Banded++
		if a.scoreOnly {
			return score, dst, nil
		}
		c, err := g.traceback(dst, m, score)
		return score, c, err
	}
	a.pattern, a.text = &m.pattern, &m.text
	if a.band != nil {
		a.band.load(a.pattern, a.text)
	}
	switch {
	case score > maxBandScore: // nothing is known
		return a.wavefronts(dst, 0)
	case g.planes != nil:
		if w := a.groups.certifying(score, a.text.n-a.pattern.n, a.letters()); w != nil {
			a.waitsFor = w
			return 0, dst, errWaits
		}
		if score, c, ok, err := a.tryPlanes(dst, score); ok || err != nil {
			return score, c, err
		}
		return a.wavefronts(dst, score)
	}
	// Wider groups come later.
	if w := a.groups.certifying(score, a.text.n-a.pattern.n, a.letters()); w != nil && w.cost(a.letters()) <= a.costs.pruned(a.band, score) {
		a.waitsFor = w
		return 0, dst, errWaits
	}
	if score, c, ok, err := a.inBand.within(dst, score); ok || err != nil {
		return score, c, err
	}
	return a.wavefronts(dst, score)
}
