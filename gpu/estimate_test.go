package gpu

import (
	"math"
	"testing"
)

func learned(scores map[int]int, length int) float64 {
	e := estimator{initial: 7}
	var o observations
	for score, n := range scores {
		for range n {
			o.add(score, length, lengthClass(length))
		}
	}
	e.learn(&o)
	var rates [lengthClasses]float64
	e.rates(&rates)
	return rates[lengthClass(length)] * float64(length)
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
		{"too few to go by", map[int]int{3000: enough - 1}, 70_000, 70_000},
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
			bin := rateBin(score, length)
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
	e := estimator{initial: 0.5}
	var o observations
	for range 200 {
		o.add(100, 1000, lengthClass(1000))
	}
	e.learn(&o)
	var rates [lengthClasses]float64
	e.rates(&rates)
	if rates[lengthClass(100)] != 0.5 {
		t.Errorf("shorter ones: %v, want the initial rate", rates[lengthClass(100)])
	}
	if r := rates[lengthClass(9000)]; r < 0.1 || r > 0.105 {
		t.Errorf("longer ones: %v, want about 0.1", r)
	}
}
