package kernel

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver/drivertest"
)

// gatedPenalties have kernels of the gated family, with wavefronts up to scores of all sorts.
var gatedPenalties = []align.Penalties{
	align.DefaultPenalties, align.EditPenalties, {Mismatch: 19, GapOpen: 36, GapExtend: 2}, {Mismatch: 64, GapOpen: 63, GapExtend: 1},
}

// gatedOf returns the kernel of the gated family, nil if a configuration has none.
func gatedOf(t *testing.T, c Config) *gated {
	t.Helper()
	set := mustLoad(t, newImage(), c)
	if set.Gated < 0 {
		return nil
	}
	return set.Kernels[set.Gated].(*gated)
}

// The exact mode has the family, unless a score needs rows of too many scores before it. No other exact pass
// is one of it.
func TestGatedLoads(t *testing.T) {
	narrow := []align.AdaptiveBand{narrowBand}
	for _, scoreOnly := range []bool{false, true} {
		for _, p := range gatedPenalties {
			for _, bounds := range [][]align.AdaptiveBand{nil, narrow} {
				set := mustLoad(t, newImage(), Config{Penalties: p, ScoreOnly: scoreOnly, Bounds: bounds})
				if set.Gated < 0 || set.Kernels[set.Gated].Family().Counter != "gated" || set.Kernels[set.Gated].Band() != (align.AdaptiveBand{}) {
					t.Fatalf("%v: kernel %d", p, set.Gated)
				}
				for _, length := range []int{300, 10_000, 1_000_000} {
					for _, bound := range []int{0, 500, 100_000} {
						if set.Exact(length, length, Plain(bound), nil) == set.Gated || set.Wavefront(length, length, bound, nil) == set.Gated {
							t.Errorf("%v: an exact pass of %d letters within %d is a gated one", p, length, bound)
						}
					}
				}
			}
		}
		for _, c := range []Config{
			{Penalties: align.DefaultPenalties, Bands: narrow}, {Penalties: align.Penalties{Mismatch: 65, GapOpen: 1, GapExtend: 1}},
			{Penalties: align.Penalties{Mismatch: 1, GapOpen: 60, GapExtend: 5}}, {Penalties: align.DefaultPenalties, Families: []string{"general"}},
		} {
			c.ScoreOnly = scoreOnly
			if gatedOf(t, c) != nil {
				t.Errorf("%+v has the family", c)
			}
		}
	}
}

// Pairs take gated passes by the letters of both sequences, whatever the bound.
func TestGatedTakes(t *testing.T) {
	k := gatedOf(t, Config{Penalties: align.DefaultPenalties})
	for _, tc := range []struct {
		pattern, text int
		want          bool
	}{
		{200, 200, true}, {200, 199, false}, {1, 399, true}, {1, 398, false}, {1 << 24, 1 << 24, true}, {1 << 24, 1<<24 + 1, false},
	} {
		for _, bound := range []int{0, 1000, MaxBound} {
			if got := k.Takes(tc.pattern, tc.text, bound); got != tc.want {
				t.Errorf("%+v within %d: %v", tc, bound, got)
			}
		}
	}
}

// With free ends, patterns are taken within texts of which any letters are free and cost nothing.
func TestGatedFreeTakes(t *testing.T) {
	all := align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	affine := align.Scoring{Penalties: align.DefaultPenalties}
	load := func(span align.Span, f align.Free, s align.Scoring) *gated {
		m, err := align.NewModel(span, f, s)
		if err != nil {
			t.Fatal(err)
		}
		return gatedOf(t, Config{Penalties: m.Affine(), Model: m})
	}
	if k := load(align.EndsFree, all, affine); k == nil || !k.free || !k.Takes(200, 300, 0) || k.Takes(200, 299, 0) {
		t.Errorf("%+v", k)
	}
	k := load(align.EndsFree, align.Free{TextBegin: 1000, TextEnd: 700}, affine)
	if k == nil || !k.Takes(650, 700, 0) || k.Takes(650, 701, 0) {
		t.Errorf("%+v", k)
	}
	for name, k := range map[string]*gated{
		"begin":   load(align.EndsFree, align.Free{TextEnd: align.FreeAll}, affine),
		"pattern": load(align.EndsFree, align.Free{PatternEnd: 1, TextBegin: align.FreeAll, TextEnd: align.FreeAll}, affine),
		"match":   load(align.EndsFree, all, align.Scoring{Penalties: align.DefaultPenalties, Match: 1}),
		"two":     load(align.EndsFree, all, align.Scoring{Penalties: align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 2}, LongGap: align.Gap{Open: 24, Extend: 1}}),
		"steps":   load(align.EndsFree, all, align.Scoring{Penalties: align.Penalties{Mismatch: 65, GapOpen: 1, GapExtend: 1}}),
		"local":   load(align.Local, align.Free{}, align.Scoring{Penalties: align.DefaultPenalties, Match: 1}),
	} {
		if k != nil {
			t.Errorf("%s: the family has a kernel", name)
		}
	}
}

