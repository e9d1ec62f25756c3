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
	seen [classes]rateHistogram
	// boundingWork returns how long a bounding pass takes for a score of pairs of a class and a length,
	// as kernel.Kernel.Work does, 0 if there is none, and exact an exact pass of pairs of a length
	// with a score bound.
	boundingWork func(class, length int) float64
	exact        func(length int, b kernel.Bound) exactPass
	// usualSlack returns the slack that scores of pairs of a length usually have, before any are
	// known, and unknown has its shares by length class.
	usualSlack func(score, length int) int
	unknown    [classes]slackShares
	// gatedWork returns the same of a gated pass, and whether it is expected to align a pair with the
	// score; nil if there is no such pass.
	gatedWork func(class, length int) func(score int) (work float64, aligned bool)

	now atomic.Pointer[rates]
}

// rates are what an estimator makes of the scores so far, by length class.
type rates [classes]rate

// rate is that of one class.
type rate struct {
	// bound is the score bound per letter of a pair's first exact pass, unless a
	// bounding pass finds the bound.
	bound    float64
	bounding bool
	// gated tells that a gated pass comes before these.
	gated bool
	// rests tells that gated passes have mostly failed of late.
	rests bool
	// again is the bound per letter of the pass after that, 0 if no higher scores are known.
	again float64
	slackShares
	slackFails
	// known reports that scores have been seen, of this class or of a shorter one.
	known bool
	// own reports that enough scores of this class have been.
	own bool
	// version changes when pairs that wait for their first pass should be given
	// another bound. It is not 0.
	version uint32
}

// likely and upper are those of the class of a task, for its length.
func (r *rates) likely(t *task, score int) kernel.Bound {
	return r[t.class].likely(score, int(t.pattern))
}
func (r *rates) upper(t *task, score int) kernel.Bound {
	return r[t.class].upper(score, int(t.pattern))
}

// fails returns the share of passes for slacks from a source that fail, of the class of a task and with a score.
func (r *rates) fails(t *task, from slackSource, score int) float64 {
	return float64(r[t.class].slackFails[from][slackRate(score, int(t.pattern))])
}

// fewerErrors is the share of the usual errors that pairs of few errors have, before any are known.
const fewerErrors = 0.2

// start sets the rates that hold until there are enough observations.
func (e *estimator) start(initial float64) {
	r := &rates{}
	for i := range r {
		e.unknown[i] = e.unknownShares(int(classLength(i)))
		r[i].bound, r[i].version, r[i].slackShares = initial, 1, e.unknown[i]
		if length := classLength(i); isFew(uint8(i)) {
			r[i].bound = fewerErrors * initial
			r[i].gated = e.gatedWork != nil && e.gatedWork(i, int(length)) != nil
		} else {
			r[i].bounding = initial*length >= leastBounding && e.boundingWork(i, int(length)) > 0
		}
	}
	e.now.Store(r)
}

// unknownShares returns the shares of slack of pairs of a length before any are known.
func (e *estimator) unknownShares(length int) (s slackShares) {
	for rate := range s {
		score := scoreOf(rate, length)
		share := float32(e.usualSlack(score, length)) / float32(score)
		s[rate].usual, s[rate].most = share, share
	}
	return s
}

// slackShares returns the shares of a class: those of its pairs where enough are known, else what is usual, or those of
// fewer errors or of shorter pairs if these are less. It puts the class's own in place of those of shorter ones.
func (e *estimator) slackShares(class int, shorter *slackShares) slackShares {
	s, seen := e.unknown[class], &e.seen[class]
	for rate := range s {
		if h := &seen.slacks[rate]; h.known() {
			if seen.total > 0 && h.stale() {
				e.chooseShare(h, rate, seen.length())
			}
			shorter[rate].usual, shorter[rate].most = h.usual(), h.quantile(mostPairs)
			s[rate] = shorter[rate]
		} else if rate > 0 && seen.slacks[rate-1].known() && s[rate-1].most < s[rate].most {
			s[rate] = s[rate-1] // few pairs have more errors than most
		} else if shorter[rate].most > 0 && shorter[rate].most < s[rate].most {
			s[rate] = shorter[rate]
		}
	}
	return s
}

// chooseShare chooses the cheapest share of slack of pairs of a length and with a rate.
func (e *estimator) chooseShare(h *slacks, rate, length int) {
	score := scoreOf(rate, length)
	h.choose(score, func(slack int) float64 {
		if work := e.exact(length, kernel.Bound{Score: score, Slack: slack}).work(score); work > 0 {
			return work
		}
		return math.Inf(1) // no kernel takes these pairs
	})
}

