package align

import "math"

// costModel predicts scores and the cost of each method. It selects the method, on which no
// score depends.
type costModel struct {
	rate costRate // of the letters, apart from the gap that the lengths need
	pen  Penalties
}

// lengthGap returns what the gap between the lengths costs, 0 where they differ by less than creditGap: errors make
// such differences, too. It is 0 where opening a gap costs nothing: then many short gaps cost as little, and are
// as likely.
func (m *costModel) lengthGap(pattern, text int) int {
	if m.pen.GapOpen == 0 || abs(text-pattern) < creditGap {
		return 0
	}
	return m.pen.LengthGap(pattern, text)
}

// observe records the score of a pair of so many letters.
func (m *costModel) observe(score, pattern, text int) {
	m.rate.observe(max(0, score-m.lengthGap(pattern, text)), pattern+text)
}

// expected returns the score that earlier pairs predict for one of so many letters, 0 if there were none.
func (m *costModel) expected(pattern, text int) int {
	if m.rate == 0 {
		return 0
	}
	return m.rate.expected(pattern+text) + m.lengthGap(pattern, text)
}

// Costs in nanoseconds. Only their ratios matter.
const (
	wavefrontStep = 60.0 // one score
	wavefrontCell = 1.5  // one offset, its extension included
	bandSetup     = 300.0
	bandVector    = 2.0   // one vector on one antidiagonal
	groupByte     = 0.05  // a byte of a vector on one antidiagonal, of a group's pairs
	bandBlockCost = 250.0 // one block of antidiagonals, traceback included
)

// boundedScore is the expected score from which on a bound saves more than it costs.
const boundedScore = 500

// firstPrediction is the score at which the final score of a pair is first predicted from
// its wavefronts; the next prediction follows when the score has grown by half.
const firstPrediction = 6

// predict estimates the final score of a pair of total letters whose wavefront of score s
// has come to antidiagonal far.
func predict(s, far, total int) int {
	far = max(1, far)
	return s + int(float64(s)*float64(total-far)/float64(far)) + 1
}

// wavefronts estimates what wavefronts cost from score done to score expected.
func (m *costModel) wavefronts(expected, done int) float64 {
	s, now := float64(expected), float64(done)
	// The square makes an uncertain score dearer than its mean.
	return wavefrontStep*(s-now) + wavefrontCell*(1.2*s*s-now*now)/float64(m.pen.GapExtend)
}

// bounded estimates what wavefronts cost from score done to score bound within the cone of that
// score.
func (m *costModel) bounded(bound, done int) float64 {
	s, now := float64(bound), float64(done)
	half := s / 2
	return wavefrontStep*(s-now) + wavefrontCell*(2*half*half-now*now)/float64(m.pen.GapExtend)
}

// bandPays reports whether a band should finish its pair, whose score is expected and whose
// wavefronts have come to score done, and whether the band should have a fixed width.
func (m *costModel) bandPays(b *banded, expected, done int) (pays, fixed bool) {
	cost, fixed := m.band(b, expected)
	return cost < m.wavefronts(expected, done), fixed
}

// band estimates what a band costs for its pair, whose score is expected, and whether it should
// have a fixed width. The cost is infinite for a pair that no band can take.
func (m *costModel) band(b *banded, expected int) (cost float64, fixed bool) {
	r := b.reach(expected)
	if r < 0 || expected > maxBandScore {
		return math.Inf(1), false
	}
	rows := float64(b.total)
	vectors := (2*r+abs(b.end))/b.width + 1
	fixed = b.fixedFits(vectors)
	// Latency makes one vector as slow as two.
	cost = bandSetup + rows*bandVector*float64(max(2, b.firstVectors(expected)))
	if fixed && vectors > b.registers { // the first band will not be enough
		cost += rows * bandVector * float64(vectors)
	}
	if !fixed { // a first run on few vectors
		few := float64(1 + 2*b.margin())
		cost = m.pruned(b, expected) + rows*bandVector*few*1.3
	}
	return cost, fixed
}

// pruned estimates what a band costs for its pair, on whose score bound is a bound: half of the
// band and its margins. The cost is infinite for a pair that no band can take.
func (m *costModel) pruned(b *banded, bound int) float64 {
	r := b.reach(bound)
	if r < 0 || bound > maxBandScore {
		return math.Inf(1)
	}
	few := float64(1 + 2*b.margin())
	half := float64(max(0, b.reach(bound-bound/6)))/float64(b.width) + 0.5
	// Between the diagonals of the two ends about half of the cells are in use.
	half += float64(abs(b.end)) / 2 / float64(b.width)
	rows := float64(b.total)
	return bandSetup + rows*bandVector*(few+half)*1.3 + rows/blockRows*bandBlockCost
}
