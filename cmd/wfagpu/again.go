package main

import (
	"context"
	"sync"

	"wfagpu/align"
)

// again aligns the pairs of a batch a second time, on another engine, so that the
// results can be compared. It is safe for concurrent use, as the engine is.
type again struct {
	engine  aligner
	batches sync.Pool // of *align.Batch
}

// align calls look with the pairs of b and their second results, which look must
// not keep.
func (a *again) align(ctx context.Context, b *align.Batch, look func(second *align.Batch)) error {
	second, ok := a.batches.Get().(*align.Batch)
	if !ok {
		second = new(align.Batch)
	}
	defer a.batches.Put(second)
	second.Pairs, second.First = b.Pairs, b.First
	if err := a.engine.AlignBatch(ctx, second); err != nil {
		return err
	}
	look(second)
	return nil
}
