package align

import "wfagpu/cigar"

// gapless aligns patterns that the text has as they are, or with one mismatch, on one diagonal. Where a
// mismatch costs less than every gap, that is an optimal alignment: of two seeds, any alignment of such a
// cost passes one without errors, so it is on a diagonal of one of their places.
type gapless struct {
	model *Model
	most  int // mismatches that cost less than any gap, up to 1
}

const (
	gaplessSeed   = 2 * codeLetters // letters of a seed
	gaplessPlaces = 16              // most places of a seed
)

func newGapless(m *Model) gapless {
	g := gapless{model: m}
	if m.Mismatch < m.Cost(1)-m.FreeLetter {
		g.most = 1
	}
	return g
}

// gaplessPlace is an alignment on diagonal k; mismatch is the letter of the pattern that has one, -1 if none has.
type gaplessPlace struct{ k, mismatch int }

// find returns the alignment of the pattern with the text of c that is to be reported, if it is without
// gaps and seeds have few places.
func (g *gapless) find(c *codes, pattern *sequence) (best gaplessPlace, ok bool) {
	n, text := pattern.n, c.text
	if n < 4*gaplessSeed {
		return best, false
	}
	p, t := pattern.first(), text.first()
	free := &g.model.Free
	first, last := max(0, text.n-n-free.TextEnd), min(free.TextBegin, text.n-n)
	for i := range 1 + g.most {
		v := (i + 1) * n / 4
		count := last - first + 1
		if count <= 0 {
			return best, false
		}
		found := c.kern.places(&c.buf[first+v], count, codeLetters, codeAt(p, v), codeAt(p, v+codeLetters), &c.places[0], gaplessPlaces)
		for _, at := range c.places[:found] {
			k := first + int(at)
			if ok && k == best.k {
				continue
			}
			d := gaplessPlace{k, mismatchFrom(p, t, 0, k, n)}
			if d.mismatch >= n {
				d.mismatch = -1
			} else if g.most == 0 || d.mismatch+1+mismatchFrom(p, t, d.mismatch+1, k+d.mismatch+1, n) < n {
				continue
			}
			if !ok || d.before(best) {
				best, ok = d, true
			}
		}
		switch {
		case found == gaplessPlaces:
			return best, false
		case ok && best.mismatch < 0:
			return best, true // the first seed has all places of the whole pattern
		}
	}
	return best, ok
}

// before reports whether d is to be reported in place of e.
func (d gaplessPlace) before(e gaplessPlace) bool {
	if (d.mismatch < 0) != (e.mismatch < 0) {
		return d.mismatch < 0
	}
	return d.k < e.k
}

// result makes the result of a pair of so many letters.
func (g *gapless) result(dst cigar.CIGAR, d gaplessPlace, pattern, text int, scoreOnly bool) spanResult {
	r := spanResult{cost: g.model.FreeLetter * (text - pattern), cigar: dst[:0]}
	if d.mismatch >= 0 {
		r.cost += g.model.Mismatch
	}
	if scoreOnly {
		return r
	}
	r.place = Place{0, pattern, d.k, d.k + pattern}
	if d.mismatch >= 0 {
		r.cigar = r.cigar.AppendElem(runMatch, d.mismatch).AppendElem(runMismatch, 1)
	}
	r.cigar = r.cigar.AppendElem(runMatch, pattern-d.mismatch-1)
	return r
}
