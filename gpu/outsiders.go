package gpu

import (
	"slices"
	"sync"

	"wfagpu/align"
)

// follow aligns pairs of a call that a gated pass has not aligned, in other goroutines: of those whose middles are
// not known, it looks for gates first. The call does not end before.
func (x *insider) follow(c *call, list []insidePair) {
	c.loads.Add(1)
	go func() {
		defer c.release()
		x.find(c, list)
		outsiders := slices.DeleteFunc(slices.Clone(list), func(t insidePair) bool { return t.found })
		list = slices.DeleteFunc(list, func(t insidePair) bool { return !t.found })
		var wg sync.WaitGroup
		wg.Go(func() { x.whole(c, outsiders) })
		x.run(c, list)
		wg.Wait()
	}()
}

// whole has pairs without gates aligned without gated passes.
func (x *insider) whole(c *call, list []insidePair) {
	if len(list) == 0 {
		return
	}
	b := &align.Batch{Pairs: make([]align.Pair, len(list))}
	for i := range list {
		b.Pairs[i] = c.batch.Pairs[list[i].index]
	}
	b.PrepareResults()
	inner := c.inner(b)
	inner.ungated = true
	x.finish(inner)
	if c.ended.Load() {
		return
	}
	x.take(c, list, b.Results, func(t *insidePair, r *align.Result) { c.batch.Results[t.index] = *r })
}
