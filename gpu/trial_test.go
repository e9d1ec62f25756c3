package gpu

import "testing"

// Gated passes rest when most of a good number of late ones have failed, and are tried again when many
// pairs have come.
func TestTrial(t *testing.T) {
	var x trial
	learn := func(passes, failed, pairs float64, want bool) {
		t.Helper()
		x.learn(gatedCounts{passes, failed}, pairs)
		if x.rests() != want {
			t.Errorf("after %v passes, %v of which failed: %+v, want that it rests: %v", passes, failed, x, want)
		}
	}
	learn(enoughTrials-1, enoughTrials-1, enoughTrials-1, false)
	learn(enoughTrials, 0, enoughTrials, false)
	learn(100_000, 40_000, 100_000, false)
	learn(mostTrials, mostTrials, mostTrials, true) // older ones count little
	learn(1000, 0, restTrials*mostTrials-1, true)   // from before
	learn(0, 0, 1, false)
	learn(enoughTrials, enoughTrials/2+1, enoughTrials, true)
	learn(0, 0, restTrials*enoughTrials, false)
}

// fewErrorsWork is an estimator's gatedWork of passes that align up to some score.
func fewErrorsWork(most int, perPair float64) func(int) func(int) (float64, bool) {
	return func(int) func(int) (float64, bool) {
		return func(score int) (float64, bool) { return perPair, score <= most }
	}
}

// Gated passes come first where they are expected to take less work, with those that follow.
func TestEstimatorGated(t *testing.T) {
	const length = 10_000
	class := lengthClass(length)
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
		{"too few to go by", map[int]int{200: enough - 1}, 50_000, false},
	} {
		e := estimator{boundingWork: noBounding, exactWork: wavefrontWork, gatedWork: fewErrorsWork(500, tc.perPair)}
		e.start(0.1)
		var o observations
		for score, n := range tc.scores {
			for range n {
				o.add(score, length, class)
			}
		}
		e.learn(&o)
		r := e.rates()
		if r[class].gated != tc.want {
			t.Errorf("%s: %+v", tc.name, r[class])
		}
		if r[class+1].gated || r[class-1].gated {
			t.Errorf("%s: gated passes of lengths without scores", tc.name)
		}
	}
}

// Passes that follow a gated one are those that pairs would take without it, and pairs that wait are given
// others when gated passes begin to rest.
func TestEstimatorGatedRests(t *testing.T) {
	const length = 10_000
	class := lengthClass(length)
	learned := func(e *estimator, pairs, passes int, failed float64) rate {
		var o observations
		for i := range pairs {
			o.add(300+i%20, length, class)
		}
		o.tried(class, passes)
		o.gated[class].failed = failed
		e.learn(&o)
		return e.rates()[class]
	}
	without := estimator{boundingWork: noBounding, exactWork: wavefrontWork}
	with := estimator{boundingWork: noBounding, exactWork: wavefrontWork, gatedWork: fewErrorsWork(500, 50_000)}
	without.start(0.1)
	with.start(0.1)
	want, got := learned(&without, 1000, 0, 0), learned(&with, 1000, 0, 0)
	if want.gated = true; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := learned(&with, 200, 200, 90); again != got {
		t.Errorf("with passes that mostly work out: %+v, before %+v", again, got)
	}
	rests := learned(&with, 200, 200, 190)
	if rests.gated || rests.version == got.version || rests.bound != got.bound {
		t.Errorf("with passes that fail: %+v, before %+v", rests, got)
	}
	if again := learned(&with, restTrials*400-1, 0, 0); again != rests {
		t.Errorf("while they rest: %+v, before %+v", again, rests)
	}
	learned(&with, 1, 0, 0)
	if again := learned(&with, 2000, 0, 0); !again.gated {
		t.Errorf("after that: %+v", again)
	}
}

// Pairs that wait with the rates of shorter ones are given gated passes when their own scores are known.
func TestEstimatorGatedVersions(t *testing.T) {
	const length = 10_000
	class := lengthClass(length)
	e := estimator{boundingWork: noBounding, exactWork: wavefrontWork, gatedWork: fewErrorsWork(500, 10_000)}
	e.start(0.1)
	learn := func(length int) rate {
		var o observations
		for range 500 {
			o.add(3*length/100, length, lengthClass(length))
		}
		e.learn(&o)
		return e.rates()[class]
	}
	before := learn(length / 2)
	after := learn(length)
	if before.gated || !after.gated || after.bound != before.bound || after.version == before.version {
		t.Errorf("%+v, then %+v", before, after)
	}
}
