package gpu

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"wfagpu/align"
)

// lightPieces returns pieces of a call of their own, of some lengths, with expected costs of 1.
func lightPieces(x *assembler, lengths ...int) *pieceCall {
	c := testCall(&align.Batch{})
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	p := &pieceCall{assembler: x, by: x, bounds: true}
	p.begin(c)
	for _, n := range lengths {
		p.add([]byte(strings.Repeat("A", n)), []byte("A"), 1)
	}
	return p
}

// waitFor waits until so many pieces wait to be gathered.
func (g *gathering) waitFor(n int) {
	for waiting := -1; waiting != n; {
		g.mu.Lock()
		waiting = len(g.waiting)
		g.mu.Unlock()
	}
}

// Pieces that come while enough calls are under way share the next one, and get their own results.
func TestGathering(t *testing.T) {
	x := &assembler{}
	begun, proceed := make(chan int), make(chan struct{})
	x.stageAll = func(c *call) {
		if len(c.expected) != len(c.batch.Pairs) || len(c.batch.Results) != len(c.batch.Pairs) || !c.bounds || c.whole() {
			t.Errorf("a call of %d pieces with %d bounds, %d results", len(c.batch.Pairs), len(c.expected), len(c.batch.Results))
		}
		begun <- len(c.batch.Pairs)
		<-proceed
		for i := range c.batch.Pairs {
			c.batch.Results[i].Score = len(c.batch.Pairs[i].Pattern)
		}
	}
	var all []*pieceCall
	var done sync.WaitGroup
	begin := func(lengths ...int) {
		p := lightPieces(x, lengths...)
		all = append(all, p)
		done.Go(p.align)
	}
	for i := range mostGathered {
		begin(i, 100+i)
		if n := <-begun; n != 2 {
			t.Errorf("call %d has %d pieces", i, n)
		}
	}
	for i := range 10 {
		begin(7 + i)
	}
	begin(1, 2, 3)
	x.gathering.waitFor(11)
	proceed <- struct{}{}
	if n := <-begun; n != 13 {
		t.Errorf("%d pieces are gathered, not 13", n)
	}
	close(proceed)
	done.Wait()
	for _, p := range all {
		for i, r := range p.batch.Results {
			if r.Score != len(p.batch.Pairs[i].Pattern) {
				t.Errorf("the result of %d letters is that of %d", len(p.batch.Pairs[i].Pattern), r.Score)
			}
		}
	}
	for running := 1; running > 0; { // the last ones end
		x.gathering.mu.Lock()
		running = x.gathering.running
		x.gathering.mu.Unlock()
	}
}

// Pieces that cost much have a call of their own, which ends with the outer one.
func TestHeavyPieces(t *testing.T) {
	x := &assembler{}
	var inner *call
	x.stageAll = func(c *call) { inner = c }
	p := lightPieces(x, 5, 6)
	p.expected[1] = lightCost + 1
	p.align()
	if inner == nil || inner.ended != p.call.ended || len(inner.batch.Pairs) != 2 {
		t.Errorf("%+v", inner)
	}
}

// Calls end with the error of the call of their gathered pieces, which ends when all of them have.
func TestGatheringEnds(t *testing.T) {
	x := &assembler{}
	failure := errors.New("the device has failed")
	var drops atomic.Int64
	x.gathering.drop = func() { drops.Add(1) }
	type staged struct {
		*call
		proceed chan error
	}
	begun := make(chan staged)
	x.stageAll = func(c *call) {
		s := staged{c, make(chan error)}
		begun <- s
		if err := <-s.proceed; err != nil {
			c.fail(err)
		}
	}
	for _, fails := range []bool{true, false} {
		var done sync.WaitGroup
		var before [mostGathered]staged
		for i := range before {
			done.Go(lightPieces(x, 1).align)
			before[i] = <-begun
		}
		pieces := []*pieceCall{lightPieces(x, 1), lightPieces(x, 2)}
		for _, p := range pieces {
			done.Go(p.align)
		}
		x.gathering.waitFor(2)
		before[0].proceed <- nil
		inner := <-begun
		if fails {
			inner.proceed <- failure
		} else {
			ended := drops.Load()
			pieces[0].call.cancel(context.Canceled)
			if inner.ctx.Err() != nil {
				t.Error("the call ends with the first of those that wait for it")
			}
			pieces[1].call.cancel(context.Canceled)
			<-inner.ctx.Done()
			for !inner.ended.Load() || drops.Load() == ended {
			}
			inner.proceed <- nil
		}
		for _, s := range before[1:] {
			s.proceed <- nil
		}
		done.Wait()
		for _, p := range pieces {
			if err := context.Cause(p.call.ctx); fails && err != failure || !fails && err != context.Canceled {
				t.Errorf("fails %v: the call ends with %v", fails, err)
			}
		}
	}
}