// learn adds a runner's observations and clears them.
func (e *estimator) learn(o *observations) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for class, any := range o.any {
		if !any {
			continue
		}
		h, came := &e.seen[class], 0.0
		for bin, n := range &o.bins[class] {
			h.bins[bin] += float64(n)
			h.total += float64(n)
			h.since += float64(n)
			came += float64(n)
		}
		h.trial.learn(o.gated[class], came)
		if told := o.slacks[class]; told != nil {
			for rate := range h.slacks {
				h.slacks[rate].learn(&told[rate])
			}
			*told = slackCounts{}
		}
		if passes := o.passes[class]; passes != nil {
			h.passes.add(passes)
			*passes = slackPasses{}
		}
		h.letters += o.letters[class]
		for h.total > most {
			for i := range h.bins {
				h.bins[i] /= 2
			}
			h.total /= 2
			h.letters /= 2
			h.passes.halve() // where most fail, none are tried until few are left
		}
		h.fails = h.passes.fails()
		o.bins[class], o.letters[class], o.gated[class], o.any[class] = [rateBins]uint32{}, 0, passCounts{}, false
	}
	e.update()
}

// rates returns the rates at present. The caller does not change them.
func (e *estimator) rates() *rates { return e.now.Load() }

// update computes the rates anew. Lengths with too few observations have those of the
// next shorter ones, and gated passes where these do, or take bounding passes.
func (e *estimator) update() {
	before := e.now.Load()
	now := *before
	changed := false
	from := -1
	var shorter slackShares
	for i := range e.seen {
		if i == lengthClasses { // of other pairs
			from, shorter = -1, slackShares{}
		}
		h := &e.seen[i]
		version, first := h.version, !h.settled
		changed = changed || now[i].rests != h.trial.rests()
		now[i].rests = h.trial.rests()
		slack := e.slackShares(i, &shorter)
		changed = changed || now[i].slackShares != slack
		now[i].slackShares = slack
		changed = changed || now[i].slackFails != h.fails
		now[i].slackFails = h.fails
		if h.total >= enough {
			from = i
			if h.unsettled() {
				e.settle(i, h, &now[i])
				h.settled, h.since = true, 0
			}
		}
		if from < 0 {
			continue
		}
		r := &now[i]
		same := r.known && r.bound == e.seen[from].bound
		r.bound, r.again, r.known, r.own = e.seen[from].bound, e.seen[from].again, true, from == i
		b := &before[i]
		switch {
		case from == i:
			r.bounding, r.gated = h.bounding, h.gated
		case !same:
			r.bounding = e.boundsUnseen(i, r)
		}
		stop := false // waiting pairs should not wait for gated passes
		if from < i {
			// The longer pairs are, the less a gated pass costs beside an exact one.
			r.gated = e.seen[from].gated && !h.trial.rests()
			stop = b.gated && !r.gated
		}
		// The first choice of a class by scores of its own has no earlier one to beat.
		moved := math.Abs(b.bound-r.bound) > b.bound/5 && !(b.bounding && r.bounding)
		first = first && (b.bounding != r.bounding || b.gated != r.gated || moved)
		if !b.known || first || stop || version != h.version {
			r.version++
		}
		changed = changed || *r != *b
	}
	if changed {
		e.now.Store(&now)
	}
}

// boundsUnseen reports whether pairs of a class take a bounding pass whose bound would be
// of the rate of shorter ones. Their scores may differ from it, and the longer they are the
// less a bounding pass costs beside an exact one with a wrong bound.
func (e *estimator) boundsUnseen(class int, r *rate) bool {
	length := int(classLength(class))
	return boundingIsLittle(e.boundingWork(class, length), e.exact, length, r.likely(int(r.bound*float64(length)), length))
}

// classLength returns the middle length of a class.
func classLength(class int) float64 { return math.Exp2(float64(class%lengthClasses) + 0.5) }

// Passes once chosen remain until others take less than keepShare of their work. Scores that
// come in turns would make them alternate otherwise. Pairs that wait get the new passes if these
// take less than restartShare of the work, and save more than it costs to choose again.
const (
	keepShare    = 0.9
	restartShare = 0.75
	restartWork  = againWork // of a pair, in cells
)

// settle chooses the passes of pairs of a class whose rates are h, those with the least expected work unless
// the earlier choice is about as good. The version of h changes if pairs that wait should be
// given the new passes. r has the share of slack.
func (e *estimator) settle(class int, h *rateHistogram, r *rate) {
	p := newPasses(h, func(length, bound int) exactPass { return e.exact(length, r.likely(bound, length)) })
	p.usual = &r.slackShares
	p.boundingWork = e.boundingWork(class, p.length)
	stop := h.gated && h.trial.rests() // waiting pairs should not wait for gated passes
	if stop {
		h.choice.gated = false
	}
	if e.gatedWork != nil && !h.trial.rests() {
		p.gatedWork, p.gatedFails = e.gatedWork(class, p.length), h.trial.share(enoughTrials)
	}
	best, least := p.cheapest()
	if h.settled {
		if work := p.work(h.choice); least > keepShare*work {
			other := best.bound
			best, least = h.choice, work
			// The bound is that of pairs for which bounding passes find none: their work does not tell of it.
			if best.bounding && p.within(other, 0) <= keepShare*p.within(best.bound, 0) {
				best.bound = other
			}
			best.again, _ = p.bound(best.bound)
		}
	}
	h.choice = best
	if !h.settled {
		h.waiting = best
		return
	}
	if work := p.work(h.waiting); stop || least < restartShare*work && work-least > restartWork*h.total {
		h.waiting = best
		h.version++
	}
}
