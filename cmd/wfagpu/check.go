package main

import (
	"context"
	"fmt"
	"sync"

	"wfagpu/align"
)

// failures is the pipeline's inspection without --check: it reports the pairs
// that the engine could not align.
func failures(_ context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
	for i := range b.Results {
		if err := b.Results[i].Err; err != nil {
			dst = append(dst, pairProblem{record: b.First + int64(i), err: err})
		}
	}
	return dst, nil
}

// checker is the pipeline's inspection under --check: every CIGAR must turn
// the query into the target and must cost exactly the score beside it.
type checker struct {
	penalties align.Penalties
	// tracer is set in score-only mode, where there is no CIGAR to look at: it
	// aligns every pair again with one, and the two scores must agree.
	tracer aligner
	traced sync.Pool // of *align.Batch
}

func (c *checker) inspect(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
	proof := b
	if c.tracer != nil {
		traced, ok := c.traced.Get().(*align.Batch)
		if !ok {
			traced = new(align.Batch)
		}
		defer c.traced.Put(traced)
		traced.Pairs, traced.First = b.Pairs, b.First
		if err := c.tracer.AlignBatch(ctx, traced); err != nil {
			return dst, err
		}
		proof = traced
	}
	for i := range b.Results {
		problem := pairProblem{record: b.First + int64(i), err: b.Results[i].Err}
		if problem.err == nil {
			problem.err = c.pair(&b.Pairs[i], b.Results[i].Score, &proof.Results[i])
			problem.mismatch = true
		}
		if problem.err != nil {
			dst = append(dst, problem)
		}
	}
	return dst, nil
}

// pair checks a reported score by a result that has a CIGAR.
func (c *checker) pair(p *align.Pair, score int, proof *align.Result) error {
	if proof.Err != nil {
		return proof.Err
	}
	if err := proof.CIGAR.Verify(p.Pattern, p.Text); err != nil {
		return err
	}
	cost, err := proof.CIGAR.Score(c.penalties.Mismatch, c.penalties.GapOpen, c.penalties.GapExtend)
	if err != nil {
		return err
	}
	if cost != score {
		return fmt.Errorf("score %d, but the CIGAR costs %d", score, cost)
	}
	return nil
}
