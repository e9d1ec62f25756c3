package align

import (
	"math"
	"sync/atomic"

	"wfagpu/cigar"
)

// spanChoice aligns pairs of any span by wavefronts where they are similar, and else by sweeps.
type spanChoice struct {
	kern  *kernels
	waves wavesMethod
	sweep sweepMethod
	rate  float64 // cost per letter of the pattern of the last pairs, 0 at first
}

func newSpanChoice(k *kernels, scoreOnly bool, memory int) *spanChoice {
	return &spanChoice{
		kern:  k,
		waves: wavesMethod{kern: k, scoreOnly: scoreOnly, memory: memory},
		sweep: sweepMethod{kern: k, scoreOnly: scoreOnly, memory: memory},
	}
}

func (x *spanChoice) stopOn(stop *atomic.Bool) {
	x.waves.stopOn(stop)
	x.sweep.stopOn(stop)
}

// Costs in nanoseconds, as in choose.go.
const (
	freeStep = 80.0 // one score
	freeCell = 1.3  // one offset, of one cost of gaps
	longCell = 1.8  // of two
)

// align takes the pairs that one of its methods takes.
func (x *spanChoice) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	r, ok, err := x.try(dst, m, pattern, text)
	if ok {
		x.observe(r.cost, pattern.n)
	}
	return r, ok, err
}

func (x *spanChoice) try(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if !m.tracks() {
		whole := matrixCell * float64(pattern.n) * float64(text.n)
		if x.kern.sweep16 != nil {
			whole = sweepCost(x.kern, m, pattern.n, text.n)
		}
		if guess := int(x.rate * float64(pattern.n)); x.waves.expect(m, pattern.n, text.n, guess) < whole {
			x.waves.budget = whole
			r, ok, err := x.waves.align(dst, m, pattern, text)
			if ok || err != nil {
				return r, ok, err
			}
		}
	}
	return x.sweep.align(dst, m, pattern, text)
}

// observe records the cost of a pair: neighbours in a file are alike.
func (x *spanChoice) observe(cost, pattern int) {
	const weight = 1.0 / 16
	rate := float64(cost) / float64(pattern+1)
	if x.rate == 0 {
		x.rate = rate
	}
	x.rate += weight * (min(rate, 4*x.rate+0.1) - x.rate)
}

// sweepCost estimates what a sweep costs; it is infinite for a pair that none takes.
func sweepCost(k *kernels, m *Model, pattern, text int) float64 {
	f, ok := m.frame(k, pattern, text)
	if !ok {
		return math.Inf(1)
	}
	_, cost := f.choose(pattern, text)
	return cost
}

// expect estimates what wavefronts cost up to a score.
func (x *wavesMethod) expect(m *Model, pattern, text, s int) float64 {
	first, last := x.diagonals(m, pattern, text)
	begins := 1 + min(last, x.ends[1]+firstBegins) - max(first, x.ends[0]-firstBegins)
	if m.FreeLetter > 0 {
		begins = 1
	}
	grow := m.last().Extend
	if m.FreeLetter > 0 {
		grow = min(grow, m.FreeLetter)
	}
	width := float64(begins) + float64(s)/float64(grow)
	return float64(s+1) * (freeStep + m.offsetCost()*min(width, float64(pattern+text)))
}

// offsetCost is what an offset costs.
func (m *Model) offsetCost() float64 {
	if m.Long != (Gap{}) {
		return longCell
	}
	return freeCell
}
