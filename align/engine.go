package align

import (
	"context"
	"sync"
	"sync/atomic"
)

// A worker takes a chunk of the batch at a time: up to chunkPairs neighbouring pairs, or
// chunkBases bases. That is enough for the shared counter to cost little and for groups
// of short pairs to fill, and few enough for workers to finish together.
const (
	chunkPairs = 64
	chunkBases = 1 << 16
)

// Engine aligns batches on the CPU with a fixed pool of workers. It is safe
// for concurrent use; concurrent calls share the pool.
type Engine struct {
	opts     Options
	aligners chan *Aligner // idle workers
	all      sync.Mutex    // locked while every worker is taken
}

// New returns an Engine, or an error when the options are out of range.
func New(opts Options) (*Engine, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{opts: opts, aligners: make(chan *Aligner, opts.Threads)}
	for range opts.Threads {
		a, err := NewAligner(opts)
		if err != nil {
			return nil, err
		}
		e.aligners <- a
	}
	return e, nil
}

// Options returns the options with defaults filled in.
func (e *Engine) Options() Options { return e.opts }

// AlignBatch fills b.Results[i] for every b.Pairs[i]. It returns early, in the
// middle of a pair, with ctx.Err() when ctx is cancelled; results are then
// incomplete.
func (e *Engine) AlignBatch(ctx context.Context, b *Batch) error {
	b.PrepareResults()
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var next atomic.Int64
	var wg sync.WaitGroup
	size := chunkFor(b, e.opts.Threads)
	workers := min(e.opts.Threads, (len(b.Pairs)+size-1)/size)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var a *Aligner
			select {
			case a = <-e.aligners:
			case <-ctx.Done():
				return
			}
			a.stopOn(&stop)
			defer func() {
				a.finishWaiting(b)
				a.stopOn(nil)
				e.aligners <- a
			}()
			for !stop.Load() {
				end := int(next.Add(int64(size)))
				start := end - size
				if start >= len(b.Pairs) {
					return
				}
				a.alignRange(b, start, min(end, len(b.Pairs)))
			}
		}()
	}
	wg.Wait()
	return ctx.Err()
}

// chunkFor returns the number of pairs in a chunk.
func chunkFor(b *Batch, threads int) int {
	pairs := len(b.Pairs)
	if pairs == 0 {
		return 1
	}
	each := b.Bases()/pairs + 1
	return max(1, min(chunkPairs, chunkBases/each, pairs/(4*threads)))
}

// Stats returns the counts of all workers so far. It waits for busy workers.
func (e *Engine) Stats() Stats {
	var s Stats
	e.each(func(a *Aligner) { s.add(a.stats) })
	return s
}

// ApproxStats returns the counts of all workers so far. It waits for busy workers.
func (e *Engine) ApproxStats() ApproxStats {
	var s ApproxStats
	e.each(func(a *Aligner) { s.add(a.approxStats()) })
	return s
}

// each waits for every worker and calls do for it while none is in use.
func (e *Engine) each(do func(*Aligner)) {
	e.all.Lock()
	defer e.all.Unlock()
	taken := make([]*Aligner, 0, e.opts.Threads)
	for range e.opts.Threads {
		a := <-e.aligners
		do(a)
		taken = append(taken, a)
	}
	for _, a := range taken {
		e.aligners <- a
	}
}

// Stats counts pairs by the exact method that finished them.
type Stats struct {
	Wavefront    int64 // wavefronts with all rows stored, or score-only wavefronts
	Checkpointed int64 // wavefronts with checkpoints, in O(s) memory
	Banded       int64 // certified banded dynamic programming; all pairs of models that are not plain
	Beyond       int64 // of all these, pairs whose score is Options.Cutoff or more
}

func (s *Stats) add(t Stats) {
	s.Wavefront += t.Wavefront
	s.Checkpointed += t.Checkpointed
	s.Banded += t.Banded
	s.Beyond += t.Beyond
}
