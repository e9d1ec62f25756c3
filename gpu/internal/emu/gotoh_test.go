package emu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// gotohPenalties take different ways through the kernels of cuda/gotoh.cuh: a gap that is free to
// open, differences that just fit into what is stored, values that all rise or all fall, so that
// they are shifted often.
var gotohPenalties = []align.Penalties{
	{Mismatch: 2, GapOpen: 3, GapExtend: 1},
	{Mismatch: 1, GapOpen: 0, GapExtend: 1},
	{Mismatch: 10, GapOpen: 12, GapExtend: 3},
	{Mismatch: 9, GapOpen: 6, GapExtend: 1},
	{Mismatch: 120, GapOpen: 90, GapExtend: 2},
	{Mismatch: 2, GapOpen: 0, GapExtend: 60},
}

// gotohKernel is a kernel of cuda/gotoh.cuh for some penalties.
type gotohKernel struct {
	bandShape
	columns   int
	penalties align.Penalties
	free      bool // ends of the text
}

// gotohKernels returns all kernels, or those with free ends, without penalties.
func gotohKernels(t testing.TB, k *emu.Kernels, free bool) (found []gotohKernel) {
	t.Helper()
	for _, s := range bandShapes(t, k, gotohFamily(free), func(int) []int { return []int{2, 3, 16} }) {
		found = append(found, gotohKernel{bandShape: s, columns: s.size, free: free})
	}
	return found
}

// optima returns what the CPU engine makes of pairs. With free ends, alignments have the elements of the kernels:
// the positions at which they begin come first.
func (g *gotohKernel) optima(t testing.TB, pairs []pair) []optimum {
	t.Helper()
	if !g.free {
		return optima(t, g.penalties, pairs)
	}
	return elementsWithin(t, g.penalties, pairs)
}

// traces is the name of the kernel that traces back.
func (g *gotohKernel) traces() string {
	return "wfa_" + gotohFamily(g.free) + "_trace"
}

func gotohFamily(free bool) string {
	if free {
		return "gotoh_free"
	}
	return "gotoh"
}

func (g *gotohKernel) strips() int { return 2 * g.lanes }

// beside is the number of diagonals of the band, but one, for sequences of one length.
func (g *gotohKernel) beside() int { return g.strips()*(g.columns+1) - g.columns - 1 }

// searches reports whether the kernel stores what the search for detours needs: cuda/gotohedges.cuh.
func (g *gotohKernel) searches() bool {
	return !g.free && g.beside()/2+1 >= 84 && 2*g.penalties.GapExtend*(g.columns+1)+g.penalties.GapOpen <= 1100
}

// rimmed reports whether the kernel looks at the rims of bands: cuda/gotohrims.cuh. Costs are doubled for scores alone.
func (g *gotohKernel) rimmed(scoreOnly bool) bool {
	p, unit := g.penalties, 1
	if scoreOnly {
		unit = 2
	}
	return g.free && g.beside()/2+1 >= 84 && 2*p.GapExtend*(g.columns+1)+p.GapOpen <= 1100/unit && 2*p.GapExtend*unit <= 128 &&
		unit*(p.Mismatch-2*p.GapExtend) <= 127 && unit*(2*p.GapExtend*g.strips()*g.columns+2*p.GapOpen) <= 44_000
}

// fits reports whether cells have 16 bits for the values in the band.
func (g *gotohKernel) fits() bool {
	return 2*g.penalties.GapExtend*g.strips()*g.columns+2*g.penalties.GapOpen <= 44_000
}

// certifies is GotohBand of cuda/gotohband.cuh, without broken seeds.
func (g *gotohKernel) certifies(p pair) int {
	if len(p.text) <= g.strips()*g.columns {
		return 1 << 30
	}
	apart := len(p.text) - len(p.pattern)
	apart = max(apart, -apart)
	beside := g.beside() - apart
	if beside < 0 {
		return -1
	}
	if g.free {
		apart = max(len(p.pattern)-len(p.text), 0)
	}
	return g.slack(p) + g.penalties.GapExtend*apart
}

