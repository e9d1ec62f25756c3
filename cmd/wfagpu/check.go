package main

import (
	"context"
	"fmt"

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

// checker is the pipeline's inspection with --check: every CIGAR must turn the query
// into the target, and its cost must equal the score.
type checker struct {
	penalties align.Penalties
	// tracer is set in score-only mode, where there are no CIGARs: it aligns
	// every pair again with a CIGAR, and the two scores must agree.
	tracer *again
	// bounds says that the scores without a CIGAR are upper bounds, those of the
	// approximate mode. Its alignments sometimes cost less than their score, and
	// never more.
	bounds bool
}

func (c *checker) inspect(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
	if c.tracer == nil {
		return c.compare(b, b, dst), nil
	}
	err := c.tracer.align(ctx, b, func(traced *align.Batch) { dst = c.compare(b, traced, dst) })
	return dst, err
}

// compare checks the scores of b by the alignments in proof.
func (c *checker) compare(b, proof *align.Batch, dst []pairProblem) []pairProblem {
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
	return dst
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
	if c.tracer != nil && c.bounds && cost < score {
		return nil
	}
	if cost != score {
		return fmt.Errorf("score %d, but the CIGAR costs %d", score, cost)
	}
	return nil
}
