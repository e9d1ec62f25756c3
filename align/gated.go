package align

import "wfagpu/cigar"

// gated aligns pairs of few errors part by part. An alignment that follows runs of equal letters shows
// gates, cells that every optimal alignment passes, and what is between two of them is aligned alone:
// most parts have one error. So what a pair costs grows with its letters and errors, not with the
// square of its score.
type gated struct {
	*given
	along  *greedy
	gates  runGates
	narrow *narrow // nil for penalties that reach too far
	wide   *narrow // of more diagonals; may be nil
	// other aligns a part that is neither simple nor narrow, of whose score there is a bound.
	other func(dst cigar.CIGAR, pattern, text *sequence, bound int) (int, cigar.CIGAR, error)
	// otherCost estimates what other costs for a part of n and m letters.
	otherCost func(n, m, bound int) float64

	share float64 // of what other methods cost, what the parts may cost

	parts     []gatedPart
	alignment cigar.CIGAR // of a part
	part      [2]sequence // its letters
	inPart    bool        // other is aligning one
}

// A pair is tried if both its sequences together have so many letters, and no more errors are expected
// for each of them.
const (
	gatedLetters = 400
	gatedRate    = 0.015
	gatedShare   = 0.7
)

func newGated(g *given, along *greedy, n *narrow) *gated {
	return &gated{given: g, along: along, gates: newRunGates(g.kern, g.pen), narrow: n, share: gatedShare}
}

// takes reports whether a pair of total letters may be tried.
func (d *gated) takes(total int) bool {
	return !d.inPart && total >= gatedLetters && total <= mostBase
}

// fits reports whether a pair of total letters, whose score is expected to be guess, has few errors.
func (d *gated) fits(total, guess int) bool { return d.errors(guess) <= gatedRate*float64(total) }

// errors returns how many errors cost a score, on average.
func (d *gated) errors(score int) float64 {
	return 3 * float64(score) / float64(d.pen.Mismatch+2*d.pen.Gap(1))
}

// cost estimates what a pair of total letters costs whose score is expected to be guess.
func (d *gated) cost(total, guess int) float64 {
	return gatedSetup + gatedLetter*float64(total) + gatedError*d.errors(guess)
}

// align aligns the pair, for which an alignment along runs of equal letters has been found, and reports
// whether it did: if that shows enough gates.
func (d *gated) align(dst cigar.CIGAR) (int, cigar.CIGAR, bool, error) {
	d.findGates()
	runs := d.along.runs
	end := len(runs) - 1
	d.split(runs, runGate{}, runGate{end, runs[end].to})
	// One part without a quick method is the pair itself: there are no gates.
	if p := &d.parts[0]; len(d.parts) == 1 && !p.single && d.narrowFor(p) == nil || !d.pays(d.along.cost) {
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
	d.along.endRuns()
	d.gates.find(d.pattern, d.text, d.along.runs, d.along.cost)
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
		case d.narrowFor(p) != nil:
			sum += gatedNarrow + gatedScore*float64(p.cost)
		default:
			n, m := p.letters()
			sum += gatedOther + d.otherCost(n, m, p.cost)
		}
	}
	return sum < d.share*d.costs.bounded(cost, 0)
}

// narrowFor returns the narrow wavefronts that certify a part, nil if there are none.
func (d *gated) narrowFor(p *gatedPart) *narrow {
	end := p.endK - p.k
	switch {
	case d.narrow != nil && p.cost <= d.narrow.certified(end):
		return d.narrow
	case d.wide != nil && p.cost <= d.wide.certified(end):
		return d.wide
	}
	return nil
}
