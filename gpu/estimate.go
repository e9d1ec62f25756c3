package gpu

import (
	"math"
	"sync"
	"sync/atomic"
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
	// again is the bound per letter of the pass after that, 0 if no higher scores are known.
	again float64
	// known reports that scores have been seen, of this class or of a shorter one.
	known bool
	// version changes when pairs that wait for their first pass should be given
	// another bound. It is not 0.
	version uint32
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
				h.best, h.again, h.bounding = e.cheapest(h, h.length())
				h.bestAt = h.total
			}
		}
		if from < 0 {
			continue
		}
		r := &now[i]
		same := r.known && r.bound == e.seen[from].best
		r.bound, r.again, r.known = e.seen[from].best, e.seen[from].again, true
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

// cheapest returns the score bounds, as rates, with the least expected work for pairs of a
// length, whose rates are h: that of the first pass, and that of pairs which exceed it, 0 if there
// are none. A bound far above the scores widens every wavefront or band; a bound below some
// scores makes these pairs cost twice. The best bound depends on the spread of the scores.
// cheapest also reports whether it is cheaper to find the bound of each pair by a bounding pass:
// then no pair costs twice, and no wavefront is wider than it must be.
func (e *estimator) cheapest(h *rateHistogram, length int) (best, again float64, bounding bool) {
	p := passes{h: h, length: length, scores: h.scores(length), exactWork: e.exactWork}
	for bin, score := range p.scores {
		if h.bins[bin] > 0 {
			p.known[bin] = e.exactWork(length, score)(score)
		}
	}
	best, least := p.cheapest(0)
	again, _ = p.cheapest(best)
	perScore := e.boundingWork(length)
	if perScore == 0 || h.quantile(0.5, 0)*float64(length) < leastBounding {
		return best, again, false
	}
	work := 0.0
	for bin, n := range &h.bins {
		if n > 0 {
			work += n * (perScore*float64(p.scores[bin]) + againWork + p.known[bin])
		}
	}
	return best, again, work < least
}

// passes is what passes of pairs of a length cost, whose rates are h.
type passes struct {
	h         *rateHistogram
	length    int
	scores    [rateBins]int
	known     [rateBins]float64 // work of a pass whose bound is the score
	exactWork func(length, bound int) func(score int) float64
}

// cheapest returns the bound, as a rate, with the least expected work for the pairs with rates
// above some rate, and that work. The rate is 0 if there are none.
func (p *passes) cheapest(above float64) (best, least float64) {
	first := p.h.after(above)
	if first == rateBins {
		return 0, 0
	}
	least = math.Inf(1)
	for _, share := range shares {
		rate := p.h.quantile(share, first)
		bound := int(rate * float64(p.length))
		pass, work := p.exactWork(p.length, bound), 0.0
		for bin := first; bin < rateBins; bin++ {
			n := p.h.bins[bin]
			switch {
			case n == 0:
			case p.scores[bin] <= bound:
				work += n * pass(p.scores[bin])
			default:
				work += n * (pass(bound) + againWork + 1.2*p.known[bin])
			}
		}
		if work < least {
			best, least = rate, work
		}
	}
	return best, least
}
