package estimate

import (
	"testing"
)

// The share of passes that fail is 0 before enough are counted, and old ones fade.
func TestPassCounts(t *testing.T) {
	var c PassCounts
	for _, tc := range []struct {
		tried, failed float64
		least, most   float32
	}{
		{enoughSlacks - 1, enoughSlacks - 1, 0, 0}, {1, 0, 31. / 32, 31. / 32}, {mostSlackPasses - enoughSlacks, 0, 0.03, 0.031},
		{mostSlackPasses, mostSlackPasses, 0.5, 0.52}, {100 * mostSlackPasses, 0, 0, 0.01},
	} {
		c.add(PassCounts{tc.tried, tc.failed}, mostSlackPasses)
		if got := float32(c.share(enoughSlacks)); got < tc.least || got > tc.most {
			t.Errorf("after %+v: %v", tc, got)
		}
	}
}

// Rates tell which passes for told slacks fail, by length class and rate of the score, and count each once.
func TestSlackFailsByRate(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.2)
	o := &Observations{}
	for i := range 40 {
		o.SlackPass(ToldSlack, 100, 700, 9, i%4 != 0)
		o.SlackPass(ToldSlack, 200, 700, 9, false)
		o.SlackPass(ToldSlack, 100, 1400, 10, i%2 == 0)
	}
	before := e.Rates()
	for range 3 {
		e.Learn(o)
		o.SlackPass(ToldSlack, 400, 700, 9, true) // too few of that rate
	}
	for class, r := range e.Rates() {
		for rate, got := range r.SlackFails[ToldSlack] {
			want := map[[2]int]float32{{9, toldRate}: 0.75, {10, SlackRate(100, 1400)}: 0.5}[[2]int{class, rate}]
			if got != want {
				t.Errorf("class %d, rate %d: %v, want %v", class, rate, got, want)
			}
		}
	}
	if c := e.of(9).passes[ToldSlack][toldRate]; c != (PassCounts{40, 30}) || before == e.Rates() {
		t.Errorf("%+v", c)
	}
}

// However many pairs come, the share of passes for told slacks that fail stays known, and follows what the few that are
// tried show.
func TestSlackFailsAreKept(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.2)
	share := func() float32 { return e.Rates()[9].SlackFails[ToldSlack][toldRate] }
	o := &Observations{}
	for range mostSlackPasses {
		o.SlackPass(ToldSlack, 100, 700, 9, true)
	}
	for range 100 {
		o.AddFor(most/4, 100, 700, 9)
		if e.Learn(o); share() != 1 {
			t.Fatalf("%v", share())
		}
	}
	for range mostSlackPasses {
		o.SlackPass(ToldSlack, 100, 700, 9, false)
		e.Learn(o)
	}
	if share() > 0.5 {
		t.Errorf("%v", share())
	}
}
