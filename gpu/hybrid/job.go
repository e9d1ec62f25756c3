package hybrid

import (
	"context"
	"errors"

	"wfagpu/align"
)

// job is a batch on its way through a team. The team's lock guards its fields.
type job struct {
	batch *align.Batch
	work  float64
	bases int // of the batch, or about that many
	// given receives the first member that takes the job. It is closed if none
	// will.
	given chan *member
	// ctx ends when the batch is aligned, so that nobody goes on with it.
	ctx    context.Context
	cancel context.CancelCauseFunc

	takers []*member     // at most two: one that took it, and one that races for it
	early  bool          // the first one took it before the GPUs had joined
	copied *align.Batch  // for the race, nil without one
	raced  chan struct{} // closed when the member that raced has returned
	over   bool          // a member has aligned it, or has failed
	err    error
	// winner has the results: batch or copied.
	winner *align.Batch
}

// errOver ends the attempts at a job that another member has finished.
var errOver = errors.New("hybrid: another engine has aligned the batch")

func newJob(ctx context.Context, b *align.Batch, work float64, bases int) *job {
	j := &job{batch: b, work: work, bases: bases, given: make(chan *member, 1)}
	j.ctx, j.cancel = context.WithCancelCause(ctx)
	return j
}
