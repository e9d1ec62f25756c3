package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// gatedPart is what is between two gates: from letter v of the pattern on diagonal k to the end of the
// run of the other gate, letter end on diagonal endK. The next part begins before that, at letter next.
type gatedPart struct {
	v, k, end, endK, next int
	cost                  int // of the alignment along the runs
	// Where that has one error, it is between letters from and to.
	single   bool
	from, to int
	errors   knownErrors // if single
}

// letters returns how many letters of the pattern and of the text a part has.
func (p *gatedPart) letters() (n, m int) { return p.end - p.v, p.end + p.endK - p.v - p.k }

// join aligns the parts and returns the score, or any score above the limit if it is above it.
func (d *gated) join(dst cigar.CIGAR) (score int, _ cigar.CIGAR, err error) {
	for i := range d.parts {
		if i%64 == 0 && stopped(d.stop) {
			return 0, dst, errStopped
		}
		var s int
		if s, dst, err = d.joinPart(dst, &d.parts[i]); err != nil {
			return 0, dst, err
		}
		if score += s; score > d.limit {
			break // so is that of the pair, and the part may have no alignment
		}
	}
	return score, dst, nil
}

// joinPart aligns a part, appends its alignment to dst and returns its score. If that is above the limit, it may
// append none.
func (d *gated) joinPart(dst cigar.CIGAR, p *gatedPart) (int, cigar.CIGAR, error) {
	if p.single {
		if s, c, ok := d.known(dst, p); ok {
			return s, c, nil
		}
		if s, c, ok := d.simple(dst, p); ok {
			return s, c, nil
		}
	}
	s, err := d.between(p)
	if err != nil {
		return 0, dst, err
	}
	if s <= d.limit && !d.scoreOnly {
		dst = Joined(dst, withoutLast(d.alignment, p.end-p.next))
	}
	return s, dst, nil
}

// known aligns a part whose errors are known, and reports whether it did.
func (d *gated) known(dst cigar.CIGAR, p *gatedPart) (int, cigar.CIGAR, bool) {
	e := &p.errors
	if !e.known || d.scoreOnly {
		return p.cost, dst, e.known
	}
	c := d.along.elems[e.elems:e.to]
	if e.begin < p.v {
		if c[0]&15 != runMatch || c[0].Len() < p.v-e.begin {
			return 0, dst, false
		}
		c[0] -= cigar.Elem(p.v-e.begin) << 4
	}
	dst = dst.AppendElem(runMatch, e.begin-p.v)
	return p.cost, Joined(dst, withoutLast(c, p.end-p.next)), true
}

// simple aligns a part of one error that is a gap or few mismatches, which no other alignment comes close to.
// It reports whether it did.
func (d *gated) simple(dst cigar.CIGAR, p *gatedPart) (int, cigar.CIGAR, bool) {
	pattern, text := d.pattern.first(), d.text.first()
	by := p.endK - p.k
	switch {
	case by == 0:
		// Any gap has another one that leads back.
		cost := d.pen.Mismatch * unequalLetters(pattern, text, p.from, p.from+p.k, p.to-p.from)
		if cost >= 2*d.pen.Gap(1) {
			return 0, dst, false
		}
		if d.scoreOnly {
			return cost, dst, true
		}
		dst = dst.AppendElem(runMatch, p.from-p.v)
		for v := p.from; v < p.to; v++ {
			e := runMatch
			if *(*byte)(unsafe.Add(pattern, v)) != *(*byte)(unsafe.Add(text, v+p.k)) {
				e = runMismatch
			}
			dst = dst.AppendElem(e, 1)
		}
		return cost, dst.AppendElem(runMatch, p.next-p.to), true
	case p.cost == d.pen.Gap(abs(by)) && (d.pen.GapOpen > 0 || abs(by) == 1):
		// Any other gap costs more.
		c, ok := d.gap(dst, p)
		return p.cost, c, ok
	}
	return 0, dst, false
}

// gap appends the alignment of a part whose only error is a gap, which is where the matches behind it begin, and reports
// whether the part has that place.
func (d *gated) gap(dst cigar.CIGAR, p *gatedPart) (cigar.CIGAR, bool) {
	if d.scoreOnly {
		return dst, true
	}
	by := p.endK - p.k
	v := p.to - matchesBefore(d.pattern.first(), d.text.first(), p.to, p.to+p.endK)
	op, to := runDel, v
	if by < 0 {
		op, to = runIns, v+by
	}
	if to < p.v {
		return dst, false
	}
	dst = dst.AppendElem(runMatch, to-p.v)
	dst = dst.AppendElem(op, abs(by))
	return dst.AppendElem(runMatch, p.next-v), true
}

// between aligns a part by wavefronts or by other methods and returns its score.
func (d *gated) between(p *gatedPart) (s int, err error) {
	n, m := p.letters()
	if w := d.narrowFor(p); w != nil {
		w.begin(unsafe.Add(d.pattern.first(), p.v), unsafe.Add(d.text.first(), p.v+p.k), n, m, m-n)
		if !w.within(p.cost) {
			return 0, errBound
		}
		if !d.scoreOnly {
			d.alignment, err = w.traceback(d.alignment)
		}
		return w.args.score, err
	}
	pattern, text, costs := d.pattern, d.text, d.costs
	copy(d.part[0].guarded(n, patternPad), pattern.letters()[p.v:])
	copy(d.part[1].guarded(m, textPad), text.letters()[p.v+p.k:])
	d.inPart = true
	s, d.alignment, err = d.other(d.alignment[:0], &d.part[0], &d.part[1], p.cost)
	d.inPart = false
	d.pattern, d.text, d.costs = pattern, text, costs
	return s, err
}

// withoutLast returns c without its last n columns, which are matches.
func withoutLast(c cigar.CIGAR, n int) cigar.CIGAR {
	for n > 0 {
		last := &c[len(c)-1]
		if l := last.Len(); l > n {
			*last -= cigar.Elem(n) << 4
			break
		} else {
			n -= l
			c = c[:len(c)-1]
		}
	}
	return c
}
