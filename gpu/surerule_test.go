package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
)

// afterSlack is a pair within a text after a band whose result tells an upper bound of the score
// and a slack. Passes for such slacks have failed in some part.
func afterSlack(t *testing.T, p *policy, r *estimate.Rates, length int, upper kernel.Bound, fails float32) (k task, certified int) {
	t.Helper()
	known := *r
	k = task{pattern: int32(length), text: int32(length + 100), class: uint8(estimate.LengthClass(length + 100)), bound: int32(upper.Score - 1)}
	k.kernel = uint8(kernelOf(p, "gotoh_free"))
	known[k.class].SlackFails[estimate.ToldSlack][estimate.SlackRate(upper.Score, length)] = fails
	if _, err := p.next(&k, 0, upper, &known, nil); err != nil {
		t.Fatal(err)
	}
	return k, p.kernels.Certified(int(k.kernel), length, length+100)
}

// kernelOf returns a kernel of a family.
func kernelOf(p *policy, family string) (kernel int) {
	for p.kernels.Kernels[kernel].Family().Name != family {
		kernel++
	}
	return kernel
}

// A pair whose result tells a slack takes a band for that, unless such passes often fail: then it
// takes one that needs none, or a whole matrix, where that takes little more. What a band with rims
// tells of the score is no bound that is certain.
func TestToldOrSure(t *testing.T) {
	p, r := within231(t, 0.2)
	p.words.Store(1 << 35)
	for _, tc := range []struct {
		name         string
		length       int
		score, slack int
		fails        float32
		family       string
		attempts     uint8
	}{
		{"no pass is known to fail", 6000, 1800, 400, 0, "gotoh_free", slackTold},
		{"few fail", 6000, 1800, 400, 0.05, "gotoh_free", slackTold},
		{"many fail", 6000, 1800, 400, 0.5, "block_free", 1},
		{"many fail that take little", 6000, 1800, 100, 0.5, "gotoh_free", slackTold},
		{"nearly all fail that take little", 6000, 1800, 100, 0.9, "block_free", 1},
		{"wavefronts take no longer", 6000, 600, 300, 0, "block_free", 1},
		{"the score takes a whole matrix", 100_000, 30_000, 3000, 0.5, "gotoh_free", slackTold},
		{"the same, and nearly all fail", 100_000, 30_000, 3000, 0.95, "span", 0},
	} {
		k, certified := afterSlack(t, p, r, tc.length, kernel.Bound{Score: tc.score, Slack: tc.slack}, tc.fails)
		if p.family(&k) != tc.family || k.attempts != tc.attempts || certified < tc.slack || tc.attempts != 0 && int(k.bound) != tc.score {
			t.Errorf("%s: %s, which certifies a slack of %d, %+v", tc.name, p.family(&k), certified, k)
		}
		if slack := certified < kernel.MaxBound; slack != (tc.attempts == slackTold) {
			t.Errorf("%s: a slack of %d matters: %v", tc.name, certified, slack)
		}
	}
	// A matrix that may not fit into memory is none.
	whole := int64(p.kernels.WholeWords(p.kernels.Span(100_000, 100_100), 100_000, 100_100))
	for words, family := range map[int64]string{2 * whole: "span", 2*whole - 2: "gotoh_free"} {
		p.words.Store(words)
		if k, _ := afterSlack(t, p, r, 100_000, kernel.Bound{Score: 30_000, Slack: 3000}, 0.95); p.family(&k) != family {
			t.Errorf("a matrix of %d words and memory of %d: %s", whole, words, p.family(&k))
		}
	}
	// Without a slack, the bound is the likely one for an upper bound.
	for _, fails := range []float32{0, 0.9} {
		if k, _ := afterSlack(t, p, r, 6000, kernel.Bound{Score: 1800}, fails); k.attempts != 1 || p.family(&k) != "gotoh_free" {
			t.Errorf("no slack: %s, %+v", p.family(&k), k)
		}
	}
}

