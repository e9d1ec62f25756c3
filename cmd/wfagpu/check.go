package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/cigar"
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

// checker is the pipeline's inspection with --check: every CIGAR must turn its place in the
// query into that in the target, the span must allow the place, and the CIGAR must be worth
// the score.
type checker struct {
	model  align.Model
	values cigar.Values
	// tracer is set in score-only mode, where there are no CIGARs: it aligns
	// every pair again with a CIGAR, and the two scores must agree.
	tracer *again
	// bounds says that the scores without a CIGAR are bounds, those of the approximate
	// mode. Its alignments are sometimes better than their score, and never worse.
	bounds bool
	// cutoff is the least score that is not reported, 0 for none. scorer is set with a
	// cutoff and CIGARs: it aligns the pairs beyond the cutoff without one.
	cutoff int
	scorer aligner
}

func (c *checker) inspect(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
	if c.tracer == nil {
		dst = c.compare(b, b, dst)
		if c.scorer == nil {
			return dst, nil
		}
		return c.beyond(ctx, b, dst)
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

// beyond checks that the pairs of b beyond the cutoff are.
func (c *checker) beyond(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
	second := &align.Batch{First: b.First}
	var at []int
	for i := range b.Results {
		if r := &b.Results[i]; r.Err == nil && r.Score == align.Beyond {
			second.Pairs = append(second.Pairs, b.Pairs[i])
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return dst, nil
	}
	if err := c.scorer.AlignBatch(ctx, second); err != nil {
		return dst, err
	}
	for j, i := range at {
		r := &second.Results[j]
		err := r.Err
		if err == nil {
			err = c.isBeyond(r.Score)
		}
		if err != nil {
			dst = append(dst, pairProblem{record: b.First + int64(i), err: err, mismatch: true})
		}
	}
	slices.SortFunc(dst, func(a, b pairProblem) int { return cmp.Compare(a.record, b.record) })
	return dst, nil
}

// isBeyond checks the optimal score of a pair that is reported as beyond the cutoff.
func (c *checker) isBeyond(score int) error {
	if score < c.cutoff {
		return fmt.Errorf("reported above the largest distance %d, but the score is %d", c.cutoff-1, score)
	}
	return nil
}

// pair checks a reported score by a result that has a CIGAR.
func (c *checker) pair(p *align.Pair, score int, proof *align.Result) error {
	if proof.Err != nil {
		return proof.Err
	}
	switch {
	case c.cutoff == 0:
	case score == align.Beyond && c.tracer == nil:
		return nil // there is no CIGAR: see beyond
	case score == align.Beyond:
		return c.isBeyond(proof.Score)
	case score >= c.cutoff:
		return fmt.Errorf("score %d is above the largest distance %d", score, c.cutoff-1)
	}
	at := proof.Place
	if !c.model.Allows(at, len(p.Pattern), len(p.Text)) {
		return fmt.Errorf("the span does not allow an alignment of the query from %d to %d with the target from %d to %d",
			at.PatternBegin, at.PatternEnd, at.TextBegin, at.TextEnd)
	}
	if err := proof.CIGAR.Verify(p.Pattern[at.PatternBegin:at.PatternEnd], p.Text[at.TextBegin:at.TextEnd]); err != nil {
		return err
	}
	found, err := c.values.Of(proof.CIGAR)
	if err != nil {
		return err
	}
	better := found < score
	if c.values.Match > 0 {
		better = found > score
	}
	switch {
	case found == score || c.tracer != nil && c.bounds && better:
		return nil
	case c.values.Match > 0:
		return fmt.Errorf("score %d, but the CIGAR is worth %d", score, found)
	}
	return fmt.Errorf("score %d, but the CIGAR costs %d", score, found)
}
