package align

import "wfagpu/cigar"

// partAlignment is the global alignment of a pattern with a part of a text: letters lo..hi-1.
type partAlignment struct {
	lo, hi int
	cigar  cigar.CIGAR
}

// alongRate is how many letters a pattern has for each cost, where gates may be found.
const alongRate = 12

// lookAlong looks for the gates of a pair along the global alignment of the pattern with the letters of the
// text between those that seeds at its ends show. That costs less than the one along runs of equal letters
// where the pattern is in a tandem repeat or has many errors, and shows more gates. nil if there is none.
func (x *insideMethod) lookAlong(pattern, text *sequence) (first, last *gateSeed, err error) {
	g, a := x.gates, &x.known
	g.pattern, g.text = pattern, text
	if alongRate*x.rate.expected(pattern.n) > pattern.n {
		return nil, nil, nil
	}
	if x.globalPauses.leaves() {
		return nil, nil, nil
	}
	if a.lo, a.hi = g.locate(), g.locateEnd(); min(a.lo, a.hi) < 0 || a.hi-a.lo < pattern.n/2 {
		return nil, nil, nil
	}
	if err := x.global.load(pattern.letters(), text.letters()[a.lo:a.hi]); err != nil {
		return nil, nil, err
	}
	if _, a.cigar, err = x.global.align(a.cigar[:0]); err != nil {
		return nil, nil, err
	}
	g.followAlignment(a)
	first, last = g.search()
	x.globalPauses.record(first != nil, 2)
	return first, last, nil
}

// locateEnd returns how many letters of the text an alignment may end behind, -1 if it finds none.
func (g *gates) locateEnd() (end int) {
	p, t, n := g.pattern.first(), g.text.first(), g.pattern.n
	least := max(0, g.text.n-g.model.Free.TextEnd)
	end = -1
	longest := 0
	for behind := gateFirst; behind <= gateTries*gateFirst && behind <= n && longest < gateSure; behind += gateFirst {
		v := n - behind
		g.places.each(p, v, 2*codeLetters, max(0, least-behind-behind/8), g.text.n-gateFirst+1, func(h int) bool {
			run := matchesFrom(p, t, v, h)
			if run < gateFirst {
				return true
			}
			if run += matchesBefore(p, t, v, h); run > longest {
				end, longest = max(least, min(h+behind, g.text.n)), run
			}
			return true
		})
	}
	return end
}

// followAlignment sets the alignment along which gates are looked for.
func (g *gates) followAlignment(a *partAlignment) {
	l := &g.along
	l.runs = l.runs[:0]
	g.begin = a.lo
	v, k, cost := 0, 0, 0
	for _, e := range a.cigar {
		n := e.Len()
		switch e.Op() {
		case cigar.Match:
			l.runs = append(l.runs, equalRun{from: v, to: v + n, k: k, cost: cost})
			v += n
		case cigar.Mismatch:
			v += n
			cost += n * g.model.Mismatch
		case cigar.Ins:
			v, k = v+n, k-n
			cost += g.model.Cost(n)
		default:
			k += n
			cost += g.model.Cost(n)
		}
	}
	g.cost = cost - g.model.FreeLetter*k
}

// between appends the part of the alignment of the pattern's letters from..to-1, of which the first and the
// last one are equal to the text's, to dst and returns its cost.
func (a *partAlignment) between(dst cigar.CIGAR, m *Model, from, to int) (int, cigar.CIGAR) {
	v, cost := 0, 0
	for _, e := range a.cigar {
		op, n := e.Op(), e.Len()
		if op == cigar.Del {
			if v > from && v < to {
				dst = dst.AppendElem(e, n)
				cost += m.Cost(n)
			}
			continue
		}
		l := min(v+n, to) - max(v, from)
		v += n
		if l <= 0 {
			continue
		}
		dst = dst.AppendElem(e, l)
		switch op {
		case cigar.Mismatch:
			cost += l * m.Mismatch
		case cigar.Ins:
			cost += m.Cost(l)
		}
	}
	return cost, dst
}
