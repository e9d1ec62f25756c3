package align

import "wfagpu/cigar"

// mismatches is an alignment without gaps: a diagonal and the letters of the pattern that differ there.
type mismatches struct {
	k     int
	at    [mismatchesMost]int
	count int
}

// mismatchesMost is the most letters that differ.
const mismatchesMost = 10

// find finds the mismatches of a pair on diagonal k and returns what they cost. It reports false where
// alignments cannot be on that diagonal alone, or the mismatches are too many.
func (a *mismatches) find(m *Model, pattern, text *sequence, k int) (cost int, ok bool) {
	begins, ends := m.diagonals(pattern.n, text.n)
	if k < 0 || k > text.n-pattern.n || !begins.has(k) || !ends.has(k) {
		return 0, false
	}
	p, t := pattern.first(), text.first()
	a.k, a.count = k, 0
	for v := matchesFrom(p, t, 0, k); v < pattern.n; v += 1 + matchesFrom(p, t, v+1, k+v+1) {
		if a.count == mismatchesMost {
			return 0, false
		}
		a.at[a.count] = v
		a.count++
	}
	return a.count * m.Mismatch, true
}

// nowhere reports whether there are seeds of fewLetters letters, each with one of the mismatches, that do not
// overlap, and the text of c has none of them on some diagonals.
func (a *mismatches) nowhere(c *codes, pattern *sequence, on diagonals) bool {
	p, t := pattern.first(), c.text.first()
	end := 0 // of the last seed
	for i, at := range a.at[:a.count] {
		next := pattern.n
		if i+1 < a.count {
			next = (at + a.at[i+1] + 1) / 2
		}
		v := max(end, min(at-fewLetters/2, next-fewLetters))
		if v > at || v+fewLetters > next {
			return false
		}
		end = v + fewLetters
		found, word := false, load64(p, v)
		c.each(p, v, fewLetters, v+on.first, v+on.last+1, func(h int) bool {
			found = load64(t, h) == word
			return !found
		})
		if found {
			return false
		}
	}
	return true
}

// result makes the result of the pair, of the cost.
func (a *mismatches) result(dst cigar.CIGAR, cost, pattern int, scoreOnly bool) spanResult {
	r := spanResult{cost: cost, cigar: dst[:0]}
	if scoreOnly {
		return r
	}
	r.place = Place{0, pattern, a.k, a.k + pattern}
	v := 0
	for _, at := range a.at[:a.count] {
		r.cigar = r.cigar.AppendElem(runMatch, at-v).AppendElem(runMismatch, 1)
		v = at + 1
	}
	r.cigar = r.cigar.AppendElem(runMatch, pattern-v)
	return r
}
