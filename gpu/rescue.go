package gpu

import (
	"context"
	"slices"
	"sync"

	"wfagpu/align"
)

// Aligner is an engine that finishes what a GPU could not.
type Aligner interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}

// Rescue aligns on a GPU and passes the pairs that it leaves Unfinished to
// another engine, which works on them while the GPU goes on. It is an engine
// itself, safe for concurrent use as both of them are.
type Rescue struct {
	GPU   *Engine
	Other Aligner
}

// AlignBatch fills b.Results[i] for every b.Pairs[i]. The error is that of the
// engine that failed first.
func (r *Rescue) AlignBatch(ctx context.Context, b *align.Batch) error {
	outer := ctx
	ctx, cancel := context.WithCancelCause(outer)
	defer cancel(nil)
	var wg sync.WaitGroup
	err := r.GPU.align(ctx, b, func(pairs []int32) {
		pairs = slices.Clone(pairs)
		wg.Go(func() {
			if err := r.rescue(ctx, b, pairs); err != nil {
				cancel(err)
			}
		})
	})
	if err != nil {
		cancel(err)
	}
	wg.Wait()
	return firstError(outer, ctx)
}

// rescue aligns some of a batch's pairs on the other engine. Nobody else
// touches their results.
func (r *Rescue) rescue(ctx context.Context, b *align.Batch, pairs []int32) error {
	var rest align.Batch
	for _, i := range pairs {
		rest.Pairs = append(rest.Pairs, b.Pairs[i])
		rest.Results = append(rest.Results, align.Result{CIGAR: b.Results[i].CIGAR})
	}
	if err := r.Other.AlignBatch(ctx, &rest); err != nil {
		return err
	}
	for j, i := range pairs {
		b.Results[i] = rest.Results[j]
	}
	return nil
}
