package gpu

import (
	"math"
	"sync"
)

// estimator learns how scores relate to lengths, so that a pair begins with the
// cheapest kernel that is likely to finish it. A wrong guess costs time, never
// exactness. It is safe for concurrent use.
type estimator struct {
	mu      sync.Mutex
	initial float64 // score per letter, until there are enough observations
	seen    [lengthClasses]rateHistogram
}

// rateHistogram counts the pairs of a length class by their rate.
type rateHistogram struct {
	total  float64
	bins   [rateBins]float64
	best   float64 // cheapest bound, as a rate, computed when total was bestAt
	bestAt float64
}

const (
	// Rates, scores per letter, are counted in bins, 32 to a power of two, from
	// 2^lowestRate on.
	binsPerOctave = 32
	lowestRate    = -12
	rateBins      = 22 * binsPerOctave
	// enough observations of a length class to rely on.
	enough = 100
	// most observations before the older ones fade.
	most = 1 << 16
)

// observations counts pairs by length class and rate. Each slot has its own.
type observations struct {
	bins [lengthClasses][rateBins]uint32
	any  [lengthClasses]bool
}

// A float64's exponent and the five bits below it number the bins.
const (
	binShift = 52 - 5
	firstBin = (1023 + lowestRate) * binsPerOctave
)

func rateBin(score, length int) int {
	rate := float64(score) / float64(length)
	return min(max(int(math.Float64bits(rate)>>binShift)-firstBin, 0), rateBins-1)
}

// rateAbove is the upper end of a bin.
func rateAbove(bin int) float64 { return math.Float64frombits(uint64(firstBin+bin+1) << binShift) }

func (o *observations) add(score, length, class int) {
	o.bins[class][rateBin(score, length)]++
	o.any[class] = true
}

// learn adds a slot's observations and clears them.
func (e *estimator) learn(o *observations) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for class, any := range o.any {
		if !any {
			continue
		}
		h := &e.seen[class]
		for bin, n := range &o.bins[class] {
			h.bins[bin] += float64(n)
			h.total += float64(n)
		}
		for h.total > most {
			for i := range h.bins {
				h.bins[i] /= 2
			}
			h.total /= 2
		}
		o.bins[class], o.any[class] = [rateBins]uint32{}, false
	}
}

// rates fills in, for each length class, the score bound per letter of a pair's
// first pass.
func (e *estimator) rates(rates *[lengthClasses]float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rate := e.initial
	for i := range e.seen {
		if h := &e.seen[i]; h.total >= enough {
			if math.Abs(h.total-h.bestAt) > h.bestAt/8 {
				h.best, h.bestAt = h.cheapest(math.Exp2(float64(i)+0.5)), h.total
			}
			rate = h.best
		}
		rates[i] = rate // that of the next shorter class, if this one has too few
	}
}

// shares are the candidates of cheapest: shares of pairs that the first pass
// aligns.
var shares = []float64{0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.995}

// Costs of a pass beside its cells, in cells: scoreWork for each score, at which
// the warps of a block synchronize, and againWork for a pair that exceeds its bound
// and takes another pass.
const (
	scoreWork = 400
	againWork = 20_000
)

// cheapest returns the score bound, as a rate, with the least expected work for
// pairs of a length. A bound far above the scores widens every wavefront; a bound
// below some scores makes these pairs cost twice. The best bound depends on the
// spread of the scores.
func (h *rateHistogram) cheapest(length float64) float64 {
	best, least := 0.0, math.Inf(1)
	for _, share := range shares {
		rate := h.quantile(share)
		bound := rate * length
		work := 0.0
		for bin, n := range &h.bins {
			if n == 0 {
				continue
			}
			if score := rateAbove(bin) * length; score <= bound {
				work += n * passWork(score, bound)
			} else {
				work += n * (passWork(bound, bound) + againWork + passWork(score, 1.25*score))
			}
		}
		if work < least {
			best, least = rate, work
		}
	}
	return best
}

// quantile returns the rate that a share of the pairs does not exceed.
func (h *rateHistogram) quantile(share float64) float64 {
	sum := 0.0
	for bin, n := range &h.bins {
		if sum += n; sum >= share*h.total {
			return rateAbove(bin)
		}
	}
	return rateAbove(rateBins - 1)
}

// passWork estimates the cells that a pass up to a bound computes for a pair with
// a score: wavefronts grow by a diagonal on either side with each score, until
// diagonals that cannot reach the end within the bound are dropped.
func passWork(score, bound float64) float64 {
	cells := score * score
	if score > bound/2 {
		cells = bound*bound/2 - (bound-score)*(bound-score)
	}
	return cells + scoreWork*score
}
