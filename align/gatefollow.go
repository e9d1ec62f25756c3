package align

import "wfagpu/cigar"

// gateFar is how many letters beside the gates are worth a global alignment, which costs less than
// the one along runs of equal letters and so shows gates nearer to the ends.
const gateFar = 512

// isFar reports whether the gates, nil where there are none, are far from the ends.
func (g *gates) isFar(first, last *gateSeed) bool {
	n := g.pattern.n
	return g.cost >= 0 && n >= g.far && (first == nil || first.v+n-last.v > g.far)
}

// span sets where the alignment begins and returns the letters of the text that it is to cover: those
// on the diagonals of the gates, or where there are none, those of the one along the runs, which may have
// begun in another copy of a repeat.
func (g *gates) span(first, last *gateSeed) []byte {
	a, n := &g.along, g.text.n
	h := a.v + a.k
	end := g.begin + h + min(a.m-a.v, a.n-h)
	if first != nil {
		g.begin = min(max(0, first.k), g.model.Free.TextBegin, n)
		end = max(g.begin, min(n, g.pattern.n+last.k), n-g.model.Free.TextEnd)
		a.n = n - g.begin
	}
	return g.text.letters()[g.begin:end]
}

// follow finds gates on the alignment c of the pattern with span.
func (g *gates) follow(c cigar.CIGAR) (first, last *gateSeed) {
	m, a := g.model, &g.along
	a.runs, a.cost, a.v, a.k = a.runs[:0], 0, 0, 0
	for _, e := range c {
		n := e.Len()
		switch e.Op() {
		case cigar.Match:
			a.runs = append(a.runs, equalRun{a.v, a.v + n, a.k, a.cost})
			a.v += n
		case cigar.Mismatch:
			a.v += n
			a.cost += n * m.Mismatch
		case cigar.Ins:
			a.v, a.k = a.v+n, a.k-n
			a.cost += m.Cost(n)
		default:
			a.k += n
			a.cost += m.Cost(n)
		}
	}
	if !g.ends() {
		return nil, nil
	}
	return g.search()
}

// cut appends the part of the alignment c of the pattern between letters from and to, each in a run of
// equal letters, to dst.
func cut(dst, c cigar.CIGAR, from, to int) cigar.CIGAR {
	v := 0
	for _, e := range c {
		n := e.Len()
		switch e.Op() {
		case cigar.Match:
			if l := min(v+n, to) - max(v, from); l > 0 {
				dst = dst.AppendElem(runMatch, l)
			}
		default:
			if v > from && v < to {
				dst = dst.AppendElem(e, n)
			}
		}
		if e.Op() != cigar.Del {
			v += n
		}
	}
	return dst
}
