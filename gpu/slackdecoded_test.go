package gpu

import (
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/passes"
)

// A decoder counts passes for slacks with an upper bound of the score by what tells the slack, and
// those that tell more slack as failed. Others are not counted, and neither is a score above the
// limit a failure.
func TestSlackPassesDecoded(t *testing.T) {
	p, r := within231(t, 0.2)
	p.ScoreOnly = true
	const length, score = 6000, 1800
	class := estimate.LengthClass(length + 100)
	fails := abi.Result{Score: -1, Cigar: score, CigarLength: 1000}
	beyond, aligned := abi.Result{Score: -1, Cigar: score}, abi.Result{Score: score - 10}
	var tasks []passes.Task
	var results []abi.Result
	for _, pass := range []struct {
		attempts uint8
		abi.Result
	}{{passes.SlackTold, aligned}, {passes.SlackTold, aligned}, {passes.SlackTold, fails}, {passes.SlackTold, beyond}, {passes.Exceeded, fails}, {0, fails}, {passes.Certain, aligned}, {passes.Certain, fails}} {
		tasks = append(tasks, passes.Task{
			Pattern: length, Text: length + 100, Class: uint8(class), Bound: score, Kernel: uint8(kernelOf(p, "gotoh_free")),
			Attempts: pass.attempts, Index: int32(len(tasks)),
		})
		results = append(results, pass.Result)
	}
	p.Limit = score // which all but those aligned exceed
	b := &align.Batch{Pairs: make([]align.Pair, len(tasks)), Results: make([]align.Result, len(tasks))}
	d := &decoder{followUp: followUp{policy: p}, assembler: &assembler{policy: p}}
	d.begin(r, nil)
	l := &launch{Key: p.Key(&tasks[0]), parts: []block{{load: &load{call: &call{batch: b, ended: &atomic.Bool{}}}, tasks: tasks}}}
	if err := d.decode(l, results, nil); err != nil {
		t.Fatal(err)
	}
	var want estimate.SlackPasses
	want[estimate.ToldSlack][estimate.SlackRate(score, length)] = estimate.PassCounts{Passes: 4, Failed: 1}
	want[estimate.LikelySlack][estimate.SlackRate(score, length)] = estimate.PassCounts{Passes: 2, Failed: 1}
	for i, counted := range d.seen.Passes {
		if (counted != nil) != (i == class) || counted != nil && *counted != want {
			t.Errorf("class %d: %+v", i, counted)
		}
	}
	if !d.seen.Any[class] {
		t.Error("nothing is learned from the class")
	}
}
