package gpu

import (
	"math"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// mostSlack is a share of scores before others are known.
func mostSlack(score, _ int) int { return 3 * score / 4 }

// toldRate is that of the scores of told.
var toldRate = slackRate(100, 700)

// told makes observations of pairs of a class whose slack has some shares of their scores, in
// 255ths, as results tell them.
func told(class int, shares map[int]int) *observations {
	o := &observations{}
	for share, n := range shares {
		for range n {
			o.slack(&abi.Result{Score: 100, Flags: abi.Flags(share) << abi.FlagSlackShift}, 700, class)
		}
	}
	return o
}

// Results tell the slack of scores, which is no other flag.
func TestSlackOfResults(t *testing.T) {
	o := &observations{}
	r := abi.Result{Score: 100, Flags: 255<<abi.FlagSlackShift | abi.FlagTrace}
	o.slack(&r, 700, 3)
	if r.Flags != abi.FlagTrace || o.slacks[3][toldRate][slackBins-1] != 1 || !o.any[3] {
		t.Errorf("flags %#x, %v", r.Flags, o.slacks[3])
	}
	none := abi.Result{Score: 100, Flags: abi.FlagOpen}
	if o.slack(&none, 700, 4); none.Flags != abi.FlagOpen || o.any[4] {
		t.Errorf("flags %#x, %v", none.Flags, o.slacks[4])
	}
}

// Classes of rates go from some to a power of two, and scores beyond are in the first and in the last.
func TestSlackRates(t *testing.T) {
	for rate := range slackRates {
		if got := slackRate(scoreOf(rate, 1<<20), 1<<20); got != rate {
			t.Errorf("a score of class %d is in class %d", rate, got)
		}
	}
	if slackRate(0, 0) != 24 || slackRate(1, 1<<20) != 0 || slackRate(1<<20, 1) != slackRates-1 || slackRate(200, 100)-slackRate(100, 100) != ratesPerOctave {
		t.Errorf("classes %d, %d, %d, %d, %d", slackRate(0, 0), slackRate(1, 1<<20), slackRate(1<<20, 1), slackRate(200, 100), slackRate(100, 100))
	}
}

// Rates tell the usual share of slack, and one that few pairs exceed: of a class or, if that is
// less than what is usual, of the next shorter one.
func TestSlackShares(t *testing.T) {
	e := estimator{usualSlack: mostSlack, boundingWork: noBounding, exact: wavefronts}
	e.start(0.2)
	type shares = struct{ usual, most float32 }
	at := func(class int) shares { return e.rates()[class].slackShares[toldRate] }
	unknown := at(9)
	if s := unknown; s.usual != s.most || s.usual < 0.7 || s.usual > 0.76 {
		t.Errorf("%v at first", s)
	}
	e.learn(told(9, map[int]int{100: enoughSlacks - 1}))
	if at(9) != unknown {
		t.Errorf("%v after too few pairs", at(9))
	}
	e.learn(told(9, map[int]int{100: 800, 150: 150, 254: 50}))
	for class, want := range map[int]shares{8: at(8), 9: {100. / 255, 150. / 255}, 12: {100. / 255, 150. / 255}} {
		if at(class) != want {
			t.Errorf("class %d: %v, want %v", class, at(class), want)
		}
	}
	if next, other := e.rates()[9].slackShares[toldRate+1], e.rates()[9].slackShares[toldRate+2]; next != at(9) || other.usual < 0.7 {
		t.Errorf("%v of the next rate, %v of another one", next, other)
	}
	if b, u := e.rates()[9].likely(1000, 7000), e.rates()[9].upper(1000, 7000); b != (kernel.Bound{Score: 1000, Slack: 393}) || u != (kernel.Bound{Score: 1000, Slack: 589}) {
		t.Errorf("%v, %v", b, u)
	}
	e.learn(told(10, map[int]int{240: 100}))
	if s := at(10); s.usual < 0.9 {
		t.Errorf("%v, of its own pairs", s)
	}
	if s := at(11); s != e.unknown[11][toldRate] {
		t.Errorf("%v, where shorter pairs have more than what is usual", s)
	}
	s := &e.seen[9].slacks[toldRate]
	for slack, want := range map[int]float64{100: 0, 420: 0.81, 600: 0.95, 990: 0.95, 1000: 1} {
		if got := s.within(slack, 1000, 0.75); math.Abs(got-want) > 0.01 {
			t.Errorf("slacks up to %d of 1000: %v, want %v", slack, got, want)
		}
	}
	// What came long ago fades.
	for range 200 {
		e.learn(told(9, map[int]int{200: 500}))
	}
	if got := at(9).usual; got < 0.78 || got > 0.82 || s.total > mostSlacks+1 {
		t.Errorf("%v of %v pairs", got, s.total)
	}
}

// A pass whose band certifies scores by their slack may have a bound below the scores of many
// pairs: it aligns those that have as little slack as others.
func TestSlackOfPasses(t *testing.T) {
	for _, bySlack := range []bool{false, true} {
		exact := func(_ int, b kernel.Bound) exactPass {
			pass := withinBound(b, func(int) float64 { return 1e5 * float64(b.Slack) })
			if bySlack {
				pass.certified, pass.most = b.Slack+b.Slack/4, b.Score+b.Score/4
			}
			return pass
		}
		e := estimator{usualSlack: mostSlack, boundingWork: noBounding, exact: exact}
		e.start(0.2)
		o := &observations{}
		for i := range 1000 {
			o.slack(&abi.Result{Score: int32(300 + i/10), Flags: 100 << abi.FlagSlackShift}, 1000, 9)
			o.add(300+i/10, 1000, 9)
		}
		e.learn(o)
		bound := 1000 * e.rates()[9].bound
		if !bySlack && bound < 395 || bySlack && (bound < 310 || bound > 380) {
			t.Errorf("certified by slack %v: bound %v", bySlack, bound)
		}
	}
}

// With a limit, passes of a pattern within a text end, however far the score that a band finds is
// above the limit: the next band certifies the limit.
func TestSlackBeyondTheLimit(t *testing.T) {
	o := spanOptionsOf(endsFree(align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, Free: freeText})[0])
	for _, tc := range []struct{ length, limit int }{{10_000, 900}, {3000, 450}, {5000, 2000}, {1000, 300}} {
		o.Cutoff = tc.limit
		p := &openEmulated(t, o).policy
		var r rates
		for i := range r {
			r[i] = rate{bound: 0.2, again: 0.4, known: true}
			for rate := range r[i].slackShares {
				r[i].slackShares[rate].usual, r[i].slackShares[rate].most = 0.5, 0.7
			}
		}
		length, score := tc.length, 27*tc.length/10
		k := task{pattern: int32(length), text: int32(length + 100), class: uint8(lengthClass(length + 100))}
		err := p.firstWithin(&k, false, 0, &r, nil)
		for passes := 0; err == nil && !p.spanned(&k); passes++ {
			if passes == 6 {
				t.Fatalf("%d letters, limit %d: %+v after %d passes", length, tc.limit, k, passes)
			}
			upper := kernel.Bound{}
			if p.kernels.Seeded(int(k.kernel)) { // without a broken seed
				upper.Score = score
				if !p.kernels.Kernels[k.kernel].Takes(length, length+100, int(k.bound)) {
					upper.Slack = score
				}
			}
			_, err = p.next(&k, 0, upper, &r, nil)
		}
		if err != nil && err != errBeyond {
			t.Errorf("%d letters, limit %d: %v", length, tc.limit, err)
		}
	}
}

