package gpu

import (
	"math"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// told makes observations of pairs of a class whose slack has some shares of their scores, in 255ths, as results tell them.
func told(class int, shares map[int]int) *observations {
	o := &observations{}
	for share, n := range shares {
		for range n {
			o.slack(&abi.Result{Score: 100, Flags: abi.Flags(share) << abi.FlagSlackShift}, class)
		}
	}
	return o
}

// Results tell the slack of scores, which is no other flag.
func TestSlackOfResults(t *testing.T) {
	o := &observations{}
	r := abi.Result{Score: 100, Flags: 255<<abi.FlagSlackShift | abi.FlagTrace}
	o.slack(&r, 3)
	if r.Flags != abi.FlagTrace || o.slacks[3][slackBins-1] != 1 || !o.any[3] {
		t.Errorf("flags %#x, %v", r.Flags, o.slacks[3])
	}
	none := abi.Result{Score: 100, Flags: abi.FlagOpen}
	if o.slack(&none, 4); none.Flags != abi.FlagOpen || o.any[4] {
		t.Errorf("flags %#x, %v", none.Flags, o.slacks[4])
	}
}

// Rates tell the usual share of slack, and one that few pairs exceed: of a class or of the next shorter one.
func TestSlackShares(t *testing.T) {
	e := estimator{boundingWork: noBounding, exact: wavefronts}
	e.start(0.2)
	if s := e.rates()[9].slackShares; s != (slackShares{unknownSlack, unknownSlack}) {
		t.Errorf("%v at first", s)
	}
	free := estimator{boundingWork: noBounding, exact: wavefronts, within: true}
	if free.start(0.2); free.rates()[9].usual != unknownWithin {
		t.Errorf("%v at first, within texts", free.rates()[9].slackShares)
	}
	e.learn(told(9, map[int]int{100: enoughSlacks - 1}))
	if s := e.rates()[9].usual; s != unknownSlack {
		t.Errorf("%v after too few pairs", s)
	}
	e.learn(told(9, map[int]int{100: 700, 150: 250, 254: 50}))
	for class, want := range map[int]slackShares{8: {unknownSlack, unknownSlack}, 9: {0.40625, 0.59375}, 12: {0.40625, 0.59375}} {
		if s := e.rates()[class].slackShares; s != want {
			t.Errorf("class %d: %v, want %v", class, s, want)
		}
	}
	if b, u := e.rates()[9].likely(1000), e.rates()[9].upper(1000); b != (kernel.Bound{Score: 1000, Slack: 407}) || u != (kernel.Bound{Score: 1000, Slack: 594}) {
		t.Errorf("%v, %v", b, u)
	}
	s := &e.seen[9].slacks
	for slack, want := range map[int]float64{100: 0, 420: 0.71, 600: 0.95, 999: 0.95, 1000: 1} {
		if got := s.within(slack, 1000, 0.75); math.Abs(got-want) > 0.01 {
			t.Errorf("slacks up to %d of 1000: %v, want %v", slack, got, want)
		}
	}
	// What came long ago fades.
	for range 200 {
		e.learn(told(9, map[int]int{200: 500}))
	}
	if got := e.rates()[9].usual; got < 0.78 || got > 0.82 || s.total > mostSlacks+1 {
		t.Errorf("%v of %v pairs", got, s.total)
	}
}

// A pass whose band certifies scores by their slack may have a bound below the scores of many pairs: it aligns those that
// have as little slack as others.
func TestSlackOfPasses(t *testing.T) {
	for _, bySlack := range []bool{false, true} {
		exact := func(_ int, b kernel.Bound) exactPass {
			pass := withinBound(func(int) float64 { return 1e5 * float64(b.Slack) })
			if bySlack {
				pass.certified = b.Slack + b.Slack/4
			}
			return pass
		}
		e := estimator{boundingWork: noBounding, exact: exact}
		e.start(0.2)
		o := told(9, map[int]int{100: 1000})
		for i := range 1000 {
			o.add(300+i/10, 1000, 9)
		}
		e.learn(o)
		bound := 1000 * e.rates()[9].bound
		if !bySlack && bound < 395 || bySlack && (bound < 310 || bound > 380) {
			t.Errorf("certified by slack %v: bound %v", bySlack, bound)
		}
	}
}

// With a limit, passes of a pattern within a text end, however far the score that a band finds is above the limit: the next band
// certifies the limit.
func TestSlackBeyondTheLimit(t *testing.T) {
	o := spanOptionsOf(endsFree(align.Options{Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, Free: freeText})[0])
	for _, tc := range []struct{ length, limit int }{{10_000, 900}, {3000, 450}, {5000, 2000}, {1000, 300}} {
		o.Cutoff = tc.limit
		p := &openEmulated(t, o).policy
		var r rates
		for i := range r {
			r[i] = rate{bound: 0.2, again: 0.4, known: true, slackShares: slackShares{0.5, 0.7}}
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
				if p.kernels.Certified(int(k.kernel), length, length+100) < int(k.bound) {
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

// A pair whose score a band has not certified goes on with a band that certifies it, also if the score is within its bound or
// the limit.
func TestSlackOfNextPass(t *testing.T) {
	p := align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}
	for _, limit := range []int{0, 3000} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, Cutoff: limit, families: gotohFamilies})
		policy, r, bounds := &e.policy, e.estimate.rates(), *e.scheduler.maxBounds.Load()
		first := task{pattern: 10_000, text: 10_000, class: 13}
		policy.bounded(&first, kernel.Bound{Score: min(2900, policy.limit), Slack: 400}, bounds)
		narrow := policy.kernels.Certified(int(first.kernel), 10_000, 10_000)
		next := first
		_, err := policy.next(&next, 0, kernel.Bound{Score: 2800, Slack: 1500}, r, bounds)
		if certified := policy.kernels.Certified(int(next.kernel), 10_000, 10_000); err != nil || certified < 1500 || narrow >= 1500 || next.bound != 2800 || next.attempts != exceeded {
			t.Errorf("limit %d: %v, %+v certifies a slack of %d, after %d", limit, err, next, certified, narrow)
		}
	}
}
