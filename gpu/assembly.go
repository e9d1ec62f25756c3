package gpu

import (
	"sync"
	"sync/atomic"

	"wfagpu/align"
)

// assembler has the pieces of pairs aligned and joins them. It is safe for concurrent use.
//
// The pieces of some pairs of a call are a call of their own: they are staged, wait and run as
// pairs do, in loads of their own, and are retried alone. The outer call waits for the inner one,
// and no load waits for another one, so that the memory of the outer call's loads is given back
// as soon as their tasks have left the device.
type assembler struct {
	policy *policy
	// stageAll stages the pairs of a call, and staged adds statistics.
	stageAll func(*call)
	staged   func(*Stats)
	idle     sync.Pool    // of *assembly
	banders  sync.Pool    // of *align.Bander
	banded   atomic.Int64 // middles that Banders have taken
}

// assembly is some pairs of a call whose pieces are being aligned.
type assembly struct {
	*assembler
	call     *call
	cuts     []cutting
	batch    align.Batch // of the pieces, in turn, with reduced costs
	expected []int       // costs of the pieces
	middles  []middle
	fallback []int32
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
		a = &assembly{assembler: x}
	}
	a.call, a.cuts = c, append(a.cuts[:0], cuts...)
	c.loads.Add(1)
	go a.run()
}

// run has the pieces aligned and joins them.
func (a *assembly) run() {
	c, b := a.call, &a.batch
	b.Pairs, a.expected, a.middles = b.Pairs[:0], a.expected[:0], a.middles[:0]
	for i := range a.cuts {
		t := &a.cuts[i]
		p := &c.batch.Pairs[t.index]
		for j := range t.pieces {
			var q align.Pair
			q.Pattern, q.Text = t.pieces[j].Of(p.Pattern, p.Text)
			b.Pairs = append(b.Pairs, q)
			a.expected = append(a.expected, t.pieces[j].Expected)
		}
		a.middles = append(a.middles, middle{})
	}
	b.PrepareResults()
	a.band(func(i int) bool { return !a.cuts[i].pieces[1].Similar })
	inner := &call{
		batch: b, expected: a.expected, fallback: func([]int32) {}, ctx: c.ctx, cancel: c.cancel, ended: c.ended,
		done: make(chan struct{}),
	}
	inner.loads.Store(1)
	a.stageAll(inner)
	inner.release()
	<-inner.done
	a.band(func(i int) bool {
		r := &b.Results[3*i+1]
		p := &a.cuts[i].pieces[1]
		return p.Similar && r.Err == nil && !p.Certified(a.policy.penalties, r.Score)
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
			x = align.NewBander(a.policy.penalties, a.policy.scoreOnly)
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
	c := a.call
	var stats Stats
	if !c.ended.Load() {
		for i := range a.cuts {
			a.joinPair(&a.cuts[i], i, &stats)
		}
		a.staged(&stats)
		if len(a.fallback) > 0 {
			c.fallback(a.fallback)
		}
	}
	clear(a.batch.Pairs) // idle storage keeps no batch in memory
	clear(a.middles)
	a.call, a.fallback = nil, a.fallback[:0]
	a.idle.Put(a)
	c.release()
}

// joinPair makes the result of a pair from those of its pieces. A pair of which a piece falls back
// falls back.
func (a *assembly) joinPair(t *cutting, i int, stats *Stats) {
	c := a.call
	p, out := &c.batch.Pairs[t.index], &c.batch.Results[t.index]
	var parts [3]*align.Result
	cost := 0
	for j := range parts {
		parts[j] = &a.batch.Results[3*i+j]
		if m := &a.middles[i]; j == 1 && m.done {
			parts[j] = &m.Result
		}
		if err := parts[j].Err; err != nil {
			markFallback(c, int(t.index), err, stats)
			a.fallback = append(a.fallback, t.index)
			return
		}
		cost += parts[j].Score
	}
	if r := &t.rival; r.family != "" && r.cost <= cost {
		stats.addAligned(r.family, 1)
		if r.second {
			stats.SecondPass++
		}
		return
	}
	stats.addAligned("pieces", 1)
	out.Score = a.policy.model.Score(cost, len(p.Pattern)+len(p.Text))
	out.CIGAR = out.CIGAR[:0]
	for _, r := range parts {
		out.CIGAR = align.Joined(out.CIGAR, r.CIGAR)
	}
}
