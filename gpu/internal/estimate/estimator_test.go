package estimate

import (
	"math"
	"testing"

	"wfagpu/gpu/internal/kernel"
)

// noBounding is an estimator's boundingWork without bounding passes.
func noBounding(int, int) float64 { return 0 }

// withinBound is an exact pass that aligns all pairs within its bound.
func withinBound(bound kernel.Bound, work func(score int) float64) ExactPass {
	return ExactPass{work, kernel.MaxBound, bound.Score}
}

// wavefronts is an estimator's exact pass of kernels with wavefronts.
func wavefronts(_ int, bound kernel.Bound) ExactPass {
	return withinBound(bound, func(score int) float64 {
		s, b := float64(score), float64(bound.Score)
		if s > b/2 {
			return b*b/2 - (b-s)*(b-s) + 400*s
		}
		return s*s + 400*s
	})
}

func learned(scores map[int]int, length int) float64 {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(7)
	var o Observations
	for score, n := range scores {
		for range n {
			o.Add(score, length, LengthClass(length))
		}
	}
	e.Learn(&o)
	return e.Rates()[LengthClass(length)].Bound * float64(length)
}

// Scores that are close together are all worth one pass; a few far above the
// others are not.
func TestEstimatorBounds(t *testing.T) {
	for _, tc := range []struct {
		name     string
		scores   map[int]int
		min, max float64
	}{
		{"all alike", map[int]int{3000: 1000}, 3000, 3100},
		{"close together", map[int]int{2800: 300, 3000: 400, 3200: 300}, 3200, 3310},
		{"a few far away", map[int]int{3000: 990, 30_000: 10}, 3000, 3100},
		{"halves", map[int]int{3000: 500, 3600: 500}, 3600, 3720},
		{"low, with a tail", map[int]int{10: 900, 40: 80, 80: 20}, 80, 83},
		{"too few to go by", map[int]int{3000: Enough - 1}, 70_000, 70_000},
	} {
		if got := learned(tc.scores, 10_000); got < tc.min || got > tc.max {
			t.Errorf("%s: score bound %v, want %v to %v", tc.name, got, tc.min, tc.max)
		}
	}
}

// A bin's upper end is above all rates in it and below those in the next.
func TestRateBins(t *testing.T) {
	for score := 1; score < 5000; score += 7 {
		for _, length := range []int{1, 150, 1000, 77_777} {
			rate := float64(score) / float64(length)
			bin := RateBin(score, length)
			if bin == 0 || bin == rateBins-1 {
				continue
			}
			if above := rateAbove(bin); above < rate || above > rate*(1+1.01/binsPerOctave*math.Ln2*1.5) {
				t.Fatalf("score %d, length %d: rate %v in bin %d, which ends at %v", score, length, rate, bin, above)
			}
			if bin > 0 && rateAbove(bin-1) > rate {
				t.Fatalf("rate %v is in bin %d, but the bin before ends at %v", rate, bin, rateAbove(bin-1))
			}
		}
	}
}

// Lengths without observations of their own go by the next shorter ones.
func TestEstimatorOtherLengths(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.5)
	var o Observations
	for range 200 {
		o.Add(100, 1000, LengthClass(1000))
	}
	e.Learn(&o)
	rates := e.Rates()
	if r := rates[LengthClass(100)]; r.Bound != 0.5 || r.Known {
		t.Errorf("shorter ones: %+v, want the initial rate", r)
	}
	if r := rates[LengthClass(9000)].Bound; r < 0.1 || r > 0.105 {
		t.Errorf("longer ones: %v, want about 0.1", r)
	}
}

// Long pairs of lengths without observations take bounding passes where these cost little
// beside the exact ones, whether shorter ones take them or not.
func TestEstimatorUnseenLengths(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: func(int, int) float64 { return 724 }, Exact: wavefronts}
	e.Start(0.1)
	var o Observations
	for range 500 {
		o.Add(150, 1500, LengthClass(1500))
	}
	e.Learn(&o)
	rates := e.Rates()
	for _, tc := range []struct {
		length int
		want   bool
	}{{1500, false}, {5000, false}, {50_000, false}, {200_000, true}, {1_000_000, true}} {
		if r := rates[LengthClass(tc.length)]; r.Bounding != tc.want || !r.Known {
			t.Errorf("%d letters: %+v, want bounding %v", tc.length, r, tc.want)
		}
	}
	for range 500 { // with scores of their own, they do not
		o.Add(20_000, 200_000, LengthClass(200_000))
	}
	e.Learn(&o)
	if r := e.Rates()[LengthClass(200_000)]; r.Bounding {
		t.Errorf("scores that are alike: %+v", r)
	}
}

// A bounding pass is cheaper where scores are large and differ widely, and not where
// they are alike or low.
func TestEstimatorBounding(t *testing.T) {
	wide := map[int]int{}
	for score := 500; score < 12_000; score += 100 {
		wide[score] = 10
	}
	for _, tc := range []struct {
		name   string
		scores map[int]int
		cost   float64
		want   bool
	}{
		{"wide", wide, 224, true},
		{"wide, without a bounding pass", wide, 0, false},
		{"alike", map[int]int{2000: 500, 2050: 500}, 224, false},
		{"low", map[int]int{20: 500, 100: 400, 200: 100}, 224, false},
	} {
		e := Estimator{UsualSlack: mostSlack, BoundingWork: func(int, int) float64 { return tc.cost }, Exact: wavefronts}
		e.Start(0)
		var o Observations
		for score, n := range tc.scores {
			for range n {
				o.Add(score, 10_000, LengthClass(10_000))
			}
		}
		e.Learn(&o)
		if got := e.Rates()[LengthClass(10_000)]; got.Bounding != tc.want || !got.Known {
			t.Errorf("%s: %+v", tc.name, got)
		}
	}
}