// slack is the slack of the scores that the band of a pair certifies.
func (g *gotohKernel) slack(p pair) int {
	apart := len(p.text) - len(p.pattern)
	half := (g.beside()-max(apart, -apart))/2 + 1
	if g.free {
		return g.penalties.GapOpen + g.penalties.GapExtend*half - 1
	}
	return 2*(g.penalties.GapOpen+g.penalties.GapExtend*half) - 1
}

// run runs the kernel on all tasks of a device. If it uses broken seeds, the one that counts these
// comes first, then the one that looks outside of rims; the one that searches for detours comes
// after it.
func (g *gotohKernel) run(d *device, scoreOnly, seeded bool) {
	d.t.Helper()
	longest, segments, steps := 0, 0, 0
	for _, p := range d.pairs {
		longest = max(longest, len(p.pattern))
		segments = max(segments, len(p.pattern)/64+len(p.text)/64)
		steps = max(steps, len(p.pattern)+(len(p.text)-1)/g.columns+1)
	}
	pad := (g.strips() + g.columns + 8 + 15) &^ 15
	edges := 0
	rimmed, searched := seeded && g.rimmed(scoreOnly), seeded && g.searches()
	switch {
	case rimmed:
		edges = (1 + 2*(longest/64+1) + 3) &^ 3
	case searched:
		edges = (6*(steps/(g.columns+1)+3) + segments + 2 + 3) &^ 3
	}
	letters := (2*pad+(longest+15)&^15)/4 + 4 + edges
	d.params.EdgeWords = int32(edges)
	d.params.PairThreads, d.params.PairWords, d.params.LetterWords = int32(g.lanes), int32(g.columns), int32(letters)
	words, form := letters, "score"
	if !scoreOnly {
		words, form = words+4+(steps/4+2)*4*g.lanes+(steps/8+1)*g.lanes*g.columns, "checkpoints"
	}
	d.setRows(words, len(d.tasks)+1+8192/(4*letters))
	d.params.BrokenSeeds = 0
	if seeded {
		d.params.BrokenSeeds = 1
		d.launch("wfa_"+gotohFamily(g.free)+"_seeds", 2, 32, 0)
	}
	if rimmed {
		d.launch("wfa_gotoh_free_outside", 3, 32<<(g.columns/4%3), 0)
	}
	d.launch(g.name+form, 2, max(g.lanes, 32), 0)
	d.above = !g.free
	if searched {
		d.launch("wfa_gotoh_detours", 3, 32<<(g.columns/4%3), 0)
	}
}

func TestGotoh(t *testing.T) { testGotoh(t, false) }

// Patterns within texts.
func TestGotohFree(t *testing.T) { testGotoh(t, true) }

func testGotoh(t *testing.T, free bool) {
	k := emu.ForTest(t)
	for _, g := range gotohKernels(t, k, free) {
		for i, p := range gotohPenalties {
			if g.penalties = p; !g.fits() || g.lanes >= 32 && i%3 != g.columns/8%3 {
				continue // of those that take long, some
			}
			t.Run(fmt.Sprintf("%s%d/%v", g.name, g.lanes, g.penalties), func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, uint64(g.lanes+g.columns)))
				pairs := append(smallPairs(r, 1), longPairs(r, 120)...)
				pairs = append(pairs, bandPairs(r, &g)...)
				if g.lanes < 32 {
					pairs = append(pairs, gapPairs(r, 20)...)
				}
				if free {
					pairs = append(pairs, withFlanks(r, pairs)...)
				}
				want := g.optima(t, pairs)
				for _, scoreOnly := range []bool{true, false} {
					d := upload(t, k, g.penalties, pairs)
					d.setTasks(exactTasks(r, pairs, want, g.certifies))
					g.run(d, scoreOnly, false)
					d.check(g.name, want, g.certifies, false)
					d.checkUpper(g.name, want, g.certifies, func(taskEntry) bool { return false })
					if !scoreOnly {
						d.traceback(g.traces(), 1)
						d.check(g.name, want, g.certifies, true)
					}
				}
				for _, scoreOnly := range []bool{true, false} {
					g.checkSeeded(t, k, r, pairs, want, scoreOnly)
				}
			})
		}
	}
}

