package gpu

import (
	"sync"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/passes"
)

// assembler has the pieces of pairs aligned and joins them. It is safe for concurrent use.
type assembler struct {
	policy *passes.Policy
	// stageAll stages the pairs of a call, and staged adds statistics.
	stageAll func(*call)
	staged   func(*Stats)
	idle     sync.Pool    // of *assembly
	banders  sync.Pool    // of *align.Bander
	banded   atomic.Int64 // middles that Banders have taken

	idlePartials sync.Pool // of *partials
	gathering    gathering
	cutters      cutters
	// closer aligns open parts: that of the engine of middles for patterns within texts, nil for this one.
	closer *assembler
}

// pieceCall is pieces of some pairs of a call, which are a call of their own: they are staged, wait
// and run as pairs do, in loads of their own, and are retried alone. The outer call waits for the
// inner one, and no load waits for another one, so that the memory of the outer call's loads is
// given back as soon as their tasks have left the device.
type pieceCall struct {
	*assembler
	by       *assembler  // has the pieces aligned; that of another engine, or the same
	call     *call       // the outer one
	batch    align.Batch // of the pieces, in turn, with reduced costs
	expected []int       // costs of the pieces
	bounds   bool        // expected are upper bounds
	fallback []int32     // pairs of the outer call
	stats    Stats
}

// begin begins with no pieces. The outer call does not end before p.end.
func (p *pieceCall) begin(c *call) {
	p.call, p.batch.Pairs, p.expected = c, p.batch.Pairs[:0], p.expected[:0]
	c.loads.Add(1)
}

// add adds a piece.
func (p *pieceCall) add(pattern, text []byte, expected int) {
	p.batch.Pairs = append(p.batch.Pairs, align.Pair{Pattern: pattern, Text: text})
	p.expected = append(p.expected, expected)
}

// align has all pieces aligned. Results are not complete if the outer call has ended.
func (p *pieceCall) align() {
	p.batch.PrepareResults()
	switch {
	case p.bounds && p.light():
		p.by.gathering.align(p)
	case p.by != p.assembler: // which knows nothing of the outer call
		p.by.gathering.together([]gathered{{pieceCall: p}})
	default:
		inner := p.call.inner(&p.batch)
		inner.expected, inner.bounds = p.expected, p.bounds
		p.finish(inner)
	}
}

// finish stages the pieces of an inner call and waits until they are aligned.
func (x *assembler) finish(inner *call) {
	inner.loads.Store(1)
	x.stageAll(inner)
	inner.release()
	<-inner.done
}

// fallBack gives a pair of the outer call, of which a piece falls back, to another engine.
func (p *pieceCall) fallBack(index int32, cause error) {
	markFallback(p.call, int(index), cause, &p.stats)
	p.fallback = append(p.fallback, index)
}

// end ends the pieces' part in the outer call. Nothing is left of them but storage.
func (p *pieceCall) end() {
	c := p.call
	p.staged(&p.stats)
	if len(p.fallback) > 0 {
		c.fallback(p.fallback)
	}
	clear(p.batch.Pairs) // idle storage keeps no batch in memory
	p.call, p.fallback, p.stats = nil, p.fallback[:0], Stats{}
	c.release()
}