// Pairs for which a bounding pass finds no bound have one by the scores of late, not by those of
// the pairs that told that bounding passes pay.
func TestEstimatorUnboundedPairs(t *testing.T) {
	const length = 10_000
	e := Estimator{UsualSlack: mostSlack, BoundingWork: func(int, int) float64 { return 224 }, Exact: wavefronts}
	e.Start(0)
	rateOf := func(from, to, count int) Rate {
		var o Observations
		for i := range count {
			o.Add(from+(to-from)*i/count, length, LengthClass(length))
		}
		e.Learn(&o)
		return e.Rates()[LengthClass(length)]
	}
	first := rateOf(500, 12_000, 200)
	if !first.Bounding || first.Bound < 0.8 {
		t.Errorf("at first: %+v", first)
	}
	longer := &e.Rates()[LengthClass(100_000)] // without scores of their own
	if !longer.Bounding || longer.Bound != first.Bound {
		t.Errorf("longer pairs: %+v", longer)
	}
	for range 8 {
		rateOf(500, 4000, 10_000)
	}
	later := rateOf(500, 4000, 10_000)
	if !later.Bounding || later.Bound > 0.45 {
		t.Errorf("later: %+v", later)
	}
	// The passes are the same, so pairs that wait do not begin anew.
	if now := &e.Rates()[LengthClass(100_000)]; later.Version != first.Version || now.Version != longer.Version || now.Bound != later.Bound {
		t.Errorf("versions %d after %d, and of longer pairs %+v after %d", later.Version, first.Version, now, longer.Version)
	}
}

// Work is that of the lengths seen: here a kernel that is twice as slow begins between them
// and the middle of their class, where bounding passes would pay.
func TestEstimatorTakesLengthsSeen(t *testing.T) {
	const length = 10_000
	slow := func(length int, bound kernel.Bound) ExactPass {
		work, factor := wavefronts(length, bound).Work, 1.0
		if bound.Score > 1800 {
			factor = 4
		}
		return withinBound(bound, func(score int) float64 { return factor * work(score) })
	}
	if middle := classLength(LengthClass(length)); middle*0.16 < 1800 {
		t.Fatalf("the middle of the class is %v", middle)
	}
	e := Estimator{UsualSlack: mostSlack, BoundingWork: func(int, int) float64 { return 224 }, Exact: slow}
	e.Start(0)
	var o Observations
	for i := range 500 {
		o.Add(1500+i%100, length, LengthClass(length))
	}
	e.Learn(&o)
	if r := e.Rates()[LengthClass(length)]; r.Bounding {
		t.Errorf("%+v: scores that are alike take bounding passes", r)
	}
}

// Scores that come in turns do not make pairs that wait begin anew at every turn, if the bounds
// that suit them cost about the same, or if pairs are so short that choosing again costs more.
func TestEstimatorHoldsOn(t *testing.T) {
	// A score takes longer in kernels for higher bounds.
	work := func(_ int, bound kernel.Bound) ExactPass {
		return withinBound(bound, func(score int) float64 { return float64(bound.Score * (score + 10)) })
	}
	for _, tc := range []struct {
		name          string
		length        int
		one, other    map[int]int
		most, atLeast uint32 // versions
	}{
		{"short pairs", 100, map[int]int{1: 900, 16: 100}, map[int]int{1: 990, 16: 10}, 3, 2},
		{"about the same", 10_000, map[int]int{2000: 900, 2600: 100}, map[int]int{2000: 800, 2600: 200}, 3, 2},
		{"much higher once", 10_000, map[int]int{5000: 1000}, map[int]int{500: 1000}, 3, 3},
	} {
		e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: work}
		e.Start(0.1)
		class := LengthClass(tc.length)
		for i := range 40 {
			scores := tc.one
			if i%2 > 0 {
				scores = tc.other
			}
			for j := range 8 {
				var o Observations
				for score, n := range scores {
					for range (20 + 7*j) * n {
						o.Add(score, tc.length, class)
					}
				}
				e.Learn(&o)
			}
		}
		if got := e.Rates()[class].Version; got > tc.most || got < tc.atLeast {
			t.Errorf("%s: version %d after 40 turns, want %d to %d", tc.name, got, tc.atLeast, tc.most)
		}
	}
}

// Versions change when pairs that wait should be given another bound, and not with
// every observation.
func TestEstimatorVersions(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.5)
	class := LengthClass(1000)
	versions := map[uint32]bool{}
	learn := func(score, n int) {
		var o Observations
		for range n {
			o.Add(score, 1000, class)
		}
		e.Learn(&o)
		versions[e.Rates()[class].Version] = true
	}
	learn(100, 10) // too few
	learn(100, 300)
	for range 20 {
		learn(101, 300)
	}
	if len(versions) != 2 {
		t.Errorf("versions %v of rates that change once", versions)
	}
	learn(400, 30_000)
	if len(versions) != 3 {
		t.Errorf("versions %v of rates that change twice", versions)
	}
}

func BenchmarkEstimator(b *testing.B) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.1)
	for b.Loop() {
		var o Observations
		for i := range 1000 {
			o.Add(1+i%200, 150, LengthClass(150))
		}
		o.Bins[LengthClass(150)][0] += most
		e.Learn(&o)
	}
}
