package gpu

import (
	"sync/atomic"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// The share of passes that fail is 0 before enough are counted, and old ones fade.
func TestPassCounts(t *testing.T) {
	var c passCounts
	for _, tc := range []struct {
		tried, failed float64
		least, most   float32
	}{
		{enoughSlacks - 1, enoughSlacks - 1, 0, 0}, {1, 0, 31. / 32, 31. / 32}, {mostSlackPasses - enoughSlacks, 0, 0.03, 0.031},
		{mostSlackPasses, mostSlackPasses, 0.5, 0.52}, {100 * mostSlackPasses, 0, 0, 0.01},
	} {
		c.add(passCounts{tc.tried, tc.failed}, mostSlackPasses)
		if got := float32(c.share(enoughSlacks)); got < tc.least || got > tc.most {
			t.Errorf("after %+v: %v", tc, got)
		}
	}
}

// Rates tell which passes for told slacks fail, by length class and rate of the score, and count each once.
func TestSlackFailsByRate(t *testing.T) {
	e := estimator{usualSlack: mostSlack, boundingWork: noBounding, exact: wavefronts}
	e.start(0.2)
	o := &observations{}
	for i := range 40 {
		o.slackPass(toldSlack, 100, 700, 9, i%4 != 0)
		o.slackPass(toldSlack, 200, 700, 9, false)
		o.slackPass(toldSlack, 100, 1400, 10, i%2 == 0)
	}
	before := e.rates()
	for range 3 {
		e.learn(o)
		o.slackPass(toldSlack, 400, 700, 9, true) // too few of that rate
	}
	for class, r := range e.rates() {
		for rate, got := range r.slackFails[toldSlack] {
			want := map[[2]int]float32{{9, toldRate}: 0.75, {10, slackRate(100, 1400)}: 0.5}[[2]int{class, rate}]
			if got != want {
				t.Errorf("class %d, rate %d: %v, want %v", class, rate, got, want)
			}
		}
	}
	if c := e.seen[9].passes[toldSlack][toldRate]; c != (passCounts{40, 30}) || before == e.rates() {
		t.Errorf("%+v", c)
	}
}

// Passes for told slacks are tried again when many pairs have come since they failed.
func TestSlackFailsAreForgotten(t *testing.T) {
	e := estimator{usualSlack: mostSlack, boundingWork: noBounding, exact: wavefronts}
	e.start(0.2)
	o := &observations{}
	for range mostSlackPasses {
		o.slackPass(toldSlack, 100, 700, 9, true)
	}
	e.learn(o)
	pairs := 0
	for ; e.rates()[9].slackFails[toldSlack][toldRate] == 1 && pairs < 100*most; pairs += most / 4 {
		o.addFor(most/4, 100, 700, 9)
		e.learn(o)
	}
	if pairs < 2*most || pairs > 4*most || e.rates()[9].slackFails[toldSlack][toldRate] != 0 {
		t.Errorf("%v after %d pairs", e.rates()[9].slackFails[toldSlack][toldRate], pairs)
	}
}

// A decoder counts passes for slacks with an upper bound of the score by what tells the slack, and
// those that tell more slack as failed. Others are not counted, and neither is a score above the
// limit a failure.
func TestSlackPassesDecoded(t *testing.T) {
	p, r := within231(t, 0.2)
	p.scoreOnly = true
	const length, score = 6000, 1800
	class := lengthClass(length + 100)
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
	var want slackPasses
	want[toldSlack][slackRate(score, length)] = passCounts{4, 1}
	want[likelySlack][slackRate(score, length)] = passCounts{2, 1}
	for i, passes := range d.seen.passes {
		if (passes != nil) != (i == class) || passes != nil && *passes != want {
			t.Errorf("class %d: %+v", i, passes)
		}
	}
	if !d.seen.any[class] {
		t.Error("nothing is learned from the class")
	}
}
