package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// afterSlack is a pair within a text after a band whose result tells an upper bound of the score
// and a slack. Passes for such slacks have failed in some part.
func afterSlack(t *testing.T, p *passes.Policy, r *estimate.Rates, length int, upper kernel.Bound, fails float32) (k passes.Task, certified int) {
	t.Helper()
	known := *r
	k = passes.Task{Pattern: int32(length), Text: int32(length + 100), Class: uint8(estimate.LengthClass(length + 100)), Bound: int32(upper.Score - 1)}
	k.Kernel = uint8(kernelOf(p, "gotoh_free"))
	known[k.Class].SlackFails[estimate.ToldSlack][estimate.SlackRate(upper.Score, length)] = fails
	if _, err := p.Next(&k, 0, upper, &known, nil); err != nil {
		t.Fatal(err)
	}
	return k, p.Kernels.Certified(int(k.Kernel), length, length+100)
}

// kernelOf returns a kernel of a family.
func kernelOf(p *passes.Policy, family string) (kernel int) {
	for p.Kernels.Kernels[kernel].Family().Name != family {
		kernel++
	}
	return kernel
}

// A pair whose result tells a slack takes a band for that, unless such passes often fail: then it
// takes one that needs none, or a whole matrix, where that takes little more. What a band with rims
// tells of the score is no bound that is certain.
func TestToldOrSure(t *testing.T) {
	p, r := within231(t, 0.2)
	p.Words.Store(1 << 35)
	for _, tc := range []struct {
		name         string
		length       int
		score, slack int
		fails        float32
		family       string
		attempts     uint8
	}{
		{"no pass is known to fail", 6000, 1800, 400, 0, "gotoh_free", passes.SlackTold},
		{"few fail", 6000, 1800, 400, 0.05, "gotoh_free", passes.SlackTold},
		{"many fail", 6000, 1800, 400, 0.5, "block_free", 1},
		{"many fail that take little", 6000, 1800, 100, 0.5, "gotoh_free", passes.SlackTold},
		{"nearly all fail that take little", 6000, 1800, 100, 0.9, "block_free", 1},
		{"wavefronts take no longer", 6000, 600, 300, 0, "block_free", 1},
		{"the score takes a whole matrix", 100_000, 30_000, 3000, 0.5, "gotoh_free", passes.SlackTold},
		{"the same, and nearly all fail", 100_000, 30_000, 3000, 0.95, "span", 0},
	} {
		k, certified := afterSlack(t, p, r, tc.length, kernel.Bound{Score: tc.score, Slack: tc.slack}, tc.fails)
		if family(p, &k) != tc.family || k.Attempts != tc.attempts || certified < tc.slack || tc.attempts != 0 && int(k.Bound) != tc.score {
			t.Errorf("%s: %s, which certifies a slack of %d, %+v", tc.name, family(p, &k), certified, k)
		}
		if slack := certified < kernel.MaxBound; slack != (tc.attempts == passes.SlackTold) {
			t.Errorf("%s: a slack of %d matters: %v", tc.name, certified, slack)
		}
	}
	// A matrix that may not fit into memory is none.
	whole := int64(p.Kernels.WholeWords(p.Kernels.Span(100_000, 100_100), 100_000, 100_100))
	for words, want := range map[int64]string{2 * whole: "span", 2*whole - 2: "gotoh_free"} {
		p.Words.Store(words)
		if k, _ := afterSlack(t, p, r, 100_000, kernel.Bound{Score: 30_000, Slack: 3000}, 0.95); family(p, &k) != want {
			t.Errorf("a matrix of %d words and memory of %d: %s", whole, words, family(p, &k))
		}
	}
	// Without a slack, the bound is the likely one for an upper bound.
	for _, fails := range []float32{0, 0.9} {
		if k, _ := afterSlack(t, p, r, 6000, kernel.Bound{Score: 1800}, fails); k.Attempts != 1 || family(p, &k) != "gotoh_free" {
			t.Errorf("no slack: %s, %+v", family(p, &k), k)
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
		if k.Attempts != passes.SlackTold || certified < 3000 {
			t.Errorf("%v fail: %+v", fails, k)
		}
	}
}

// Of pairs whose passes for a slack mostly fail, one of 32 takes such a pass all the same.
func TestSomeTryAgain(t *testing.T) {
	p, r := within231(t, 0.2)
	p.Words.Store(1 << 35)
	tried := 0
	for range 320 {
		if k, _ := afterSlack(t, p, r, 6000, kernel.Bound{Score: 1800, Slack: 400}, 1); k.Attempts == passes.SlackTold {
			tried++
		}
	}
	if tried != 10 {
		t.Errorf("%d of 320 pairs are tried again", tried)
	}
}

// globalAndWithin returns policies of global pairs and of patterns within texts, and rates.
func globalAndWithin(t *testing.T) ([]*passes.Policy, *estimate.Rates) {
	t.Helper()
	within, r := within231(t, 0.2)
	within.Words.Store(1 << 35)
	global := openEmulated(t, Options{Penalties: align.DefaultPenalties})
	return []*passes.Policy{&global.policy, within}, r
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
			k := passes.Task{Pattern: length, Text: length, Class: uint8(class)}
			if err := p.Known(&k, score, &known, nil); err != nil {
				t.Fatal(err)
			}
			certified := p.Kernels.Certified(int(k.Kernel), length, length)
			if sure := certified >= score; sure != tc.sure || k.Attempts != passes.Certain || int(k.Bound) < score {
				t.Errorf("%+v: %s, which certifies a slack of %d, %+v", tc, family(p, &k), certified, k)
			}
			if from, ok := p.PassFor(&k); ok == tc.sure || ok && from != estimate.LikelySlack {
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
		k := passes.Task{Pattern: length, Text: length, Bound: score, Attempts: passes.Certain}
		band := func(slack int) passes.Task {
			next := k
			n, _ := p.Kernels.Bounded(length, length, kernel.Bound{Score: score, Slack: slack}, nil)
			next.Kernel = uint8(n)
			return next
		}
		first, wider, sure := band(100), band(200), band(score)
		if family(p, &first) == family(p, &sure) || first.Kernel == wider.Kernel {
			t.Fatalf("%s, %s", family(p, &first), family(p, &sure))
		}
		for _, tc := range []struct {
			next     passes.Task
			attempts uint8
			want     bool
		}{{wider, passes.Certain, false}, {sure, passes.Certain, true}, {wider, passes.SlackTold, true}} {
			first.Attempts = tc.attempts
			if got := p.FailedFor(&first, &tc.next, nil); got != tc.want {
				t.Errorf("spans %v, %s after %s, attempts %d: failed %v", p.Spans, family(p, &tc.next), family(p, &first), tc.attempts, got)
			}
		}
	}
}
