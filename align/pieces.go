package align

import "wfagpu/cigar"

// pieces aligns pairs that cross a structural variant in three pieces, each of them exactly: two
// of few errors and what is between them.
type pieces struct {
	exact    *exact
	flanks   *flanks
	junction *junction

	ends      [3]cell   // of the pieces of the pair
	nearlyGap bool      // the middle is one long gap and few errors
	costs     costModel // of middles
	band      *banded   // for long middles
	cigar     cigar.CIGAR

	pattern, text sequence // the loaded piece
}

const (
	pieceCells = 1 << 20 // most offsets of directed wavefronts in a middle
	pieceBand  = 1024    // diagonals of the band for a middle
	pieceWords = 16      // words of a middle that are looked for
)

func newPieces(x *exact) *pieces {
	k, pen := x.kern, x.pen
	band := k.band
	if band == nil {
		band = goBand
	}
	return &pieces{
		exact: x, flanks: newFlanks(k, pen), junction: newJunction(k, pen),
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

// align cuts a pair into pieces, if it can, and aligns them. It reports whether it did. A middle
// without a long gap has at most `most` letters.
func (p *pieces) align(dst cigar.CIGAR, pattern, text *sequence, most int) (int, cigar.CIGAR, bool, error) {
	if !p.cut(pattern, text, most) {
		return 0, dst, false, nil
	}
	score, from := 0, cell{}
	for i, to := range p.ends {
		if err := p.load(pattern.letters()[from.v:to.v], text.letters()[from.h:to.h]); err != nil {
			return 0, dst, false, err
		}
		align := p.flank
		if i == 1 {
			align = p.middle
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
	return score, dst, true, nil
}

// load sets the piece.
func (p *pieces) load(pattern, text []byte) error {
	if err := p.pattern.load(p.exact.kern, pattern, patternPad); err != nil {
		return err
	}
	return p.text.load(p.exact.kern, text, textPad)
}

// flank aligns the piece.
func (p *pieces) flank(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	return p.exact.alignPart(dst, &p.pattern, &p.text)
}

// middle aligns the piece, which is the middle one.
func (p *pieces) middle(dst cigar.CIGAR) (int, cigar.CIGAR, error) {
	n, m := p.pattern.n, p.text.n
	if p.nearlyGap && min(n, m) > 0 {
		if s, c, ok, err := p.exact.alignAlongGap(dst, &p.pattern, &p.text); ok || err != nil {
			return s, c, err
		}
	}
	if min(n, m) >= pieceBand && abs(m-n) <= junctionGap && !p.related() {
		if s, c, ok, err := p.around(dst); ok || err != nil {
			return s, c, err
		}
	}
	// What flanks cost tells nothing about it.
	x := p.exact
	x.costs, p.costs = p.costs, x.costs
	s, c, err := x.alignPart(dst, &p.pattern, &p.text)
	x.costs, p.costs = p.costs, x.costs
	return s, c, err
}

// related reports whether some words of the piece's pattern are in its text outside the band, as
// they are between two long gaps, but not where the text has the other strand.
func (p *pieces) related() bool {
	g := &p.flanks.fore
	for i := range pieceWords {
		at := i * (p.pattern.n - greedyWord) / pieceWords
		if h := g.find(p.text.first(), 0, p.text.n, p.pattern.first(), at); h >= 0 && abs(h-at) > pieceBand/4 {
			return true
		}
	}
	return false
}

// around aligns the piece in a band of fixed width around its two end diagonals, if its score is
// not too high for that, and reports whether it did.
func (p *pieces) around(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	x, b := p.exact, p.band
	b.stop = x.stop
	b.load(&p.pattern, &p.text)
	s := b.around(pieceBand, !x.scoreOnly, x.memory)
	switch {
	case stopped(x.stop):
		return 0, dst, false, errStopped
	case s > maxBandScore:
		return 0, dst, false, nil
	case x.scoreOnly:
		return s, dst, true, nil
	}
	c, err := b.traceback(dst, s)
	return s, c, true, err
}