// TestGotohNoRoom: of pairs with scores above their bounds, those for whose alignments there is no room tell their scores.
func TestGotohNoRoom(t *testing.T) {
	k := emu.ForTest(t)
	g := gotohKernels(t, k, false)[0]
	g.penalties = align.DefaultPenalties
	r := rand.New(rand.NewPCG(5, 1))
	var pairs []pair
	for range 12 {
		a := letters(r, "ACGT", 4*g.strips()*g.columns)
		pairs = append(pairs, pair{a, edited(r, "ACGT", a, 6+r.IntN(6), 1)})
	}
	optima := g.optima(t, pairs)
	for _, seeded := range []bool{false, true} {
		want := slices.Clone(optima)
		d := upload(t, k, g.penalties, pairs)
		tasks := anyScore(pairs)
		for i := range tasks {
			tasks[i].Bound = int32(i % 3)
		}
		d.setTasks(tasks)
		d.params.CigarCapacity = 200
		g.run(d, false, seeded)
		d.traceback(g.traces(), 1)
		with, without := 0, 0
		for at := range tasks {
			w, r := &want[tasks[at].Pair], d.results[at]
			if r.Score >= 0 {
				with++
				continue
			}
			without++
			if int(r.Cigar) != w.score || r.Flags != abi.FlagNoRoom {
				t.Fatalf("%+v without room for the score %d: %s", r, w.score, d.name(at))
			}
			w.score = 1 << 30
		}
		d.check(g.name, want, func(pair) int { return 1 << 29 }, true)
		if with == 0 || without == 0 {
			t.Errorf("room for %d alignments, none for %d", with, without)
		}
		if used := d.counters[0]; used <= 200 {
			t.Errorf("%d elements are used", used)
		}
	}
}

// bandPairs are pairs whose text is longer than the strips in flight, with few and many
// errors, and with lengths that differ by about as much as the band allows.
func bandPairs(r *rand.Rand, g *gotohKernel) []pair {
	width := g.strips() * (g.columns + 1)
	if width > 3000 {
		return nil // too slow here
	}
	lengths := []int{width + 1, 2*width + 17, 5*width/2 + 40}
	if width > 800 {
		lengths = lengths[1:2]
	}
	var pairs []pair
	for _, n := range lengths {
		a := letters(r, "ACGT", n)
		pairs = append(pairs, pair{a, edited(r, "ACGT", a, 1+width/12, 3)}, pair{a, edited(r, "ACGT", a, 2, 2+width/3)})
		b := letters(r, "AC", n)
		pairs = append(pairs, pair{edited(r, "AC", b, 1+width/8, 2), b})
	}
	a := letters(r, "ACGT", 2*width)
	for _, gap := range []int{width - 2*g.columns, width - g.columns - 1, width - g.columns, width} {
		pairs = append(pairs, pair{a, a[:width] + letters(r, "ACGT", gap) + a[width:]}, pair{a[:width] + letters(r, "ACGT", gap) + a[width:], a})
	}
	return pairs
}

// emulationRounds returns how often the tests of random pairs try them, and a seed. The
// environment variable WFAGPU_EMULATION_ROUNDS has the number, and then the seed is another one in
// each run.
func emulationRounds() (rounds int, seed uint64) {
	if n, err := strconv.Atoi(os.Getenv("WFAGPU_EMULATION_ROUNDS")); err == nil {
		return n, uint64(time.Now().UnixNano())
	}
	return 40, 1
}

