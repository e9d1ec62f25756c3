package gpu

import (
	"math"

	"wfagpu/gpu/internal/kernel"
)

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
	passes  slackPasses
	fails   slackFails // of passes
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

// observations counts pairs by length class and rate. Each runner has its own.
type observations struct {
	bins    [classes][rateBins]uint32
	letters [classes]float64
	gated   [classes]passCounts
	slacks  [classes]*slackCounts // nil for none
	passes  [classes]*slackPasses // for slacks; nil for none
	any     [classes]bool
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

// add counts a pair.
func (o *observations) add(score, length, class int) { o.addFor(1, score, length, class) }

// addFor counts a pair that stands for some pairs.
func (o *observations) addFor(pairs, score, length, class int) {
	o.bins[class][rateBin(score, length)] += uint32(pairs)
	o.letters[class] += float64(length * pairs)
	o.any[class] = true
}

// tried counts gated passes of a class, and failed one that has not worked out.
func (o *observations) tried(class, passes int) {
	o.gated[class].passes += float64(passes)
	o.any[class] = true
}

func (o *observations) failed(class int) { o.gated[class].failed++ }

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