// Where no kernel is sure, a pair takes the band for its slack, however many fail.
func TestToldWithoutSure(t *testing.T) {
	o := spanOptionsOf(endsFree(align.Options{Penalties: align.DefaultPenalties, Free: freeText})[0])
	o.families = "gotoh_free gotoh"
	e := openEmulated(t, o)
	for _, fails := range []float32{0, 0.9, 1} {
		k, certified := afterSlack(t, &e.policy, e.estimate.Rates(), 100_000, kernel.Bound{Score: 30_000, Slack: 3000}, fails)
		if k.attempts != slackTold || certified < 3000 {
			t.Errorf("%v fail: %+v", fails, k)
		}
	}
}

// globalAndWithin returns policies of global pairs and of patterns within texts, and rates.
func globalAndWithin(t *testing.T) ([]*policy, *estimate.Rates) {
	t.Helper()
	within, r := within231(t, 0.2)
	within.words.Store(1 << 35)
	global := openEmulated(t, Options{Penalties: align.DefaultPenalties})
	return []*policy{&global.policy, within}, r
}

// A pair with an upper bound of its score takes a band for a likely slack, unless such passes often
// fail: then it takes a sure one.
func TestLikelyOrSure(t *testing.T) {
	const length, score = 16_000, 2300
	policies, r := globalAndWithin(t)
	for _, p := range policies {
		for _, tc := range []struct {
			share, fails float32
			sure         bool
		}{{0.06, 0, false}, {0.06, 0.05, false}, {0.06, 0.9, true}, {0.06, 1, true}, {0.9, 0, true}} {
			known := *r
			class := estimate.LengthClass(length)
			known[class].SlackShares[estimate.SlackRate(score, length)].Most = tc.share
			known[class].SlackFails[estimate.LikelySlack][estimate.SlackRate(score, length)] = tc.fails
			known[class].SlackFails[estimate.ToldSlack][estimate.SlackRate(score, length)] = 1 - tc.fails
			k := task{pattern: length, text: length, class: uint8(class)}
			if err := p.known(&k, score, &known, nil); err != nil {
				t.Fatal(err)
			}
			certified := p.kernels.Certified(int(k.kernel), length, length)
			if sure := certified >= score; sure != tc.sure || k.attempts != certain || int(k.bound) < score {
				t.Errorf("%+v: %s, which certifies a slack of %d, %+v", tc, p.family(&k), certified, k)
			}
			if from, ok := p.passFor(&k); ok == tc.sure || ok && from != estimate.LikelySlack {
				t.Errorf("%+v: a pass for a slack: %v", tc, ok)
			}
		}
	}
}

// A pass for a likely slack has failed if a sure one would have taken less work than it and the one
// that follows; one for a slack that a result has told has failed whatever follows.
func TestFailedFor(t *testing.T) {
	const length, score = 16_000, 2300
	policies, _ := globalAndWithin(t)
	for _, p := range policies {
		k := task{pattern: length, text: length, bound: score, attempts: certain}
		band := func(slack int) task {
			next := k
			n, _ := p.kernels.Bounded(length, length, kernel.Bound{Score: score, Slack: slack}, nil)
			next.kernel = uint8(n)
			return next
		}
		first, wider, sure := band(100), band(200), band(score)
		if p.family(&first) == p.family(&sure) || first.kernel == wider.kernel {
			t.Fatalf("%s, %s", p.family(&first), p.family(&sure))
		}
		for _, tc := range []struct {
			next     task
			attempts uint8
			want     bool
		}{{wider, certain, p.spans}, {sure, certain, true}, {wider, slackTold, true}} {
			first.attempts = tc.attempts
			if got := p.failedFor(&first, &tc.next, nil); got != tc.want {
				t.Errorf("spans %v, %s after %s, attempts %d: failed %v", p.spans, p.family(&tc.next), p.family(&first), tc.attempts, got)
			}
		}
	}
}
