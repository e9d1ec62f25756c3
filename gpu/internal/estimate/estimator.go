package estimate

import (
	"math"
	"sync"
	"sync/atomic"

	"wfagpu/gpu/internal/kernel"
)

// Estimator learns how scores relate to lengths, so that a pair begins with the
// cheapest pass that is likely to finish it. A wrong guess costs time, never
// exactness. It is safe for concurrent use.
type Estimator struct {
	mu   sync.Mutex
	seen [Classes]*rateHistogram // nil where no pair has been
	// BoundingWork returns how long a bounding pass takes for a score of pairs of a class and a length,
	// as kernel.Kernel.Work does, 0 if there is none, and Exact an exact pass of pairs of a length
	// with a score bound.
	BoundingWork func(class, length int) float64
	Exact        func(length int, b kernel.Bound) ExactPass
	// UsualSlack returns the slack that scores of pairs of a length usually have, before any are
	// known, and unknown has its shares by length class.
	UsualSlack func(score, length int) int
	unknown    [Classes]SlackShares
	// PerSeed is the score for each broken seed that few pairs exceed, before any are known.
	PerSeed float64
	// GatedWork returns the same of a gated pass, and whether it is expected to align a pair with the
	// score; nil if there is no such pass.
	GatedWork func(class, length int) func(score int) (work float64, aligned bool)

	now atomic.Pointer[Rates]
}

// fewerErrors is the share of the usual errors that pairs of few errors have, before any are known.
const fewerErrors = 0.2

// Start sets the rates that hold until there are enough observations.
func (e *Estimator) Start(initial float64) {
	r := &Rates{}
	for i := range r {
		e.unknown[i] = e.unknownShares(int(classLength(i)))
		r[i].Bound, r[i].Version, r[i].SlackShares, r[i].PerSeed, r[i].Spare = initial, 1, e.unknown[i], e.PerSeed, firstSpare
		if length := classLength(i); IsFew(uint8(i)) {
			r[i].Bound = fewerErrors * initial
			r[i].Gated = e.GatedWork != nil && e.GatedWork(i, int(length)) != nil
		} else {
			r[i].Bounding = initial*length >= leastBounding && e.BoundingWork(i, int(length)) > 0
		}
	}
	e.now.Store(r)
}

// unknownShares returns the shares of slack of pairs of a length before any are known.
func (e *Estimator) unknownShares(length int) (s SlackShares) {
	for rate := range s {
		score := scoreOf(rate, length)
		share := float32(e.UsualSlack(score, length)) / float32(score)
		s[rate].Usual, s[rate].Most = share, share
	}
	return s
}

// slackShares returns the shares of a class: those of its pairs where enough are known, else what is usual, or those of
// fewer errors or of shorter pairs if these are less. It puts the class's own in place of those of shorter ones.
func (e *Estimator) slackShares(class int, shorter *SlackShares) SlackShares {
	s, seen := e.unknown[class], e.of(class)
	for rate := range s {
		if h := &seen.slacks[rate]; h.known() {
			if seen.total > 0 && h.stale() {
				e.chooseShare(h, rate, seen.length())
			}
			shorter[rate].Usual, shorter[rate].Most = h.usual(), h.quantile(mostPairs)
			s[rate] = shorter[rate]
		} else if rate > 0 && seen.slacks[rate-1].known() && s[rate-1].Most < s[rate].Most {
			s[rate] = s[rate-1] // few pairs have more errors than most
		} else if shorter[rate].Most > 0 && shorter[rate].Most < s[rate].Most {
			s[rate] = shorter[rate]
		}
	}
	return s
}

// chooseShare chooses the cheapest share of slack of pairs of a length and with a rate.
func (e *Estimator) chooseShare(h *slacks, rate, length int) {
	score := scoreOf(rate, length)
	h.choose(score, func(slack int) float64 {
		if work := e.Exact(length, kernel.Bound{Score: score, Slack: slack}).Work(score); work > 0 {
			return work
		}
		return math.Inf(1) // no kernel takes these pairs
	})
}

// Learn adds a runner's observations and clears them.
func (e *Estimator) Learn(o *Observations) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for class, any := range o.Any {
		if !any {
			continue
		}
		if e.seen[class] == nil {
			e.seen[class] = &rateHistogram{}
		}
		h, came := e.seen[class], 0.0
		for bin, n := range &o.Bins[class] {
			h.bins[bin] += float64(n)
			h.total += float64(n)
			h.since += float64(n)
			came += float64(n)
		}
		h.trial.learn(o.Gated[class], came)
		if told := o.slacks[class]; told != nil {
			for rate := range h.slacks {
				h.slacks[rate].learn(&told[rate])
			}
			*told = slackCounts{}
		}
		if seeds := o.seeds[class]; seeds != nil {
			h.seeds.learn(seeds)
			*seeds = [seedBins]uint32{}
		}
		h.spare.learn(o.probed[class], float64(e.now.Load()[class].Spare))
		o.probed[class] = PassCounts{}
		if passes := o.Passes[class]; passes != nil {
			h.passes.add(passes)
			*passes = SlackPasses{}
		}
		h.letters += o.Letters[class]
		for h.total > most {
			for i := range h.bins {
				h.bins[i] /= 2
			}
			h.total /= 2
			h.letters /= 2
		}
		h.fails = h.passes.fails()
		o.Bins[class], o.Letters[class], o.Gated[class], o.Any[class] = [rateBins]uint32{}, 0, PassCounts{}, false
	}
	e.update()
}

