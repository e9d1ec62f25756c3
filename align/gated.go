package align

import (
	"unsafe"

	"wfagpu/cigar"
)

// gated aligns pairs of few errors part by part. An alignment that follows runs of equal letters shows
// gates, cells that every optimal alignment passes, and what is between two of them is aligned alone:
// most parts have one error. So what a pair costs grows with its letters and errors, not with the
// square of its score.
type gated struct {
	*given
	along  *greedy
	gates  runGates
	narrow *narrow // nil for penalties that reach too far
	// other aligns a part that is neither simple nor narrow, of whose score there is a bound.
	other func(dst cigar.CIGAR, pattern, text *sequence, bound int) (int, cigar.CIGAR, error)

	letters int     // least number of letters of a pair, both sequences together
	share   float64 // of what other methods cost, what the parts may cost

	parts         []gatedPart
	alignment     cigar.CIGAR // of a part
	pattern, text sequence    // of a part
	inPart        bool
}

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

// A pair is tried if both its sequences together have so many letters, and no higher score is expected
// for each of them.
const (
	gatedLetters = 400
	gatedRate    = 0.05
	gatedShare   = 0.7
)

func newGated(g *given, along *greedy, n *narrow) *gated {
	return &gated{given: g, along: along, gates: newRunGates(g.kern, g.pen), narrow: n, letters: gatedLetters, share: gatedShare}
}

// fits reports whether a pair of total letters, whose score is expected to be guess, is to be tried.
func (d *gated) fits(total, guess int) bool {
	return !d.inPart && total >= d.letters && total <= mostBase && float64(guess) <= gatedRate*float64(total)
}

// cost estimates what a pair of total letters costs whose score is expected to be guess.
func (d *gated) cost(total, guess int) float64 {
	each := float64(d.pen.Mismatch+2*d.pen.Gap(1)) / 3 // of an error
	return gatedSetup + gatedLetter*float64(total) + gatedError*float64(guess)/each
}

// align aligns the pair, for which an alignment along runs of equal letters has been found, and reports
// whether it did: if that shows enough gates.
func (d *gated) align(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	d.findGates()
	runs := d.along.runs
	end := len(runs) - 1
	d.split(runs, runGate{}, runGate{end, runs[end].to})
	if !d.pays(d.along.cost) {
		return 0, dst, false, nil
	}
	s, dst, err := d.join(dst)
	switch {
	case err == errBeyond, err == nil && s > d.limit:
		return 0, dst, true, beyond(&d.stats.Wavefront)
	case err != nil:
		return 0, dst, true, err
	}
	d.stats.Wavefront++
	return s, dst, true, nil
}

// findGates finds the gates of the pair. It adds the end of the pair to the runs.
func (d *gated) findGates() {
	m, n := d.given.pattern.n, d.given.text.n
	a := d.along
	if last := &a.runs[len(a.runs)-1]; last.to != m || last.to+last.k != n {
		a.runs = append(a.runs, equalRun{from: m, to: m, k: n - m, cost: a.cost})
	}
	d.gates.find(d.given.pattern, d.given.text, a.runs, a.cost)
}

// split sets the parts between two gates.
func (d *gated) split(runs []equalRun, at, last runGate) {
	d.parts = d.parts[:0]
	add := func(to, next int) {
		b, e := &runs[at.run], &runs[to]
		d.parts = append(d.parts, gatedPart{
			v: at.v, k: b.k, end: e.to, endK: e.k, next: next, cost: e.cost - b.cost,
			single: to == at.run+1, from: b.to, to: e.from, errors: e.errors,
		})
		at = runGate{to, next}
	}
	for _, g := range d.gates.gates {
		if g.run > at.run && g.run < last.run {
			add(g.run, g.v)
		}
	}
	add(last.run, last.v)
}

// Costs in nanoseconds, as in choose.go.
const (
	gatedSetup  = 300.0
	gatedLetter = 0.25 // of both sequences together
	gatedError  = 180.0
	gatedSimple = 20.0
	gatedNarrow = 120.0
	gatedScore  = 16.0
	gatedOther  = 400.0
)

