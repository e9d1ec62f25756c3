package align

import (
	"math"

	"wfagpu/cigar"
)

// pieces aligns pairs that cross a structural variant in three pieces, each of them exactly: two
// of few errors and what is between them.
type pieces struct {
	flanks   *flanks
	junction *junction

	ends      [3]cell   // of the pieces of the pair
	nearlyGap bool      // the middle is one long gap and few errors
	costs     costModel // of middles
	band      *banded   // for long middles
	cigar     cigar.CIGAR
	other     cigar.CIGAR // of the pair, beside that of the band

	pattern, text sequence // the whole pair while its pieces are loaded
}

const (
	pieceCells = 1 << 20 // most offsets of directed wavefronts in a middle
	pieceBand  = 1024    // diagonals of the band for a middle
	pieceWords = 16      // words of a middle that are looked for
)

func newPieces(k *kernels, pen Penalties) *pieces {
	band := k.band
	if band == nil {
		band = goBand
	}
	return &pieces{
		flanks: newFlanks(k, pen), junction: newJunction(k, pen),
		costs: costModel{gapExtend: pen.GapExtend}, band: newBanded(band, pen),
	}
}

// cut cuts the pair into pieces and reports whether there are any. The middle is a long gap alone
// or what is between the flanks, at most `most` letters if there is no long gap.
func (p *pieces) cut(pattern, text *sequence, most int) bool {
	before, behind, ok := p.flanks.find(pattern, text, most)
	if !ok {
		return false
	}
	from, to, cost := p.junction.find(pattern.letters()[before.v:behind.v], text.letters()[before.h:behind.h])
	p.nearlyGap = cost >= 0
	if p.nearlyGap {
		from, to = cell{before.v + from.v, before.h + from.h}, cell{before.v + to.v, before.h + to.h}
		gap := max(to.v-from.v, to.h-from.h)
		if cost*gap > pieceCells || p.alone(pattern, text, from, to) {
			before, behind = from, to
		}
	}
	p.ends = [3]cell{before, behind, {pattern.n, text.n}}
	return true
}

// alone reports whether the letters on both sides of a gap are equal, so that no short runs of
// letters inside it can save an error.
func (p *pieces) alone(pattern, text *sequence, from, to cell) bool {
	return matchesBefore(pattern.first(), text.first(), from.v, from.h) >= p.flanks.spare &&
		matchesFrom(pattern.first(), text.first(), to.v, to.h) >= p.flanks.spare
}

// tryPieces cuts the loaded pair into pieces, if it can, and aligns them. It reports whether it
// did. A middle without a long gap has at most `most` letters.
func (a *Aligner) tryPieces(dst cigar.CIGAR, most int) (int, cigar.CIGAR, bool, error) {
	p := a.pieces
	if !p.cut(&a.pattern, &a.text, most) {
		return 0, dst, false, nil
	}
	p.pattern, a.pattern = a.pattern, p.pattern
	p.text, a.text = a.text, p.text
	batch, stats := a.batch, a.stats
	a.batch = nil // a piece joins no group
	defer func() {
		p.pattern, a.pattern = a.pattern, p.pattern
		p.text, a.text = a.text, p.text
		a.batch, a.stats = batch, stats
	}()
	score, from := 0, cell{}
	for i, to := range p.ends {
		if err := a.load(p.pattern.letters()[from.v:to.v], p.text.letters()[from.h:to.h]); err != nil {
			return 0, dst, false, err
		}
		align := a.alignExactly
		if i == 1 {
			align = a.alignMiddle
		}
		s, c, err := align(p.cigar[:0])
		if err != nil {
			return 0, dst, false, err
		}
		for _, e := range c {
			dst = dst.AppendElem(e, e.Len())
		}
		p.cigar = c
		score += s
		from = to
	}
	a.approxStats.Pieces++
	return score, dst, true, nil
}

// alignMiddle aligns the loaded middle piece of a pair.
func (a *Aligner) alignMiddle(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	p := a.pieces
	if p.nearlyGap && min(a.pattern.n, a.text.n) > 0 {
		if s, c, ok, err := a.unequal.alignDirected(dst, math.Inf(1), math.Inf(1)); ok || err != nil {
			return s, c, err
		}
	}
	if min(a.pattern.n, a.text.n) >= pieceBand && abs(a.text.n-a.pattern.n) <= junctionGap && !a.related() {
		if s, c, ok, err := a.alignAround(dst); ok || err != nil {
			return s, c, err
		}
	}
	// What flanks cost tells nothing about it.
	a.costs, p.costs = p.costs, a.costs
	s, c, err := a.alignExactly(dst)
	a.costs, p.costs = p.costs, a.costs
	return s, c, err
}

// related reports whether some words of the loaded middle's pattern are in its text outside the
// band, as they are between two long gaps, but not where the text has the other strand.
func (a *Aligner) related() bool {
	g := &a.seeded.along
	for i := range pieceWords {
		at := i * (a.pattern.n - greedyWord) / pieceWords
		if h := g.find(a.text.first(), 0, a.text.n, a.pattern.first(), at); h >= 0 && abs(h-at) > pieceBand/4 {
			return true
		}
	}
	return false
}

// alignAround aligns the loaded middle in a band of fixed width around its two end diagonals, if
// its score is not too high for that, and reports whether it did.
func (a *Aligner) alignAround(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	b := a.pieces.band
	b.stop = a.stop
	b.load(&a.pattern, &a.text)
	s := b.around(pieceBand, !a.scoreOnly, a.memory)
	switch {
	case stopped(a.stop):
		return 0, dst, false, errStopped
	case s > maxBandScore:
		return 0, dst, false, nil
	case a.scoreOnly:
		return s, dst, true, nil
	}
	c, err := b.traceback(dst, s)
	return s, c, true, err
}
