package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// Pairs above the first bound go on with one that their scores make likely.
func TestEstimatorAgain(t *testing.T) {
	const length = 20_000
	class := estimate.LengthClass(length)
	// A score takes longer in kernels for higher bounds.
	work := func(_ int, bound kernel.Bound) estimate.ExactPass {
		return estimate.ExactPass{Work: func(score int) float64 { return float64(bound.Score * score * 10) }, Certified: kernel.MaxBound, Most: bound.Score}
	}
	e := estimate.Estimator{UsualSlack: func(score, _ int) int { return score }, BoundingWork: func(int, int) float64 { return 0 }, Exact: work}
	e.Start(7)
	var o estimate.Observations
	for score, n := range map[int]int{60: 850, 500: 40, 550: 60, 600: 50} {
		for range n {
			o.Add(score, length, class)
		}
	}
	e.Learn(&o)
	r := e.Rates()
	if got := r[class].Bound * length; got < 60 || got > 63 {
		t.Errorf("first bound %v", got)
	}
	b := &passes.BoundRule{Penalties: align.DefaultPenalties, Limit: kernel.MaxBound, Scale: 1}
	step := align.DefaultPenalties.LongestStep()
	next := b.NextBound(&passes.Task{Pattern: length, Text: length, Class: uint8(class), Bound: 62}, r)
	if next < 600+step || next > 620+step {
		t.Errorf("the bound after 62 is %d", next)
	}
	if next = b.NextBound(&passes.Task{Pattern: length, Text: length, Class: uint8(class), Bound: int32(next), Attempts: 1}, r); next < 1200 {
		t.Errorf("the bound after that is %d", next)
	}
	if got := b.NextBound(&passes.Task{Pattern: length, Text: length, Class: uint8(class), Bound: 1000}, &estimate.Rates{}); got != 1250+step {
		t.Errorf("the bound after 1000 without scores is %d", got)
	}
}