// Rates returns the rates at present. The caller does not change them.
func (e *Estimator) Rates() *Rates { return e.now.Load() }

// Use makes rates those at present, until more is learned.
func (e *Estimator) Use(r *Rates) { e.now.Store(r) }

// Gated returns how many gated passes of a class there were of late, and how many of these have
// failed, none while they rest.
func (e *Estimator) Gated(class int) PassCounts {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.of(class).trial.PassCounts
}

// nothingSeen stands for classes of which no pair has been. It is not written.
var nothingSeen rateHistogram

// of returns what has been seen of a class, to be read.
func (e *Estimator) of(class int) *rateHistogram {
	if h := e.seen[class]; h != nil {
		return h
	}
	return &nothingSeen
}

// Told reports whether enough results of a class have told the slack of scores of a rate.
func (e *Estimator) Told(class, rate int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.of(class).slacks[rate].known()
}

// update computes the rates anew. Lengths with too few observations have those of the
// next shorter ones, and gated passes where these do, or take bounding passes.
func (e *Estimator) update() {
	before := e.now.Load()
	now := *before
	changed := false
	from := -1
	var shorter SlackShares
	perSeed, spare := e.PerSeed, firstSpare
	for i := range e.seen {
		if i == LengthClasses { // of other pairs
			from, shorter, perSeed, spare = -1, SlackShares{}, e.PerSeed, firstSpare
		}
		h := e.of(i)
		version, first := h.version, !h.settled
		changed = changed || now[i].Rests != h.trial.rests()
		now[i].Rests = h.trial.rests()
		perSeed = h.seeds.perSeed(perSeed)
		if h.spare.known {
			spare = int(h.spare.diagonals)
		}
		changed = changed || now[i].PerSeed != perSeed || now[i].Spare != spare
		now[i].PerSeed, now[i].Spare = perSeed, spare
		slack := e.slackShares(i, &shorter)
		changed = changed || now[i].SlackShares != slack
		now[i].SlackShares = slack
		changed = changed || now[i].SlackFails != h.fails
		now[i].SlackFails = h.fails
		if h.total >= Enough {
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
		same := r.Known && r.Bound == e.seen[from].bound
		r.Bound, r.Again, r.Known, r.Own = e.seen[from].bound, e.seen[from].again, true, from == i
		b := &before[i]
		switch {
		case from == i:
			r.Bounding, r.Gated = h.bounding, h.gated
		case !same:
			r.Bounding = e.boundsUnseen(i, r)
		}
		stop := false // waiting pairs should not wait for gated passes
		if from < i {
			// The longer pairs are, the less a gated pass costs beside an exact one.
			r.Gated = e.seen[from].gated && !h.trial.rests()
			stop = b.Gated && !r.Gated
		}
		// The first choice of a class by scores of its own has no earlier one to beat.
		moved := math.Abs(b.Bound-r.Bound) > b.Bound/5 && !(b.Bounding && r.Bounding)
		first = first && (b.Bounding != r.Bounding || b.Gated != r.Gated || moved)
		if !b.Known || first || stop || version != h.version {
			r.Version++
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
func (e *Estimator) boundsUnseen(class int, r *Rate) bool {
	length := int(classLength(class))
	return BoundingIsLittle(e.BoundingWork(class, length), e.Exact, length, r.Likely(int(r.Bound*float64(length)), length))
}

// Passes once chosen remain until others take less than keepShare of their work. Scores that
// come in turns would make them alternate otherwise. Pairs that wait get the new passes if these
// take less than restartShare of the work, and save more than it costs to choose again.
const (
	keepShare    = 0.9
	restartShare = 0.75
	restartWork  = AgainWork // of a pair, in cells
)

// settle chooses the passes of pairs of a class whose rates are h, those with the least expected work unless
// the earlier choice is about as good. The version of h changes if pairs that wait should be
// given the new passes. r has the share of slack.
func (e *Estimator) settle(class int, h *rateHistogram, r *Rate) {
	p := newPasses(h, func(length, bound int) ExactPass { return e.Exact(length, r.Likely(bound, length)) })
	p.usual = &r.SlackShares
	p.boundingWork = e.BoundingWork(class, p.length)
	stop := h.gated && h.trial.rests() // waiting pairs should not wait for gated passes
	if stop {
		h.choice.gated = false
	}
	if e.GatedWork != nil && !h.trial.rests() {
		p.gatedWork, p.gatedFails = e.GatedWork(class, p.length), h.trial.share(EnoughTrials)
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
