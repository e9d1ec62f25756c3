package main

import (
	"context"
	"sync"

	"wfagpu/align"
)

// again aligns the pairs of batches a second time, on an engine of its own, so
// that the results can be compared. It is safe for concurrent use, as the
// engine is.
type again struct {
	engine  aligner
	batches sync.Pool // of *align.Batch
}

// align passes the pairs of b with their second results to look, which must not
// keep them.
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