// spanned reports whether a task has a pass over the whole matrix.
func (p *policy) spanned(t *task) bool { return p.family(t) == "span" }

// A pair whose score a band has not certified goes on with a band that certifies it, also if the
// score is within its bound or the limit.
func TestSlackOfNextPass(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, limit := range []int{0, 3000} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, Cutoff: limit, families: gotohFamilies})
		policy, r, bounds := &e.policy, e.estimate.rates(), *e.scheduler.maxBounds.Load()
		first := task{pattern: 10_000, text: 10_000, class: 13}
		likely := *r
		likely[13].slackShares[slackRate(2900, 10_000)].most = 400. / 2900
		policy.bounded(&first, 2900, &likely, bounds)
		narrow := policy.kernels.Certified(int(first.kernel), 10_000, 10_000)
		next := first
		_, err := policy.next(&next, 0, kernel.Bound{Score: 2800, Slack: 1500}, r, bounds)
		if certified := policy.kernels.Certified(int(next.kernel), 10_000, 10_000); err != nil || certified < 1500 || narrow >= 1500 || next.bound != 2800 || next.attempts != exceeded {
			t.Errorf("limit %d: %v, %+v certifies a slack of %d, after %d", limit, err, next, certified, narrow)
		}
	}
}

// usualOf returns an estimator's shares of slack after pairs of one rate have told theirs. A pass
// takes some work for a slack, as a part of the score.
func usualOf(shares map[int]int, work func(part float64) float64) (usual, most float32) {
	e := estimator{usualSlack: mostSlack, boundingWork: noBounding, exact: bySlack(work, new(int))}
	e.start(0.2)
	o := told(9, shares)
	o.add(100, 700, 9)
	e.learn(o)
	s := e.rates()[9].slackShares[toldRate]
	return s.usual, s.most
}

