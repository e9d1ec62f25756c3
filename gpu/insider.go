package gpu

import (
	"context"
	"slices"
	"sync"

	"wfagpu/align"
)

// insider aligns pairs with gates (align.Insider): the host finds the gates and aligns the ends, and
// an engine of global alignments aligns the middles. The span family would compute the whole matrix. Where a gated
// pass comes first, the insider takes the pairs that it has not aligned; of those with open parts, their place in
// the text is known, and the middle is all of that.
type insider struct {
	// alignMiddles aligns middles, whose scores are costs of the model.
	alignMiddles func(context.Context, *align.Batch) error

	model   align.Model
	options align.Options
	limit   int // the largest cost to report
	least   int // cells of a matrix; insideCells
	staged  func(*Stats)
	// apart reports whether a pair takes a gated pass first, or one in a band; finish has the pairs of a call aligned.
	apart   func(pattern, text int) bool
	finish  func(*call)
	finders sync.Pool // of *align.Insider
}

// insideCells is the least size of a matrix for which gates are looked for: a device computes a smaller
// one before the host has found them.
const insideCells = 1 << 25

// insidePair is a pair with gates.
type insidePair struct {
	index int32 // in its batch
	found bool
	few   bool // errors, for certain
	align.Inside
}

// begin looks for gates in the pairs of a call of which the device would compute the whole matrix, and has those that
// it finds aligned, in other goroutines. The call does not stage these, and does not end before.
func (x *insider) begin(c *call) {
	pairs := c.batch.Pairs
	var list []insidePair
	for i := range pairs {
		if n, m := len(pairs[i].Pattern), len(pairs[i].Text); n*m > 0 && n*m >= x.least && !x.apart(n, m) {
			list = append(list, insidePair{index: int32(i)})
		}
	}
	x.find(c, list)
	list = slices.DeleteFunc(list, func(t insidePair) bool { return !t.found })
	if len(list) == 0 {
		return
	}
	c.aside = make([]bool, len(pairs))
	for i := range list {
		c.aside[list[i].index] = true
	}
	c.loads.Add(1)
	go func() {
		defer c.release()
		x.run(c, list)
	}()
}

// find looks for gates in pairs whose middles are not known.
func (x *insider) find(c *call, list []insidePair) {
	inParallel(len(list), func(i int) {
		t := &list[i]
		if t.found || c.ended.Load() {
			return
		}
		f, _ := x.finders.Get().(*align.Insider)
		if f == nil {
			f, _ = align.NewInsider(x.options) // which worked before
		}
		defer x.finders.Put(f)
		p := &c.batch.Pairs[t.index]
		f.StopOn(c.ended)
		t.Inside, t.found = f.Find(p.Pattern, p.Text, t.few)
		f.StopOn(nil)
	})
}

// run aligns the middles of pairs and joins the parts.
func (x *insider) run(c *call, list []insidePair) {
	if len(list) == 0 {
		return
	}
	middles := &align.Batch{Pairs: make([]align.Pair, len(list))}
	for i := range list {
		p, q := &c.batch.Pairs[list[i].index], &middles.Pairs[i]
		q.Pattern, q.Text = list[i].Of(p.Pattern, p.Text)
	}
	if err := x.alignMiddles(c.ctx, middles); err != nil {
		c.fail(err)
		return
	}
	var stats Stats
	x.take(c, list, middles.Results, func(t *insidePair, r *align.Result) { x.join(t, r, c.batch, &stats) })
	x.staged(&stats)
}

// take does something with the results of pairs in a batch of their own. Pairs that fall back there, where they
// are counted, do so.
func (x *insider) take(c *call, list []insidePair, results []align.Result, do func(t *insidePair, r *align.Result)) {
	var fallback []int32
	for i := range list {
		t, r := &list[i], &results[i]
		if r.Err != nil {
			markFallback(c, int(t.index), r.Err, &Stats{})
			fallback = append(fallback, t.index)
			continue
		}
		do(t, r)
	}
	if len(fallback) > 0 {
		c.fallback(fallback)
	}
}

// join makes the result of a pair from that of its middle.
func (x *insider) join(t *insidePair, middle *align.Result, b *align.Batch, stats *Stats) {
	p, out := &b.Pairs[t.index], b.PrepareResult(int(t.index))
	cost := t.Cost + middle.Score
	if cost > x.limit {
		stats.passBeyond(out)
		return
	}
	out.Score = x.model.Score(cost, len(p.Pattern)+len(p.Text))
	out.CIGAR, out.Place = t.Join(out.CIGAR, middle.CIGAR), t.Place
}
