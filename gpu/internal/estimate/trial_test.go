package estimate

import (
	"slices"
	"testing"
)

// Gated passes rest when most of a good number of late ones have failed, and are tried again when many
// pairs have come.
func TestTrial(t *testing.T) {
	var x trial
	learn := func(passes, failed, pairs float64, want bool) {
		t.Helper()
		x.learn(PassCounts{passes, failed}, pairs)
		if x.rests() != want {
			t.Errorf("after %v passes, %v of which failed: %+v, want that it rests: %v", passes, failed, x, want)
		}
	}
	learn(EnoughTrials-1, EnoughTrials-1, EnoughTrials-1, false)
	learn(EnoughTrials, 0, EnoughTrials, false)
	learn(100_000, 40_000, 100_000, false)
	learn(mostTrials, mostTrials, mostTrials, true) // older ones count little
	learn(1000, 0, restTrials*mostTrials-1, true)   // from before
	learn(0, 0, 1, false)
	learn(EnoughTrials, EnoughTrials/2+1, EnoughTrials, true)
	learn(0, 0, restTrials*EnoughTrials, false)
	// Those that were on their way when the rest began are a part of the trial, whose rest is as much longer.
	learn(EnoughTrials, EnoughTrials, EnoughTrials, true)
	learn(5000, 4000, restTrials*EnoughTrials, true)
	learn(0, 0, restTrials*5000-1, true)
	learn(0, 0, 1, false)
}

// fewErrorsWork is an estimator's gatedWork of passes that align up to some score.
func fewErrorsWork(most int, perPair float64) func(int, int) func(int) (float64, bool) {
	return func(int, int) func(int) (float64, bool) {
		return func(score int) (float64, bool) { return perPair, score <= most }
	}
}

// Gated passes come first where they are expected to take less work, with those that follow.
func TestEstimatorGated(t *testing.T) {
	const length = 10_000
	class := LengthClass(length)
	for _, tc := range []struct {
		name    string
		scores  map[int]int
		perPair float64
		want    bool
	}{
		{"few errors", map[int]int{200: 900, 300: 100}, 50_000, true},
		{"few errors, much work", map[int]int{200: 900, 300: 100}, 500_000, false},
		{"a few of many errors", map[int]int{200: 900, 3000: 100}, 50_000, true},
		{"many errors", map[int]int{2000: 900, 3000: 100}, 50_000, false},
		{"too few to go by", map[int]int{200: Enough - 1}, 50_000, false},
	} {
		e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts, GatedWork: fewErrorsWork(500, tc.perPair)}
		e.Start(0.1)
		var o Observations
		for score, n := range tc.scores {
			for range n {
				o.Add(score, length, class)
			}
		}
		e.Learn(&o)
		r := e.Rates()
		if r[class].Gated != tc.want {
			t.Errorf("%s: %+v", tc.name, r[class])
		}
		if r[class+1].Gated != tc.want || r[class-1].Gated {
			t.Errorf("%s: lengths without scores: %+v, %+v", tc.name, r[class+1], r[class-1])
		}
	}
}

// Passes that follow a gated one are those that pairs would take without it, and pairs that wait are given
// others when gated passes begin to rest.
func TestEstimatorGatedRests(t *testing.T) {
	const length = 10_000
	class := LengthClass(length)
	learned := func(e *Estimator, pairs, passes int, failed float64) Rate {
		var o Observations
		for i := range pairs {
			o.Add(300+i%20, length, class)
		}
		o.Tried(class, passes)
		o.Gated[class].Failed = failed
		e.Learn(&o)
		return e.Rates()[class]
	}
	without := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	with := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts, GatedWork: fewErrorsWork(500, 50_000)}
	without.Start(0.1)
	with.Start(0.1)
	want, got := learned(&without, 1000, 0, 0), learned(&with, 1000, 0, 0)
	if want.Gated = true; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := learned(&with, 200, 200, 90); again != got {
		t.Errorf("with passes that mostly work out: %+v, before %+v", again, got)
	}
	rests := learned(&with, 200, 200, 190)
	if rests.Gated || rests.Version == got.Version || rests.Bound != got.Bound {
		t.Errorf("with passes that fail: %+v, before %+v", rests, got)
	}
	if again := learned(&with, restTrials*400-1, 0, 0); again != rests {
		t.Errorf("while they rest: %+v, before %+v", again, rests)
	}
	learned(&with, 1, 0, 0)
	if again := learned(&with, 2000, 0, 0); !again.Gated {
		t.Errorf("after that: %+v", again)
	}
}

