package main

import (
	"context"
	"io"

	seqio "wfagpu/io"
)

// openInput opens the input, which reads its first bytes to tell the format;
// on a silent pipe that can block for ever, and must not hold up an interrupt.
func openInput(ctx context.Context, opts *alignOptions, stdin io.Reader) (*seqio.Reader, error) {
	type opened struct {
		reader *seqio.Reader
		err    error
	}
	ch := make(chan opened, 1)
	go func() {
		r, err := seqio.Open(opts.inputs, stdin, seqio.Limits{Bases: opts.batchBases, Pairs: maxBatchPairs})
		ch <- opened{r, err}
	}()
	select {
	case o := <-ch:
		if o.err != nil {
			return nil, inputFailure(o.err)
		}
		return o.reader, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
