package estimate

import (
	"math"
	"testing"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// mostSlack is a share of scores before others are known.
func mostSlack(score, _ int) int { return 3 * score / 4 }

// toldRate is that of the scores of told.
var toldRate = SlackRate(100, 700)

// told makes observations of pairs of a class whose slack has some shares of their scores, in
// 255ths, as results tell them.
func told(class int, shares map[int]int) *Observations {
	o := &Observations{}
	for share, n := range shares {
		for range n {
			o.Slack(&abi.Result{Score: 100, Flags: abi.Flags(share) << abi.FlagSlackShift}, 700, class)
		}
	}
	return o
}

// Results tell the slack of scores, which is no other flag.
func TestSlackOfResults(t *testing.T) {
	o := &Observations{}
	r := abi.Result{Score: 100, Flags: 255<<abi.FlagSlackShift | abi.FlagTrace}
	o.Slack(&r, 700, 3)
	if r.Flags != abi.FlagTrace || o.slacks[3][toldRate][slackBins-1] != 1 || !o.Any[3] {
		t.Errorf("flags %#x, %v", r.Flags, o.slacks[3])
	}
	none := abi.Result{Score: 100, Flags: abi.FlagOpen}
	if o.Slack(&none, 700, 4); none.Flags != abi.FlagOpen || o.Any[4] {
		t.Errorf("flags %#x, %v", none.Flags, o.slacks[4])
	}
}

// Classes of rates go from some to a power of two, and scores beyond are in the first and in the last.
func TestSlackRates(t *testing.T) {
	for rate := range slackRates {
		if got := SlackRate(scoreOf(rate, 1<<20), 1<<20); got != rate {
			t.Errorf("a score of class %d is in class %d", rate, got)
		}
	}
	if SlackRate(0, 0) != 24 || SlackRate(1, 1<<20) != 0 || SlackRate(1<<20, 1) != slackRates-1 || SlackRate(200, 100)-SlackRate(100, 100) != ratesPerOctave {
		t.Errorf("classes %d, %d, %d, %d, %d", SlackRate(0, 0), SlackRate(1, 1<<20), SlackRate(1<<20, 1), SlackRate(200, 100), SlackRate(100, 100))
	}
}

// Rates tell the usual share of slack, and one that few pairs exceed: of a class or, if that is
// less than what is usual, of the next shorter one.
func TestSlackShares(t *testing.T) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: wavefronts}
	e.Start(0.2)
	type shares = struct{ Usual, Most float32 }
	at := func(class int) shares { return e.Rates()[class].SlackShares[toldRate] }
	unknown := at(9)
	if s := unknown; s.Usual != s.Most || s.Usual < 0.7 || s.Usual > 0.76 {
		t.Errorf("%v at first", s)
	}
	e.Learn(told(9, map[int]int{100: enoughSlacks - 1}))
	if at(9) != unknown {
		t.Errorf("%v after too few pairs", at(9))
	}
	e.Learn(told(9, map[int]int{100: 800, 150: 150, 254: 50}))
	for class, want := range map[int]shares{8: at(8), 9: {100. / 255, 150. / 255}, 12: {100. / 255, 150. / 255}} {
		if at(class) != want {
			t.Errorf("class %d: %v, want %v", class, at(class), want)
		}
	}
	if next, other := e.Rates()[9].SlackShares[toldRate+1], e.Rates()[9].SlackShares[toldRate+2]; next != at(9) || other.Usual < 0.7 {
		t.Errorf("%v of the next rate, %v of another one", next, other)
	}
	if b, u := e.Rates()[9].Likely(1000, 7000), e.Rates()[9].Upper(1000, 7000); b != (kernel.Bound{Score: 1000, Slack: 393}) || u != (kernel.Bound{Score: 1000, Slack: 589}) {
		t.Errorf("%v, %v", b, u)
	}
	e.Learn(told(10, map[int]int{240: 100}))
	if s := at(10); s.Usual < 0.9 {
		t.Errorf("%v, of its own pairs", s)
	}
	if s := at(11); s != e.unknown[11][toldRate] {
		t.Errorf("%v, where shorter pairs have more than what is usual", s)
	}
	s := &e.of(9).slacks[toldRate]
	for slack, want := range map[int]float64{100: 0, 420: 0.81, 600: 0.95, 990: 0.95, 1000: 1} {
		if got := s.within(slack, 1000, 0.75); math.Abs(got-want) > 0.01 {
			t.Errorf("slacks up to %d of 1000: %v, want %v", slack, got, want)
		}
	}
	// What came long ago fades.
	for range 200 {
		e.Learn(told(9, map[int]int{200: 500}))
	}
	if got := at(9).Usual; got < 0.78 || got > 0.82 || s.total > mostSlacks+1 {
		t.Errorf("%v of %v pairs", got, s.total)
	}
}

// A pass whose band certifies scores by their slack may have a bound below the scores of many
// pairs: it aligns those that have as little slack as others.
func TestSlackOfPasses(t *testing.T) {
	for _, bySlack := range []bool{false, true} {
		exact := func(_ int, b kernel.Bound) ExactPass {
			pass := withinBound(b, func(int) float64 { return 1e5 * float64(b.Slack) })
			if bySlack {
				pass.Certified, pass.Most = b.Slack+b.Slack/4, b.Score+b.Score/4
			}
			return pass
		}
		e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: exact}
		e.Start(0.2)
		o := &Observations{}
		for i := range 1000 {
			o.Slack(&abi.Result{Score: int32(300 + i/10), Flags: 100 << abi.FlagSlackShift}, 1000, 9)
			o.Add(300+i/10, 1000, 9)
		}
		e.Learn(o)
		bound := 1000 * e.Rates()[9].Bound
		if !bySlack && bound < 395 || bySlack && (bound < 310 || bound > 380) {
			t.Errorf("certified by slack %v: bound %v", bySlack, bound)
		}
	}
}

// usualOf returns an estimator's shares of slack after pairs of one rate have told theirs. A pass
// takes some work for a slack, as a part of the score.
func usualOf(shares map[int]int, work func(part float64) float64) (usual, most float32) {
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding, Exact: bySlack(work, new(int))}
	e.Start(0.2)
	o := told(9, shares)
	o.Add(100, 700, 9)
	e.Learn(o)
	s := e.Rates()[9].SlackShares[toldRate]
	return s.Usual, s.Most
}

// bySlack is an estimator's exact pass whose work depends on the part of the score that is slack. It counts its uses.
func bySlack(work func(part float64) float64, uses *int) func(int, kernel.Bound) ExactPass {
	return func(_ int, b kernel.Bound) ExactPass {
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
	e := Estimator{UsualSlack: mostSlack, BoundingWork: noBounding}
	e.Exact = func(length int, b kernel.Bound) ExactPass {
		longest = max(longest, length)
		return pass(length, b)
	}
	e.Start(0.2)
	learn := func(o *Observations) int {
		before := uses
		e.Learn(o)
		return uses - before
	}
	if n := learn(told(9, map[int]int{100: 850, 200: 150})); n != 0 {
		t.Errorf("%d passes for pairs whose lengths are not known", n)
	}
	scores := &Observations{}
	scores.Add(100, 700, 9)
	if learn(scores) == 0 || longest != 700 || e.Rates()[9].SlackShares[toldRate].Usual != 200./255 {
		t.Errorf("%v of pairs of %d letters", e.Rates()[9].SlackShares[toldRate], longest)
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
