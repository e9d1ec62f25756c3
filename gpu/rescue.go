package gpu

import (
	"context"
	"errors"
	"sync"

	"wfagpu/align"
)

// Aligner is an engine that finishes what a GPU could not.
type Aligner interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}

// Rescue aligns on a GPU and passes the pairs that it leaves Unfinished to
// another engine. It is an engine itself, safe for concurrent use as both of
// them are.
//
// A batch larger than a few loads is worked on in parts, so that the other
// engine is at work on one part while the GPU is on the next.
type Rescue struct {
	GPU   *Engine
	Other Aligner
}

// rescueLetters is the size of a part.
const rescueLetters = 4 * laneLetters

// AlignBatch fills b.Results[i] for every b.Pairs[i]. The error is that of the
// engine that failed first.
func (r *Rescue) AlignBatch(ctx context.Context, b *align.Batch) error {
	b.PrepareResults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	// Two on the GPU's side to keep it busy, and what is being rescued.
	places := make(chan struct{}, 4)
	for from := 0; from < len(b.Pairs) && ctx.Err() == nil; {
		to, letters := from, 0
		for ; to < len(b.Pairs) && (letters < rescueLetters || to == from); to++ {
			letters += len(b.Pairs[to].Pattern) + len(b.Pairs[to].Text)
		}
		part := &align.Batch{Pairs: b.Pairs[from:to], Results: b.Results[from:to:to], First: b.First + int64(from)}
		from = to
		places <- struct{}{}
		wg.Go(func() {
			defer func() { <-places }()
			if err := r.part(ctx, part); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

func (r *Rescue) part(ctx context.Context, b *align.Batch) error {
	if err := r.GPU.alignPrepared(ctx, b); err != nil {
		return err
	}
	var rest align.Batch
	var at []int
	for i := range b.Results {
		var u Unfinished
		if b.Results[i].Err != nil && errors.As(b.Results[i].Err, &u) {
			rest.Pairs = append(rest.Pairs, b.Pairs[i])
			rest.Results = append(rest.Results, align.Result{CIGAR: b.Results[i].CIGAR})
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	if err := r.Other.AlignBatch(ctx, &rest); err != nil {
		return err
	}
	for j, i := range at {
		b.Results[i] = rest.Results[j]
	}
	return nil
}