// bySlack is an estimator's exact pass whose work depends on the part of the score that is slack. It counts its uses.
func bySlack(work func(part float64) float64, uses *int) func(int, kernel.Bound) exactPass {
	return func(_ int, b kernel.Bound) exactPass {
		*uses++
		return withinBound(b, func(score int) float64 { return work(float64(b.Slack) / float64(score)) })
	}
}

// The usual share of slack is the one with the least expected work, if that is above what three
// quarters of the pairs have, and no more than nine in ten have, which is the one that few pairs
// exceed.
func TestUsualSlackTakesTheLeastWork(t *testing.T) {
	steep := func(part float64) float64 { return 1e6 * math.Exp2(20*part) }
	flat := func(part float64) float64 { return 1e6 * (1 + part/10) }
	tail := map[int]int{100: 800, 130: 60, 140: 60, 200: 80}
	for _, tc := range []struct {
		name        string
		shares      map[int]int
		work        func(part float64) float64
		usual, most float32
	}{
		{"other passes cost less", tail, steep, 100, 140},
		{"other passes cost more", tail, flat, 140, 140},
		{"in between", tail, func(part float64) float64 {
			if part > 0.53 {
				return 1e7
			}
			return flat(part)
		}, 130, 140},
		{"low shares cost least", map[int]int{20: 700, 100: 300}, steep, 100, 100},
		{"whole matrices cost as little", map[int]int{100: 980, 250: 20}, func(float64) float64 { return 1e6 }, 100, 100},
		{"no kernel takes much slack", tail, func(part float64) float64 {
			if part > 0.53 {
				return 0
			}
			return flat(part)
		}, 130, 140},
	} {
		if usual, most := usualOf(tc.shares, tc.work); usual != tc.usual/255 || most != tc.most/255 {
			t.Errorf("%s: %v and %v, want %v and %v", tc.name, 255*usual, 255*most, tc.usual, tc.most)
		}
	}
}

// Work is compared again when an eighth more pairs have told their slack, and is that of the lengths seen.
func TestUsualSlackIsKept(t *testing.T) {
	uses, longest := 0, 0
	pass := bySlack(func(part float64) float64 { return 1e6 * (1 + part/10) }, &uses)
	e := estimator{usualSlack: mostSlack, boundingWork: noBounding}
	e.exact = func(length int, b kernel.Bound) exactPass {
		longest = max(longest, length)
		return pass(length, b)
	}
	e.start(0.2)
	learn := func(o *observations) int {
		before := uses
		e.learn(o)
		return uses - before
	}
	if n := learn(told(9, map[int]int{100: 850, 200: 150})); n != 0 {
		t.Errorf("%d passes for pairs whose lengths are not known", n)
	}
	scores := &observations{}
	scores.add(100, 700, 9)
	if learn(scores) == 0 || longest != 700 || e.rates()[9].slackShares[toldRate].usual != 200./255 {
		t.Errorf("%v of pairs of %d letters", e.rates()[9].slackShares[toldRate], longest)
	}
	if n := learn(told(9, map[int]int{150: 125})); n != 0 {
		t.Errorf("%d passes after few more pairs", n)
	}
	if n := learn(told(9, map[int]int{150: 1})); n != shareSteps+1 {
		t.Errorf("%d passes after an eighth more", n)
	}
	for range 30 { // older pairs fade; their number does not
		learn(told(9, map[int]int{150: 2000}))
	}
	if n := learn(told(9, map[int]int{150: 2000})); n != 0 {
		t.Errorf("%d passes after few of many more", n)
	}
	if n := learn(told(9, map[int]int{150: 9000})); n != shareSteps+1 {
		t.Errorf("%d passes after an eighth of many more", n)
	}
}
