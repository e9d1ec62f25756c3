package estimate

import (
	"math"

	"wfagpu/gpu/internal/kernel"
)

// choice is the passes of pairs of a length class.
type choice struct {
	bound    float64 // score bound of the first exact pass, as a rate
	again    float64 // of pairs that exceed it, 0 if there are none
	bounding bool    // a bounding pass finds the bound of each pair instead
	gated    bool    // these are passes of the pairs that a gated pass does not align
}

// rateHistogram counts the pairs of a length class by their rate.
type rateHistogram struct {
	total   float64
	letters float64 // sum of the lengths
	bins    [rateBins]float64
	choice
	settled bool    // the choice has been made
	since   float64 // pairs since then
	version uint32  // changes when pairs that wait should have the new choice
	waiting choice  // of that version
	trial   trial
	slacks  [slackRates]slacks
	seeds   seedCounts
	spare   spare
	passes  SlackPasses
	fails   SlackFails // of passes
}

const (
	// Rates, scores per letter, are counted in bins, 32 to a power of two, from
	// 2^lowestRate on.
	binsPerOctave = 32
	lowestRate    = -12
	rateBins      = 22 * binsPerOctave
	// Enough observations of a length class to rely on.
	Enough = 100
	// most observations before the older ones fade.
	most = 1 << 16
)

// A float64's exponent and the five bits below it number the bins.
const (
	binShift = 52 - 5
	firstBin = (1023 + lowestRate) * binsPerOctave
)

// RateBin returns the bin of a score's rate.
func RateBin(score, length int) int {
	rate := float64(score) / float64(length)
	return min(max(int(math.Float64bits(rate)>>binShift)-firstBin, 0), rateBins-1)
}

// rateAbove is the upper end of a bin.
func rateAbove(bin int) float64 { return math.Float64frombits(uint64(firstBin+bin+1) << binShift) }

// length returns the mean length. The middle of the class would choose the kernels of other
// lengths: 10,000 letters, say, are far below that of theirs.
func (h *rateHistogram) length() int { return int(h.letters / h.total) }

// unsettled reports whether so many scores have come that the choice should be made again.
func (h *rateHistogram) unsettled() bool {
	return !h.settled || h.since > h.total/8 || h.gated && h.trial.rests()
}

// scores returns the largest score in each bin of pairs of a length.
func (h *rateHistogram) scores(length int) (scores [rateBins]int) {
	for bin := range scores {
		scores[bin] = int(min(rateAbove(bin)*float64(length), kernel.MaxBound))
	}
	return scores
}

// after returns the first bin with pairs whose rates are above a rate, rateBins if there is none.
func (h *rateHistogram) after(rate float64) int {
	for bin := range h.bins {
		if h.bins[bin] > 0 && rateAbove(bin) > rate {
			return bin
		}
	}
	return rateBins
}

// quantile returns the rate that a share of the pairs in the bins from first on does not exceed.
func (h *rateHistogram) quantile(share float64, first int) float64 {
	total, sum := 0.0, 0.0
	for _, n := range h.bins[first:] {
		total += n
	}
	for bin := first; bin < rateBins; bin++ {
		if sum += h.bins[bin]; sum >= share*total {
			return rateAbove(bin)
		}
	}
	return rateAbove(rateBins - 1)
}