// Wavefronts with a free end certify their scores by as many diagonals to either side as the gaps
// of these have letters.
func TestGatedFreeWidth(t *testing.T) {
	for _, p := range gatedPenalties {
		k := &gated{config: Config{Penalties: p}, free: true}
		for _, score := range append(k.wideScores(), endScores...) {
			width, rows := k.wide(score)
			if score == 0 && width == 0 && rows == 0 {
				continue
			}
			if certified := p.GapOpen + width/2*p.GapExtend - 1; certified < score || width%gatedLanes != 0 || rows != score+1 {
				t.Errorf("%v: %d diagonals and %d rows certify %d of %d", p, width, rows, certified, score)
			}
		}
	}
}

// Work grows with the letters, with the errors, with what these cost, and with how close they are.
func TestGatedWork(t *testing.T) {
	for _, p := range gatedPenalties {
		k := gatedOf(t, Config{Penalties: p})
		each := p.Mismatch + 2*p.Gap(1) // three errors
		perError := func(score, length int) float64 {
			return (k.Work(length, length, score, 0) - k.Work(length, length, 0, 0)) / float64(3*score/each)
		}
		few, many, close := perError(each, 5000), perError(30*each, 5000), perError(30*each, 3000)
		if few < 720 || many <= few || close <= many || many > 5*few || k.Work(5000, 5001, each, 0) <= k.Work(5000, 5000, each, 0) {
			t.Errorf("%v: %v for one of few errors, %v of many, %v of close ones", p, few, many, close)
		}
	}
	cheap, dear := gatedOf(t, Config{Penalties: gatedPenalties[0]}), gatedOf(t, Config{Penalties: align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}})
	if a, b := cheap.Work(1000, 1000, 64, 0), dear.Work(1000, 1000, 610, 0); b < 3*a {
		t.Errorf("%v and %v for 20 errors", a, b)
	}
}

// The memory of all workers fits into the budget, and holds the runs and the elements of an alignment within
// the bound. A launch has a worker for each task, no more than run at a time, and as many as fit.
func TestGatedPlan(t *testing.T) {
	for _, p := range gatedPenalties {
		for _, scoreOnly := range []bool{false, true} {
			c := Config{Penalties: p, ScoreOnly: scoreOnly}
			k := gatedOf(t, c)
			all := 0
			for _, bound := range []int{0, 1, 100, 4000, 1_000_000} {
				least := 4 * (gatedRun*(bound/c.CheapestRun()+2) + c.CigarRoom(bound))
				for budget := 1; budget < 1<<33; budget = 3*budget + 1 {
					for _, count := range []int{1, 7, 1 << 20} {
						plan, ok, err := k.Plan(Group{Count: count, Bound: bound, Text: 10_000, Pattern: 9_000}, budget)
						if err != nil {
							t.Fatal(err)
						}
						if !ok {
							if budget > least+1000 {
								t.Errorf("%v, bound %d: no worker in %d bytes", p, bound, budget)
							}
							continue
						}
						workers, each := plan.Wave(), 4*plan.slab.words
						width, rows := plan.slab.width, plan.slab.segmentRows
						part := 4 * (3*width*rows/2 + 2*rows)
						if plan.PerTask != 0 || plan.Bytes(count) > budget || plan.Fixed != workers*each || each < least+part || each > least+part+1000 || plan.slab.words%4 != 0 {
							t.Errorf("%v, bound %d, %d tasks in %d bytes: %+v", p, bound, count, budget, plan)
						}
						if width%gatedLanes != 0 || (width > 0) != (rows > 0) || width == gatedLanes {
							t.Errorf("%v: %d diagonals, %d rows", p, width, rows)
						}
						// Wavefronts are as long as all workers have memory for.
						most := min(count, k.sms*perSM(t, k))
						if longest := 4 * k.words(bound, wideScores[0]) * most; rows <= wideScores[0] && budget >= longest && k.words(bound, wideScores[0]) > k.words(bound, 0) {
							t.Errorf("%v, bound %d, %d tasks in %d bytes: %+v", p, bound, count, budget, plan)
						}
						if all = max(all, workers); workers > count || workers < count && workers < all && (workers+1)*each <= budget {
							t.Errorf("%v, bound %d, %d tasks in %d bytes: %d workers", p, bound, count, budget, workers)
						}
					}
				}
			}
			if most := int(drivertest.New(1).Devices[0].SMs); all < most {
				t.Errorf("%v: up to %d workers on %d SMs", p, all, most)
			}
		}
	}
}

