package gpu

import (
	"context"
	"sync"
	"sync/atomic"

	"wfagpu/align"
)

const (
	// mostGathered is the number of calls of gathered pieces at a time. While all are under way, pieces
	// of other pairs gather.
	mostGathered = 4
	// lightCost is the most that a gathered piece may cost: it is soon aligned, so that the pieces of no
	// pair wait long for those of another one.
	lightCost = 512
)

// gathering aligns the pieces of several calls in one. A call of few pieces is a small load and a small
// launch, which take as long as large ones. It is safe for concurrent use.
type gathering struct {
	// drop removes the tasks of calls that have ended.
	drop func()

	mu      sync.Mutex
	waiting []gathered
	running int // calls
}

// gathered are pieces that wait, until done is closed.
type gathered struct {
	*pieceCall
	done chan struct{}
}

// light reports whether pieces are soon aligned.
func (p *pieceCall) light() bool {
	for _, cost := range p.expected {
		if cost < 0 || cost > lightCost {
			return false
		}
	}
	return true
}

// align has pieces, whose expected costs are upper bounds, aligned together with others. Results are not
// complete if their outer call has ended.
func (g *gathering) align(p *pieceCall) {
	w := gathered{p, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	begin := g.running < mostGathered
	if begin {
		g.running++
	}
	g.mu.Unlock()
	if begin {
		go g.run()
	}
	<-w.done
}

// run aligns what waits until nothing does.
func (g *gathering) run() {
	for {
		g.mu.Lock()
		all := g.waiting
		g.waiting = nil
		if len(all) == 0 {
			g.running--
			g.mu.Unlock()
			return
		}
		g.mu.Unlock()
		g.together(all)
		for _, w := range all {
			close(w.done)
		}
	}
}

// together aligns pieces in one call. It ends when the last of the outer calls does, and these end when
// it fails.
func (g *gathering) together(all []gathered) {
	var batch align.Batch
	inner := &call{batch: &batch, bounds: true, fallback: func([]int32) {}, ended: new(atomic.Bool), done: make(chan struct{})}
	for _, w := range all {
		batch.Pairs = append(batch.Pairs, w.batch.Pairs...)
		batch.Results = append(batch.Results, w.batch.Results...)
		inner.expected = append(inner.expected, w.expected...)
	}
	inner.ctx, inner.cancel = context.WithCancelCause(context.Background())
	defer context.AfterFunc(inner.ctx, func() {
		inner.ended.Store(true)
		g.drop()
	})()
	var open atomic.Int64 // outer calls that have not ended
	open.Store(int64(len(all)))
	for _, w := range all {
		defer context.AfterFunc(w.call.ctx, func() {
			if open.Add(-1) == 0 {
				inner.cancel(context.Canceled)
			}
		})()
	}
	all[0].by.finish(inner)
	results := batch.Results
	for _, w := range all {
		if err := context.Cause(inner.ctx); err != nil {
			w.call.fail(err) // of those that have ended nothing changes
		}
		results = results[copy(w.batch.Results, results):]
	}
}
