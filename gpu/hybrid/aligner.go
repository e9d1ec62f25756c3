package hybrid

import (
	"context"

	"wfagpu/align"
)

// Aligner is an engine. AlignBatch fills b.Results[i] for every b.Pairs[i]. Calls
// may run concurrently, each on its own batch. A pair that cannot be aligned
// carries its own Result.Err; a returned error means that the engine is broken
// or ctx was cancelled.
type Aligner interface {
	AlignBatch(ctx context.Context, b *align.Batch) error
}