// perSM returns the workers of an SM.
func perSM(t *testing.T, k *gated) int {
	t.Helper()
	n, err := k.kernel.BlocksPerSM(32, k.shared())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Passes for ends of many errors have wavefronts up to high scores, no higher than the bound and
// with fewer workers than others, where there is memory for those.
func TestGatedEndsPlan(t *testing.T) {
	set := mustLoad(t, newImage(), withinTexts(t))
	k := set.Kernels[set.Ends].(*gated)
	if !set.Gates(set.Ends) || !set.Gates(set.Gated) || set.Gates(set.Span(100, 200)) || set.Ends == set.Gated || !k.ends || k.Family().Counter != "gated" {
		t.Fatalf("%+v", set)
	}
	for _, tc := range []struct{ count, bound, budget, rows, workers int }{
		{1 << 20, 1 << 12, 1 << 34, 513, endsPerSM * k.sms}, {1 << 20, 1 << 8, 1 << 34, 257, endsPerSM * k.sms},
		{20, 1 << 12, 1 << 34, 513, 20}, {120, 1 << 12, 1 << 28, 385, 120}, {1 << 20, 1 << 12, 1 << 28, 385, 144}, {1, 1 << 12, 1 << 20, 0, 0},
	} {
		plan, ok, err := k.Plan(Group{Count: tc.count, Bound: tc.bound, Text: 5100, Pattern: 5000}, tc.budget)
		if err != nil || ok != (tc.workers > 0) {
			t.Fatalf("%+v: %v, %v", tc, ok, err)
		}
		if plan.slab.segmentRows != tc.rows || plan.Wave() != tc.workers || plan.Bytes(tc.count) > tc.budget {
			t.Errorf("%+v: %+v", tc, plan)
		}
	}
}

// withinTexts is the configuration for patterns within texts.
func withinTexts(t *testing.T) Config {
	t.Helper()
	all := align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
	m := newSpanCPU(t, align.EndsFree, all, align.Scoring{Penalties: align.DefaultPenalties}).model
	return Config{Penalties: m.Affine(), Model: m}
}

// A pair within the largest bound of some memory has room there, and that of more memory is no less.
func TestGatedMaxBound(t *testing.T) {
	for _, p := range gatedPenalties {
		k := gatedOf(t, Config{Penalties: p})
		before, fits := 0, 0
		for words := 1; words < 1<<34; words += words/3 + 1 {
			most := k.MaxBound(words)
			if most < before || most > MaxBound/2 {
				t.Fatalf("%v: scores up to %d in %d words, up to %d in fewer", p, most, words, before)
			}
			before = most
			plan, ok, err := k.Plan(Group{Count: 1, Bound: most, Text: 10_000, Pattern: 10_000}, 4*words)
			if err != nil {
				t.Fatal(err)
			}
			if !ok && words >= 200 {
				t.Errorf("%v: no worker of scores up to %d in %d words", p, most, words)
			}
			if ok {
				fits++
				// A bound that is little higher does not fit.
				if most < MaxBound/2-k.config.CheapestRun() && k.words(most, 0)+200 < words {
					t.Errorf("%v: scores up to %d take %d words of %d", p, most, plan.slab.words, words)
				}
			}
		}
		if fits < 20 || before <= MaxBound/2-k.config.CheapestRun() {
			t.Errorf("%v: scores up to %d, %d sizes", p, before, fits)
		}
	}
}

// Wavefronts have the scores of alignments that are certain to stay on the diagonals, up to a limit, and
// shared memory holds them and an alignment.
func TestGatedShared(t *testing.T) {
	for _, tc := range []struct {
		penalties      align.Penalties
		scores, shared int
	}{
		{align.DefaultPenalties, 38, 8192}, {align.EditPenalties, 32, 8192},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 80, 192*81 + 4*161}, {align.Penalties{Mismatch: 64, GapOpen: 9, GapExtend: 1}, 50, 192*51 + 4*101},
	} {
		k := gatedOf(t, Config{Penalties: tc.penalties})
		plan, ok, err := k.Plan(Group{Count: 1, Bound: 100}, 1<<20)
		if err != nil || !ok || k.scores() != tc.scores || plan.shared != tc.shared {
			t.Errorf("%+v: scores %d, %+v, %v, %v", tc, k.scores(), plan, ok, err)
		}
	}
}
