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

// whole has pairs without gates aligned by the span family.
func (x *insider) whole(c *call, list []insidePair) {
	if len(list) == 0 {
		return
	}
	b := &align.Batch{Pairs: make([]align.Pair, len(list))}
	for i := range list {
		b.Pairs[i] = c.batch.Pairs[list[i].index]
	}
	b.PrepareResults()
	x.finish(&call{
		batch: b, ungated: true, fallback: func([]int32) {},
		ctx: c.ctx, cancel: c.cancel, ended: c.ended, done: make(chan struct{}),
	})
	if c.ended.Load() {
		return
	}
	var fallback []int32
	for i := range list {
		index, r := list[i].index, &b.Results[i]
		if r.Err != nil {
			markFallback(c, int(index), r.Err, &Stats{}) // counted with the inner call
			fallback = append(fallback, index)
			continue
		}
		c.batch.Results[index] = *r
	}
	if len(fallback) > 0 {
		c.fallback(fallback)
	}
}