// pays reports whether what is between the gates costs less than other methods for the pair, of which
// there is an alignment of a cost.
func (d *gated) pays(cost int) bool {
	sum := 0.0
	for i := range d.parts {
		p := &d.parts[i]
		switch {
		case p.single:
			sum += gatedSimple
		case d.isNarrow(p):
			sum += gatedNarrow + gatedScore*float64(p.cost)
		default:
			sum += gatedOther + d.costs.bounded(p.cost, 0)
		}
	}
	return sum < d.share*d.costs.bounded(cost, 0)
}

func (d *gated) isNarrow(p *gatedPart) bool {
	return d.narrow != nil && p.cost <= d.narrow.certified(p.endK-p.k)
}

// join aligns the parts and returns the score.
func (d *gated) join(dst cigar.CIGAR) (score int, _ cigar.CIGAR, err error) {
	for i := range d.parts {
		p := &d.parts[i]
		if p.single {
			if s, c, ok := d.known(dst, p); ok {
				score, dst = score+s, c
				continue
			}
			if s, c, ok := d.simple(dst, p); ok {
				score, dst = score+s, c
				continue
			}
		}
		if i%64 == 0 && stopped(d.stop) {
			return 0, dst, errStopped
		}
		s, err := d.align1(p)
		if err != nil {
			return 0, dst, err
		}
		score += s
		if !d.scoreOnly {
			dst = appendWithout(dst, d.alignment, p.end-p.next)
		}
	}
	return score, dst, nil
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
	return p.cost, appendWithout(dst, c, p.end-p.next), true
}

// simple aligns a part of one error that is a gap or few mismatches, which no other alignment comes close to.
// It reports whether it did.
func (d *gated) simple(dst cigar.CIGAR, p *gatedPart) (int, cigar.CIGAR, bool) {
	pattern, text := d.given.pattern.first(), d.given.text.first()
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
		// Any other gap costs more. It is where the matches behind it begin.
		if d.scoreOnly {
			return p.cost, dst, true
		}
		v := p.to - matchesBefore(pattern, text, p.to, p.to+p.endK)
		op, to := runDel, v
		if by < 0 {
			op, to = runIns, v+by
		}
		if to < p.v {
			return 0, dst, false
		}
		dst = dst.AppendElem(runMatch, to-p.v)
		dst = dst.AppendElem(op, abs(by))
		return p.cost, dst.AppendElem(runMatch, p.next-v), true
	}
	return 0, dst, false
}

// align1 aligns a part and returns its score.
func (d *gated) align1(p *gatedPart) (s int, err error) {
	n, m := p.end-p.v, p.end+p.endK-p.v-p.k
	if d.isNarrow(p) {
		pattern, text := d.given.pattern.from(p.v, n), d.given.text.from(p.v+p.k, m)
		w := d.narrow
		w.start(&pattern, &text)
		if !w.upTo(p.cost) {
			return 0, errBound
		}
		if !d.scoreOnly {
			d.alignment, err = w.traceback(d.alignment)
		}
		return w.args.score, err
	}
	copy(d.pattern.guarded(n, patternPad), d.given.pattern.letters()[p.v:])
	copy(d.text.guarded(m, textPad), d.given.text.letters()[p.v+p.k:])
	pattern, text, costs := d.given.pattern, d.given.text, d.costs
	d.inPart = true
	s, d.alignment, err = d.other(d.alignment[:0], &d.pattern, &d.text, p.cost)
	d.inPart = false
	d.given.pattern, d.given.text, d.costs = pattern, text, costs
	return s, err
}

// from returns n letters of s from letter v on. Those next to them are not sentinels.
func (s *sequence) from(v, n int) sequence {
	return sequence{buf: s.buf[v:], n: n, pad: s.pad}
}

// appendWithout appends c without its last n columns, which are matches, to dst.
func appendWithout(dst, c cigar.CIGAR, n int) cigar.CIGAR {
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
	if len(c) == 0 {
		return dst
	}
	dst = dst.AppendElem(c[0], c[0].Len())
	return append(dst, c[1:]...)
}
