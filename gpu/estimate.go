package gpu

import (
	"math"
	"sync"
	"sync/atomic"

	"wfagpu/gpu/internal/kernel"
)

// estimator learns how scores relate to lengths, so that a pair begins with the
// cheapest pass that is likely to finish it. A wrong guess costs time, never
// exactness. It is safe for concurrent use.
type estimator struct {
	mu   sync.Mutex
	seen [lengthClasses]rateHistogram
	// boundingWork returns how long a bounding pass takes for a score of pairs of a length,
	// 0 if there is none, and exactWork how long an exact pass takes for pairs of a length
	// and a score bound, by their score; both as kernel.Kernel.Work does.
	boundingWork func(length int) float64
	exactWork    func(length, bound int) func(score int) float64

	now atomic.Pointer[rates]
}

// rates are what an estimator makes of the scores so far, by length class.
type rates [lengthClasses]struct {
	// bound is the score bound per letter of a pair's first exact pass, unless a
	// bounding pass finds the bound.
	bound    float64
	bounding bool
	// known reports that scores have been seen, of this class or of a shorter one.
	known bool
	// version changes when pairs that wait for their first pass should be given
	// another bound. It is not 0.
	version uint32
}

// rateHistogram counts the pairs of a length class by their rate.
type rateHistogram struct {
	total   float64
	letters float64 // sum of the lengths
	bins    [rateBins]float64
	// best is the cheapest bound, as a rate, and bounding reports that a bounding
	// pass is cheaper; both are computed when total was bestAt.
	best     float64
	bounding bool
	bestAt   float64
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
	bins    [lengthClasses][rateBins]uint32
	letters [lengthClasses]float64
	any     [lengthClasses]bool
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
	o.letters[class] += float64(length)
	o.any[class] = true
}

// start sets the rates that hold until there are enough observations.
func (e *estimator) start(initial float64) {
	r := &rates{}
	for i := range r {
		r[i].bound, r[i].version = initial, 1
		r[i].bounding = initial*classLength(i) >= leastBounding && e.boundingWork(int(classLength(i))) > 0
	}
	e.now.Store(r)
}

// learn adds a runner's observations and clears them.
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
		h.letters += o.letters[class]
		for h.total > most {
			for i := range h.bins {
				h.bins[i] /= 2
			}
			h.total /= 2
			h.letters /= 2
		}
		o.bins[class], o.letters[class], o.any[class] = [rateBins]uint32{}, 0, false
	}
	e.update()
}

// rates returns the rates at present. The caller does not change them.
func (e *estimator) rates() *rates { return e.now.Load() }

// update computes the rates anew. Lengths with too few observations have those of the
// next shorter ones, or take bounding passes.
func (e *estimator) update() {
	before := e.now.Load()
	now := *before
	changed := false
	from := -1
	for i := range e.seen {
		h := &e.seen[i]
		if h.total >= enough {
			from = i
			if math.Abs(h.total-h.bestAt) > h.bestAt/8 {
				h.best, h.bounding = e.cheapest(h, h.length())
				h.bestAt = h.total
			}
		}
		if from < 0 {
			continue
		}
		r := &now[i]
		same := r.known && r.bound == e.seen[from].best
		r.bound, r.known = e.seen[from].best, true
		switch {
		case from == i:
			r.bounding = e.seen[i].bounding
		case !same:
			r.bounding = e.boundsUnseen(int(classLength(i)), r.bound)
		}
		if b := before[i]; !b.known || b.bounding != r.bounding || math.Abs(b.bound-r.bound) > b.bound/5 {
			r.version++
		}
		changed = changed || *r != before[i]
	}
	if changed {
		e.now.Store(&now)
	}
}

// boundsUnseen reports whether pairs of a length take a bounding pass whose bound would be
// the rate of shorter ones. Their scores may differ from it, and the longer they are the
// less a bounding pass costs beside an exact one with a wrong bound.
func (e *estimator) boundsUnseen(length int, rate float64) bool {
	perScore, bound := e.boundingWork(length), int(rate*float64(length))
	return perScore > 0 && bound >= leastBounding && 4*perScore*float64(bound) <= e.exactWork(length, bound)(bound)
}

// classLength returns the middle length of a class.
func classLength(class int) float64 { return math.Exp2(float64(class) + 0.5) }

// shares are the candidates of cheapest: shares of pairs that the first pass
// aligns.
var shares = []float64{0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 0.995}

// againWork is the cost of another pass beside its work, in cells.
const againWork = 20_000

// leastBounding is the least expected score of pairs that take a bounding pass: two
// passes of pairs with lower scores cost more than they save.
const leastBounding = 300

// cheapest returns the score bound, as a rate, with the least expected work for
// pairs of a length, whose rates are h. A bound far above the scores widens every wavefront
// or band; a bound below some scores makes these pairs cost twice. The best bound depends on
// the spread of the scores. cheapest also reports whether it is cheaper to find the bound of
// each pair by a bounding pass: then no pair costs twice, and no wavefront is wider than it
// must be.
func (e *estimator) cheapest(h *rateHistogram, length int) (best float64, bounding bool) {
	scores, known := h.scores(length), [rateBins]float64{} // work of a pass whose bound is the score
	for bin, score := range scores {
		if h.bins[bin] > 0 {
			known[bin] = e.exactWork(length, score)(score)
		}
	}
	least := math.Inf(1)
	for _, share := range shares {
		rate := h.quantile(share)
		bound := int(rate * float64(length))
		pass, work := e.exactWork(length, bound), 0.0
		for bin, n := range &h.bins {
			if n == 0 {
				continue
			}
			if scores[bin] <= bound {
				work += n * pass(scores[bin])
			} else {
				work += n * (pass(bound) + againWork + 1.2*known[bin])
			}
		}
		if work < least {
			best, least = rate, work
		}
	}
	perScore := e.boundingWork(length)
	if perScore == 0 || h.quantile(0.5)*float64(length) < leastBounding {
		return best, false
	}
	work := 0.0
	for bin, n := range &h.bins {
		if n > 0 {
			work += n * (perScore*float64(scores[bin]) + againWork + known[bin])
		}
	}
	return best, work < least
}

// length returns the mean length. The middle of the class would choose the kernels of other
// lengths: 10,000 letters, say, are far below that of theirs.
func (h *rateHistogram) length() int { return int(h.letters / h.total) }

// scores returns the largest score in each bin of pairs of a length.
func (h *rateHistogram) scores(length int) (scores [rateBins]int) {
	for bin := range scores {
		scores[bin] = int(min(rateAbove(bin)*float64(length), kernel.MaxBound))
	}
	return scores
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
