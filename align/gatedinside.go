package align

import "wfagpu/cigar"

// alongRuns aligns a pattern of few errors within the text along one alignment that follows runs of equal
// letters: by parts between the first and the last gate of it, and beside these. It reports whether it did.
func (x *insideMethod) alongRuns(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if x.middle.exact == nil || m.FreeLetter > 0 || x.runsPauses.leaves() {
		return spanResult{}, false, nil
	}
	d := x.middle.exact.gated
	plan, ok := x.planRuns(d, m, pattern, text)
	x.runsPauses.record(ok, 4)
	if !ok {
		return spanResult{}, false, nil
	}
	in, err := x.ends(m, pattern, text, &plan)
	if err != nil {
		return spanResult{}, false, err
	}
	r := spanResult{cigar: dst[:0], place: in.Place}
	cost, between, err := d.join(x.alignment[:0])
	x.alignment, r.cost = between, cost+in.Cost
	if err == nil && !x.scoreOnly {
		r.cigar = in.Join(r.cigar, between)
	}
	return r, err == nil, err
}

// planRuns finds gates, sets the parts between the first and the last one, and plans the ends. It reports
// whether that costs little enough.
func (x *insideMethod) planRuns(d *gated, m *Model, pattern, text *sequence) (plan gatedPlan, ok bool) {
	if pattern.n+text.n > mostBase {
		return plan, false
	}
	g, a := x.gates, d.along
	g.pattern, g.text = pattern, text
	begin := g.locate()
	if begin < 0 {
		return plan, false
	}
	view := text.behind(begin)
	a.free = true
	defer func() { a.free = false }()
	if !a.run(pattern, &view) || a.left() > m.Free.TextEnd {
		return plan, false
	}
	a.endRuns()
	for i := range a.runs {
		a.runs[i].k += begin
	}
	gap := m.mostGap(a.cost, pattern.n+text.n)
	d.pattern, d.text = pattern, text
	d.gates.within(pattern, text, a.runs, -gap, text.n-pattern.n+gap)
	gates := d.gates.gates
	if len(gates) == 0 {
		return plan, false
	}
	first, last := gates[0], gates[len(gates)-1]
	k, lastK := a.runs[first.run].k, a.runs[last.run].k
	before, behind := a.runs[first.run].cost, a.cost-a.runs[last.run].cost
	most := nearEnds + runsEnd*float64(pattern.n)
	if pattern.n > longLetters {
		most *= longEnds
	}
	if g.besideCost(first.v, before)+g.besideCost(pattern.n-last.v, behind) > x.runsEnds*most {
		return plan, false
	}
	d.split(a.runs, first, last)
	plan = planBeside(m, pattern.n, text.n, gatedPlan{
		middle: Place{first.v, last.v, first.v + k, last.v + lastK}, before: before, behind: behind,
	})
	return plan, d.pays(a.runs[last.run].cost - before)
}

const (
	// runsEnd is how many nanoseconds for each letter of a pattern the ends beside gates along runs may take.
	runsEnd = 10.0
	// longEnds times as much may be expected of patterns that take no lanes: other methods take long, and the ends
	// a quarter of it, as the alignment along the runs costs twice the least cost there.
	longEnds = 4
)
