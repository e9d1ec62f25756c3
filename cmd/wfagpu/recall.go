package main

import (
	"context"
	"fmt"
	"sync"

	"wfagpu/align"
	"wfagpu/cmd/wfagpu/internal/tally"
	"wfagpu/gpu/hybrid"
)

// recaller implements --recall: it aligns every pair exactly as well, and compares
// the approximate scores. Pairs are counted as they are aligned, so that an
// interrupted run may count more than it wrote.
type recaller struct {
	again
	exact   *hybrid.Engine
	similar bool // scores are similarities

	mu    sync.Mutex
	tally recallTally
}

// recallTally compares scores with optima. It does not depend on the order of the
// pairs.
type recallTally struct {
	pairs, optimal   int64
	excesses, optima int64      // sums
	largest          int        // excess of one score
	excess           tally.Hist // of the scores that are not optimal
}

// openRecaller opens an engine of the exact mode on the devices of the run, whose
// engine has these options.
func openRecaller(ctx context.Context, run hybrid.Options) (*recaller, error) {
	run.CPU.Approx, run.CPU.ScoreOnly, run.Ready = nil, true, nil
	exact, err := openEngine(ctx, run)
	if err != nil {
		return nil, err
	}
	return &recaller{again: again{engine: exact}, exact: exact, similar: run.CPU.Match > 0}, nil
}

// noteRecall says where pairs are aligned exactly, if that is not where the run
// aligns.
func (c *console) noteRecall(run, exact hybrid.Status) {
	if gpuNames(exact.GPUs) != gpuNames(run.GPUs) {
		c.notice("--recall: aligning exactly on %s", engineText(exact))
	}
}

// after is inspect, and the comparison after it.
func (r *recaller) after(inspect inspectFunc) inspectFunc {
	return func(ctx context.Context, b *align.Batch, dst []pairProblem) ([]pairProblem, error) {
		dst, err := inspect(ctx, b, dst)
		if err != nil {
			return dst, err
		}
		return dst, r.compare(ctx, b)
	}
}

// compare adds a batch to the tally.
func (r *recaller) compare(ctx context.Context, b *align.Batch) error {
	var t recallTally
	var below error
	err := r.align(ctx, b, func(exact *align.Batch) { below = t.addBatch(b, exact, r.similar) })
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tally.join(&t)
	return below
}

// addBatch compares the results of b with those of exact. The excess of a score is by
// what it is worse than the optimum: higher, or lower if scores are similarities. One that
// is better is an error of one of the engines, after which no result is trustworthy.
func (t *recallTally) addBatch(b, exact *align.Batch, similar bool) error {
	for i := range b.Results {
		result, best := &b.Results[i], &exact.Results[i]
		if result.Err != nil || best.Err != nil {
			continue
		}
		excess, side := result.Score-best.Score, "below"
		if similar {
			excess, side = -excess, "above"
		}
		if excess < 0 {
			return fmt.Errorf("internal error: pair %d: the approximate score %d is %s the exact one, %d",
				b.First+int64(i), result.Score, side, best.Score)
		}
		t.add(excess, best.Score)
	}
	return nil
}

func (t *recallTally) add(excess, optimum int) {
	t.pairs++
	if excess == 0 {
		t.optimal++
	} else {
		t.excess.Add(excess)
	}
	t.excesses += int64(excess)
	t.optima += int64(optimum)
	t.largest = max(t.largest, excess)
}

func (t *recallTally) join(u *recallTally) {
	t.pairs += u.pairs
	t.optimal += u.optimal
	t.excesses += u.excesses
	t.optima += u.optima
	t.largest = max(t.largest, u.largest)
	t.excess.Join(&u.excess)
}

// report is the comparison of all pairs so far.
func (r *recaller) report() *reportRecall {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &r.tally
	return &reportRecall{
		Pairs:         t.pairs,
		Optimal:       t.optimal,
		Percent:       percent(t.optimal, t.pairs),
		ExcessPercent: percent(t.excesses, t.optima),
		LargestExcess: t.largest,
	}
}

// percent is part in percent of whole, and 0 if whole is not above 0: JSON has no NaN,
// and the similarities of unrelated pairs may add up to less.
func percent(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}
