package align

// junction aligns a pair that is one long gap apart by wavefronts from both of its ends. Every
// alignment of sequences of unequal lengths has a gap in the shorter one: what comes before it is
// an alignment of two prefixes, what follows one of two suffixes. Neither costs much if the rest
// of the pair has few errors, so that the work does not depend on how long the gap is.
//
// The shorter sequence is taken for the pattern. A prefix alignment of score s ends at pattern
// letter v on diagonal k, a suffix alignment of score t begins at letter v on the diagonal
// end - l. With the gap between, of end - k - l letters, they cost
//
//	s + t + o + e·(end - k - l) = (s - e·k) + (t - e·l) + o + e·end
//
// so that each of them counts by its reduced cost, s - e·k or t - e·l. A furthest-reaching cell
// stands for those before it: a prefix and a suffix alignment whose letters overlap cost no less
// than some pair of them that meets. Where there is another long gap before or behind the gap, an
// alignment may cost a little less: short runs of letters inside a long gap are equal by chance.
type junction struct {
	pen           Penalties
	fore, back    *wavefronts
	pattern, text [2]sequence  // of the pair, and back to front
	reached       [2][]arrival // by reduced cost
}

// arrival is the furthest pattern letter that wavefronts have reached at a reduced cost, and on
// which diagonal.
type arrival struct{ v, k int32 }

const (
	junctionGap  = 24  // letters of a gap that is worth the search, and of others beside it
	junctionMax  = 256 // reduced cost of either part, in mismatches
	junctionTest = 8   // scores from one search for where parts meet to the next
	junctionHope = 32  // reduced cost, in mismatches, from which on the rest is predicted
)

func newJunction(k *kernels, pen Penalties) *junction {
	return &junction{pen: pen, fore: newWavefronts(k, pen), back: newWavefronts(k, pen)}
}

// find returns the first and the last cell of the gap with which the letters of a pair cost the
// least, and the reduced cost of that, -1 where it has found none.
func (j *junction) find(pattern, text []byte) (from, to cell, cost int) {
	if len(pattern) > len(text) {
		from, to, cost = j.find(text, pattern)
		return cell{from.h, from.v}, cell{to.h, to.v}, cost
	}
	n, end := len(pattern), len(text)-len(pattern)
	if end <= junctionGap || j.pen.GapOpen == 0 {
		return from, to, -1
	}
	copy(j.pattern[0].guarded(n, patternPad), pattern)
	copy(j.text[0].guarded(len(text), textPad), text)
	reverseInto(j.pattern[1].guarded(n, patternPad), pattern)
	reverseInto(j.text[1].guarded(len(text), textPad), text)
	j.fore.start(&j.pattern[0], &j.text[0], false)
	j.back.start(&j.pattern[1], &j.text[1], false)
	for i := range j.reached {
		j.reached[i] = j.reached[i][:0]
	}
	limit := junctionMax * j.pen.Mismatch
	// The reduced cost of a cell is no less than that of those it comes from: the cells with one up to the
	// limit lie in a cone around diagonal end, as large as that.
	j.fore.within = cone{k: end, s: limit + j.pen.GapExtend*end, extend: j.pen.GapExtend}
	j.back.within = j.fore.within
	for s := 0; ; s++ {
		j.arrive(0, j.fore, (end-1)/2)
		j.arrive(1, j.back, (end-1)/2)
		if s%junctionTest == 0 {
			a, b, cost := j.meet(n)
			switch {
			case cost >= 0 && s >= cost+j.pen.GapExtend*junctionGap:
				v := int(a.v)
				from, to = cell{v, v + int(a.k)}, cell{v, v + end - int(b.k)}
				if gap := to.h - from.h; to.h > len(text) || gap <= junctionGap || 2*gap < end {
					cost = -1 // gaps all along the pair
				}
				return from, to, cost
			case s >= limit, cost < 0 && s >= junctionHope*j.pen.Mismatch && j.hopeless(n, s, limit):
				return from, to, -1
			}
		}
		j.fore.step()
		j.back.step()
	}
}

// hopeless reports whether the parts, which have come to a score, are not likely to pass all n
// pattern letters at a cost of limit: the faster one alone would have to become faster by a quarter.
// The rest of the pair then has other errors than a gap, in most cases.
func (j *junction) hopeless(n, score, limit int) bool {
	furthest := 0
	for _, r := range j.reached {
		furthest = max(furthest, int(r[min(score, len(r)-1)].v))
	}
	return 5*limit*furthest < 4*score*n
}

// arrive records the newest wavefront of one end, up to diagonal most.
func (j *junction) arrive(end int, w *wavefronts, most int) {
	r, extend := w.row(compM, w.s), j.pen.GapExtend
	to := j.reached[end]
	for dearest := max(w.s, w.s-extend*r.lo); len(to) <= dearest; {
		to = append(to, arrival{v: -1})
	}
	j.reached[end] = to
	last := min(r.hi, most, w.s/extend)
	if last < r.lo {
		return
	}
	c, k := w.s-extend*r.lo, int32(r.lo)
	for _, h := range r.buf[w.left:][:last-r.lo+1] {
		if at := &to[c]; h-k > at.v { // no null cell is
			*at = arrival{h - k, k}
		}
		c -= extend
		k++
	}
}

// meet returns the two arrivals that together pass all n pattern letters at the least reduced
// cost, and that cost, -1 if there are none.
func (j *junction) meet(n int) (a, b arrival, cost int) {
	fore, back := j.reached[0], j.reached[1]
	for _, r := range j.reached {
		for c := 1; c < len(r); c++ {
			if r[c-1].v >= r[c].v {
				r[c] = r[c-1]
			}
		}
	}
	cost = -1
	d := len(back) - 1
	for c := range fore {
		if fore[c].v < 0 {
			continue
		}
		for d >= 0 && back[d].v >= 0 && int(fore[c].v)+int(back[d].v) >= n {
			if cost < 0 || c+d < cost {
				a, b, cost = fore[c], back[d], c+d
			}
			d--
		}
	}
	return a, b, cost
}
