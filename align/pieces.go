package align

import "wfagpu/cigar"

// pieces aligns pairs that cross a structural variant in pieces: two of few errors and what is
// between them.
type pieces struct {
	exact  *exact
	cutter *Cutter
	bander *Bander

	costs costModel // of middles
	cigar cigar.CIGAR

	pattern, text sequence // the loaded piece
}

func newPieces(x *exact) *pieces {
	return &pieces{
		exact: x, cutter: newCutter(x.kern, x.pen), bander: newBander(x.kern, x.pen, x.scoreOnly, x.memory),
		costs: costModel{pen: x.pen},
	}
}

// align cuts a pair into pieces, if it can, and aligns them. It reports whether it did. A middle
// without a long gap has at most `most` letters.
func (p *pieces) align(dst cigar.CIGAR, pattern, text *sequence, most int) (int, cigar.CIGAR, bool, error) {
	parts, ok := p.cutter.cut(pattern, text, most)
	if !ok {
		return 0, dst, false, nil
	}
	score := 0
	for i := range parts {
		if err := p.load(parts[i].Of(pattern.letters(), text.letters())); err != nil {
			return 0, dst, false, err
		}
		align := p.flank
		if i == 1 {
			align = p.middle
		}
		s, c, err := align(p.cigar[:0], &parts[i])
		if err != nil {
			return 0, dst, false, err
		}
		dst = Joined(dst, c)
		p.cigar = c
		score += s
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
func (p *pieces) flank(dst cigar.CIGAR, _ *Piece) (int, cigar.CIGAR, error) {
	return p.exact.alignPart(dst, &p.pattern, &p.text)
}

// middle aligns the piece, which is the middle one.
func (p *pieces) middle(dst cigar.CIGAR, part *Piece) (int, cigar.CIGAR, error) {
	x := p.exact
	if part.Expected >= 0 && part.letters() > 0 { // one long gap and few errors
		return x.alignAlongGap(dst, &p.pattern, &p.text)
	}
	if part.Mode == PieceBanded {
		if s, c, ok, err := p.bander.align(dst, &p.pattern, &p.text, x.stop); ok || err != nil {
			return s, c, err
		}
	}
	// What flanks cost tells nothing about it.
	x.costs, p.costs = p.costs, x.costs
	s, c, err := x.alignPart(dst, &p.pattern, &p.text)
	x.costs, p.costs = p.costs, x.costs
	return s, c, err
}
