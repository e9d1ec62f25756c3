package align

import "wfagpu/cigar"

// pieces aligns pairs that cross a structural variant piece by piece, each of them exactly.
type pieces struct {
	flanks   *flanks
	junction *junction
	cuts     []cell // ends of the pieces of the pair
	cigar    cigar.CIGAR

	pattern, text sequence // the whole pair while its pieces are loaded
}

func newPieces(k *kernels, pen Penalties) *pieces {
	return &pieces{flanks: newFlanks(k, pen), junction: newJunction(k, pen)}
}

// cut cuts the pair into pieces, between flanks that have few errors, and reports whether there
// are any: two pieces and a gap between them where one long gap makes the rest of the pair cheap,
// or else the flanks and what is between them.
func (p *pieces) cut(k *kernels, pattern, text *sequence) bool {
	before, behind, ok := p.flanks.find(pattern, text)
	if !ok {
		return false
	}
	middle := [2][]byte{pattern.letters()[before.v:behind.v], text.letters()[before.h:behind.h]}
	if from, to, ok := p.junction.find(k, middle[0], middle[1]); ok {
		behind = cell{before.v + to.v, before.h + to.h}
		before = cell{before.v + from.v, before.h + from.h}
	}
	p.cuts = append(p.cuts[:0], before, behind, cell{pattern.n, text.n})
	return true
}

// tryPieces cuts the loaded pair into pieces, if it can, and aligns them. It reports whether it
// did.
func (a *Aligner) tryPieces(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	p := a.pieces
	if !p.cut(a.kern, &a.pattern, &a.text) {
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
	for _, to := range p.cuts {
		if to == from {
			continue
		}
		if err := a.load(p.pattern.letters()[from.v:to.v], p.text.letters()[from.h:to.h]); err != nil {
			return 0, dst, false, err
		}
		s, c, err := a.alignExactly(p.cigar[:0])
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