// TestGotohRandom: any penalties, any narrow shape, pairs of all sorts.
func TestGotohRandom(t *testing.T) {
	k := emu.ForTest(t)
	var kernels []gotohKernel
	for _, g := range append(gotohKernels(t, k, false), gotohKernels(t, k, true)...) {
		if g.lanes <= 16 {
			kernels = append(kernels, g)
		}
	}
	rounds, seed := emulationRounds()
	r := rand.New(rand.NewPCG(4, seed))
	for range rounds {
		g := kernels[r.IntN(len(kernels))]
		e := 1 + r.IntN(1<<r.IntN(7))
		g.penalties = align.Penalties{Mismatch: 1 + r.IntN(min(127+2*e, 1<<(1+r.IntN(8)))), GapOpen: r.IntN(min(128-e, 1<<r.IntN(8))), GapExtend: e}
		if p := g.penalties; g.fits() && p.Mismatch+p.GapOpen <= 255 {
			// A test of its own gives its memory back.
			t.Run(fmt.Sprintf("%d/%s%d/%v", seed, g.name, g.lanes, p), func(t *testing.T) { g.random(t, k, r) })
		}
	}
}

// random runs the kernel and its traceback on random pairs.
func (g *gotohKernel) random(t *testing.T, k *emu.Kernels, r *rand.Rand) {
	pairs := smallPairs(r, 1)
	for range 6 {
		pairs = append(pairs, relatedPairs(r, 3*g.strips()*g.columns, 1+g.columns)...)
	}
	if g.free {
		pairs = append(pairs, withFlanks(r, pairs)...)
	}
	want := g.optima(t, pairs)
	d := upload(t, k, g.penalties, pairs)
	d.setTasks(exactTasks(r, pairs, want, g.certifies))
	g.run(d, false, false)
	d.traceback(g.traces(), 1)
	d.check(g.name, want, g.certifies, true)
	g.checkSeeded(t, k, r, pairs, want, false)
}

// checkSeeded runs the kernel with broken seeds, for bounds that its band may not certify. What it
// certifies without them, it still does, if it looks at no rims. A score above that is the optimum,
// or only an upper bound of it, which has a slack if the optimum may be within the bound.
func (g *gotohKernel) checkSeeded(t *testing.T, k *emu.Kernels, r *rand.Rand, pairs []pair, want []optimum, scoreOnly bool) {
	t.Helper()
	d := upload(t, k, g.penalties, pairs)
	d.setTasks(exactTasks(r, pairs, want, func(pair) int { return 1 << 30 }))
	g.run(d, scoreOnly, true)
	if !scoreOnly {
		d.traceback(g.traces(), 1)
	}
	found := make([]optimum, len(want))
	for at, task := range d.tasks {
		w, got := want[task.Pair], d.results[at]
		found[task.Pair] = w
		plain := g.certifies(d.pairs[task.Pair])
		rimmed := g.rimmed(scoreOnly) && int(task.Bound) > plain
		if got.Score >= 0 || w.score <= d.counts(task, plain) && !rimmed {
			continue // what there is is checked below
		}
		found[task.Pair].score = 1 << 30
		conclusive := got.CigarLength == 0
		switch {
		case plain < 0 && got.Cigar == 0 && conclusive:
		case conclusive && w.score <= int(task.Bound):
			t.Fatalf("%s: no score within the bound, want score %d of %s", g.name, w.score, d.name(at))
		case rimmed: // what is told of the score may be a lower bound
			if !conclusive && int(got.CigarLength) <= g.slack(d.pairs[task.Pair]) || conclusive && int(got.Cigar) <= int(task.Bound) {
				t.Fatalf("%s: score %d, slack %d, want score %d of %s", g.name, got.Cigar, got.CigarLength, w.score, d.name(at))
			}
		case int(got.Cigar) < w.score || int(got.CigarLength) > int(got.Cigar) || !conclusive && int(got.CigarLength) <= min(g.slack(d.pairs[task.Pair]), w.score):
			t.Fatalf("%s: upper bound %d, slack %d, want score %d of %s", g.name, got.Cigar, got.CigarLength, w.score, d.name(at))
		}
	}
	d.check(g.name+"seeds", found, func(pair) int { return 1 << 29 }, !scoreOnly)
}
