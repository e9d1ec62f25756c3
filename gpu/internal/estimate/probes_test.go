package estimate

import "testing"

// TestProbedScores: the score of a seed is one that few pairs exceed, in classes of longer pairs, too.
func TestProbedScores(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts, PerSeed: 7}
	e.Start(0.2)
	var o Observations
	for i := range 1000 {
		o.Probed(4000+i, 1000, 12) // 4 to 5
	}
	before := e.Rates()[12].PerSeed
	e.Learn(&o)
	for class, want := range map[int]float64{11: 7, 12: 5, 14: 5} {
		if got := e.Rates()[class].PerSeed; got < want*0.97 || got > want*1.07 {
			t.Errorf("class %d: %v for a seed, want %v", class, got, want)
		}
	}
	if before != 7 {
		t.Errorf("%v for a seed before any is known", before)
	}
}

// TestSpare: bands become wider while too many passes after probes fail, and narrower while too few do.
func TestSpare(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.2)
	pass := func(failed, of int) int {
		var o Observations
		for i := range of {
			o.ProbedPass(12, i < failed)
		}
		e.Learn(&o)
		return e.Rates()[12].Spare
	}
	wide := pass(50, 100)
	if wide <= firstSpare {
		t.Errorf("%d diagonals after half of the passes have failed", wide)
	}
	if same := pass(12, 100); same != wide {
		t.Errorf("%d diagonals, and %d after as many passes have failed as should", wide, same)
	}
	last := wide
	for range 20 {
		last = pass(0, 100)
	}
	if last != leastSpare {
		t.Errorf("%d diagonals where no pass fails", last)
	}
	for range 50 {
		last = pass(100, 100)
	}
	if last != mostSpare {
		t.Errorf("%d diagonals where all passes fail", last)
	}
	if got := e.Rates()[11].Spare; got != firstSpare {
		t.Errorf("%d diagonals for shorter pairs", got)
	}
}
