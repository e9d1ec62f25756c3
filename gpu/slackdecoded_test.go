package gpu

import (
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/estimate"
)

// A decoder counts passes for slacks with an upper bound of the score by what tells the slack, and
// those that tell more slack as failed. Others are not counted, and neither is a score above the
// limit a failure.
func TestSlackPassesDecoded(t *testing.T) {
	p, r := within231(t, 0.2)
	p.scoreOnly = true
	const length, score = 6000, 1800
	class := estimate.LengthClass(length + 100)
	fails := abi.Result{Score: -1, Cigar: score, CigarLength: 1000}
	beyond, aligned := abi.Result{Score: -1, Cigar: score}, abi.Result{Score: score - 10}
	var tasks []task
	var results []abi.Result
	for _, pass := range []struct {
		attempts uint8
		abi.Result
	}{{slackTold, aligned}, {slackTold, aligned}, {slackTold, fails}, {slackTold, beyond}, {exceeded, fails}, {0, fails}, {certain, aligned}, {certain, fails}} {
		tasks = append(tasks, task{
			pattern: length, text: length + 100, class: uint8(class), bound: score, kernel: uint8(kernelOf(p, "gotoh_free")),
			attempts: pass.attempts, index: int32(len(tasks)),
		})
		results = append(results, pass.Result)
	}
	p.limit = score // which all but those aligned exceed
	b := &align.Batch{Pairs: make([]align.Pair, len(tasks)), Results: make([]align.Result, len(tasks))}
	d := &decoder{followUp: followUp{policy: p}, assembler: &assembler{policy: p}}
	d.begin(r, nil)
	l := &launch{key: tasks[0].key(), parts: []block{{load: &load{call: &call{batch: b, ended: &atomic.Bool{}}}, tasks: tasks}}}
	if err := d.decode(l, results, nil); err != nil {
		t.Fatal(err)
	}
	var want estimate.SlackPasses
	want[estimate.ToldSlack][estimate.SlackRate(score, length)] = estimate.PassCounts{Passes: 4, Failed: 1}
	want[estimate.LikelySlack][estimate.SlackRate(score, length)] = estimate.PassCounts{Passes: 2, Failed: 1}
	for i, passes := range d.seen.Passes {
		if (passes != nil) != (i == class) || passes != nil && *passes != want {
			t.Errorf("class %d: %+v", i, passes)
		}
	}
	if !d.seen.Any[class] {
		t.Error("nothing is learned from the class")
	}
}