// Gated passes that save little end when some of them fail, and those that save much go on.
func TestEstimatorGatedFails(t *testing.T) {
	const length = 10_000
	class := LengthClass(length)
	for _, tc := range []struct {
		perPair, failed float64
		want            bool
	}{{140_000, 0, true}, {140_000, 0.05, true}, {140_000, 0.45, false}, {20_000, 0.45, true}} {
		e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts, GatedWork: fewErrorsWork(500, tc.perPair)}
		e.Start(0.1)
		for range 3 {
			var o Observations
			for i := range 1000 {
				o.Add(300+i%20, length, class)
			}
			o.Tried(class, 1000)
			o.Gated[class].Failed = 1000 * tc.failed
			e.Learn(&o)
		}
		if r := e.Rates()[class]; r.Gated != tc.want {
			t.Errorf("%+v: %+v", tc, r)
		}
	}
}

// Pairs that wait with the rates of shorter ones are given gated passes when their own scores are known.
func TestEstimatorGatedVersions(t *testing.T) {
	const length = 10_000
	class := LengthClass(length)
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts, GatedWork: fewErrorsWork(500, 100_000)}
	e.Start(0.1)
	learn := func(length int) Rate {
		var o Observations
		for range 500 {
			o.Add(3*length/100, length, LengthClass(length))
		}
		e.Learn(&o)
		return e.Rates()[class]
	}
	before := learn(length / 2)
	after := learn(length)
	if before.Gated || !after.Gated || after.Bound != before.Bound || after.Version == before.Version {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// Long pairs of lengths without enough scores take gated passes where shorter ones do, until those of their
// own or those of the shorter ones fail, or their own scores are known.
func TestEstimatorGatedUnseenLengths(t *testing.T) {
	const length = 10_000
	class, long, longer := LengthClass(length), LengthClass(100_000), LengthClass(1_000_000)
	e := Estimator{UsualSlack: mostSlack, BoundingWork: func(int, int) float64 { return 724 }, Exact: wavefronts, GatedWork: fewErrorsWork(3000, 50_000)}
	e.Start(0.1)
	learn := func(scores, score, length, passes int, failed float64) Rates {
		var o Observations
		for range scores {
			o.Add(score, length, LengthClass(length))
		}
		o.Tried(LengthClass(length), passes)
		o.Gated[LengthClass(length)].Failed = failed
		e.Learn(&o)
		return *e.Rates()
	}
	want := func(what string, r Rates, classes ...int) {
		t.Helper()
		for i := range r {
			if r[i].Gated != slices.Contains(classes, i) && (i == class || i == long || i == longer) {
				t.Errorf("%s: class %d: %+v", what, i, r[i])
			}
		}
	}
	want("no scores", *e.Rates())
	known := learn(500, 300, length, 0, 0)
	want("shorter scores", known, class, long, longer)
	if r := known[longer]; !r.Bounding {
		t.Errorf("passes that follow: %+v", r)
	}
	few := learn(50, 3000, 100_000, 60, 20)
	want("few scores of their own", few, class, long, longer)
	if few[long].Version != known[long].Version {
		t.Errorf("%+v, then %+v", known[long], few[long])
	}
	fails := learn(0, 0, 1_000_000, 200, 190)
	want("passes that fail", fails, class, long)
	if fails[longer].Version == few[longer].Version || fails[long].Version != few[long].Version || !fails[longer].Bounding {
		t.Errorf("%+v, then %+v", few[longer], fails[longer])
	}
	want("scores of their own", learn(200, 20_000, 100_000, 0, 0), class)
	learn(200, 1000, 100_000, 0, 0)
	want("shorter passes that fail", learn(100, 300, length, 200, 190))
}
