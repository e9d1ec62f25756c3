package gpu

import "wfagpu/align"

// assembly is some pairs of a call that a Cutter has cut, each into three pieces, whose pieces are being
// aligned.
type assembly struct {
	pieceCall
	cuts    []cutting
	middles []middle
}

// middle is the result of a middle that the host has aligned.
type middle struct {
	align.Result
	done bool
}

// assemble has the pieces of pairs that have been cut aligned and joined, in other goroutines.
// The call does not end before. Of each pair's result nothing else is used until then.
func (x *assembler) assemble(c *call, cuts []cutting) {
	if len(cuts) == 0 {
		return
	}
	a, _ := x.idle.Get().(*assembly)
	if a == nil {
		a = &assembly{pieceCall: pieceCall{assembler: x, by: x}}
	}
	a.begin(c)
	a.cuts, a.middles = append(a.cuts[:0], cuts...), a.middles[:0]
	go a.run()
}

// run has the pieces aligned and joins them.
func (a *assembly) run() {
	for i := range a.cuts {
		t := &a.cuts[i]
		p := &a.call.batch.Pairs[t.index]
		for j := range t.pieces {
			pattern, text := t.pieces[j].Of(p.Pattern, p.Text)
			a.add(pattern, text, t.pieces[j].Expected)
		}
		a.middles = append(a.middles, middle{})
	}
	a.band(func(i int) bool { return !a.cuts[i].pieces[1].Similar })
	a.align()
	a.band(func(i int) bool {
		r := &a.batch.Results[3*i+1]
		p := &a.cuts[i].pieces[1]
		return p.Similar && r.Err == nil && !p.Certified(a.policy.Penalties, r.Score)
	})
	a.join()
}

// band aligns some of the middles that take a band, which kernels do not compute. Those that do not
// fit it are exact.
func (a *assembly) band(some func(i int) bool) {
	var banded []int
	for i := range a.cuts {
		if a.cuts[i].pieces[1].Mode == align.PieceBanded && some(i) {
			banded = append(banded, i)
		}
	}
	inParallel(len(banded), func(i int) {
		if a.call.ended.Load() {
			return
		}
		x, _ := a.banders.Get().(*align.Bander)
		if x == nil {
			x = align.NewBander(a.policy.Penalties, a.policy.ScoreOnly)
		}
		defer a.banders.Put(x)
		m, p := &a.middles[banded[i]], &a.batch.Pairs[3*banded[i]+1]
		var err error
		if m.Score, m.CIGAR, m.done, err = x.Align(p.Pattern, p.Text, nil); err != nil {
			a.call.fail(err)
		}
		if m.done {
			a.banded.Add(1)
			*p = align.Pair{} // nothing is left to do
		}
	})
}

// join joins the pieces of all pairs, and ends the assembly.
func (a *assembly) join() {
	if !a.call.ended.Load() {
		for i := range a.cuts {
			a.joinPair(&a.cuts[i], i)
		}
	}
	clear(a.middles)
	a.end()
	a.idle.Put(a)
}

// joinPair makes the result of a pair from those of its pieces. A pair of which a piece falls back
// falls back.
func (a *assembly) joinPair(t *cutting, i int) {
	c := a.call
	p := &c.batch.Pairs[t.index]
	var parts [3]*align.Result
	cost := 0
	for j := range parts {
		parts[j] = &a.batch.Results[3*i+j]
		if m := &a.middles[i]; j == 1 && m.done {
			parts[j] = &m.Result
		}
		if err := parts[j].Err; err != nil {
			a.fallBack(t.index, err)
			return
		}
		cost += parts[j].Score
	}
	if r := &t.rival; r.family != "" && r.cost <= cost {
		a.stats.addAligned(r.family, 1)
		if r.second {
			a.stats.SecondPass++
		}
		return
	}
	a.stats.addAligned("pieces", 1)
	out := c.batch.PrepareResult(int(t.index))
	out.Score = a.policy.Model.Score(cost, len(p.Pattern)+len(p.Text))
	for _, r := range parts {
		out.CIGAR = align.Joined(out.CIGAR, r.CIGAR)
	}
}
