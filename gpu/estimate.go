package gpu

import (
	"math"
	"math/bits"
	"sync"
)

// estimator learns how scores relate to lengths, so that a pair begins with the
// cheapest kernel that is likely to finish it. A wrong guess costs time, never
// exactness. It is safe for concurrent use.
type estimator struct {
	mu      sync.Mutex
	initial float64 // score per letter, before there is anything to go by
	classes [lengthClasses]rateHistogram
}

const (
	lengthClasses = 32
	// Rates, scores per letter, are counted in bins of a factor of 2^(1/8),
	// from 2^-12 on.
	binsPerOctave = 8
	rateBins      = 24 * binsPerOctave
	lowestRate    = 1.0 / (1 << 12)
	// enough observations of a length class to rely on.
	enough = 100
	// most observations before the older ones fade.
	most = 1 << 16
	// likely is the share of pairs that the first kernel should finish.
	likely = 0.98
)

type rateHistogram struct {
	total float64
	bins  [rateBins]float64
}

// lengthClass is the power of two at or below a length.
func lengthClass(n int) int { return min(bits.Len(uint(n)), lengthClasses) - 1 }

func rateBin(score, length int) int {
	rate := float64(max(score, 1)) / float64(length)
	return min(max(int(math.Log2(rate/lowestRate)*binsPerOctave), 0), rateBins-1)
}

// observations are scores seen by one lane, to be handed in together.
type observations map[[2]int]int

func (o observations) add(score, length int) {
	o[[2]int{lengthClass(length), rateBin(score, length)}]++
}

// learn takes in what a lane has seen.
func (e *estimator) learn(o observations) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for key, n := range o {
		h := &e.classes[key[0]]
		h.bins[key[1]] += float64(n)
		h.total += float64(n)
		if h.total > most {
			for i := range h.bins {
				h.bins[i] /= 2
			}
			h.total /= 2
		}
	}
}

// rates returns, for each length class, the score per letter that most pairs
// stay below.
func (e *estimator) rates() (rates [lengthClasses]float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rate := e.initial
	for i := range e.classes {
		h := &e.classes[i]
		if h.total >= enough {
			rate = h.quantile(likely)
		}
		rates[i] = rate // of the next shorter class, where this one has none
	}
	return rates
}

// quantile returns the rate that a share of the observations does not exceed.
func (h *rateHistogram) quantile(share float64) float64 {
	sum := 0.0
	for i, n := range h.bins {
		if sum += n; sum >= share*h.total {
			return lowestRate * math.Exp2(float64(i+1)/binsPerOctave)
		}
	}
	return math.Inf(1)
}
