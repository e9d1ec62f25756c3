package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// optimum is what the CPU engine makes of a pair.
type optimum struct {
	score int
	cigar []uint32
}

func optima(t testing.TB, p align.Penalties, pairs []pair) []optimum {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: p})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]optimum, len(pairs))
	for i, pair := range pairs {
		score, cigar, err := a.Align([]byte(pair.pattern), []byte(pair.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		found[i].score = score
		for _, e := range cigar {
			found[i].cigar = append(found[i].cigar, uint32(e))
		}
	}
	return found
}

// check compares the results of all tasks with what the CPU engine finds: the
// optimum, unless it is above the task's bound or above what certified says.
func (d *device) check(what string, want []optimum, certified func(p pair) int, traced bool) {
	d.t.Helper()
	for at, task := range d.tasks {
		w, r := want[task.Pair], d.results[at]
		if w.score > d.counts(task, certified(d.pairs[task.Pair])) {
			if r.Score != -1 {
				d.t.Fatalf("%s: score %d, which is above the limit, of %s", what, r.Score, d.name(at))
			}
			continue
		}
		if int(r.Score) != w.score || r.Flags&^abi.FlagSlack != 0 {
			d.t.Fatalf("%s: score %d, flags %#x, want score %d of %s", what, r.Score, r.Flags, w.score, d.name(at))
		}
		if !traced {
			continue
		}
		if got := d.alignment(at); !slices.Equal(got, w.cigar) {
			d.t.Fatalf("%s: alignment %s, want %s of %s", what, text(got), text(w.cigar), d.name(at))
		}
	}
}

// counts returns the largest score that is a task's result, of those that a band certifies.
func (d *device) counts(task taskEntry, certified int) int {
	if task.Final || !d.above {
		return min(certified, int(task.Bound))
	}
	return certified
}

// text writes an alignment's elements.
func text(elements []uint32) string {
	var b strings.Builder
	for _, e := range elements {
		fmt.Fprintf(&b, "%d%c", e>>4, "MIDNSHP=X"[min(e&15, 8)])
	}
	return b.String()
}

// exactTasks asks for all pairs, some with bounds at and just below the optimum, or far below.
func exactTasks(r *rand.Rand, pairs []pair, want []optimum, certified func(pair) int) []taskEntry {
	tasks := make([]taskEntry, len(pairs))
	for i, at := range r.Perm(len(pairs)) {
		bound := want[at].score
		switch r.IntN(4) {
		case 0:
		case 1:
			bound -= 1 + r.IntN(2)*bound/2
		default:
			bound += r.IntN(64)
		}
		tasks[i] = taskEntry{Pair: uint32(at), Bound: int32(max(min(bound, certified(pairs[at])), 0)), Final: r.IntN(3) == 0}
	}
	return tasks
}

func testExact(t *testing.T, family string, pairs func(v *register, r *rand.Rand) []pair) {
	k := emu.ForTest(t)
	for _, v := range registers(t, k, family) {
		t.Run(strings.TrimPrefix(v.name, "wfa_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(v.words)))
			pairs := pairs(&v, r)
			v.check(t, k, r, pairs)
		})
	}
}

// launch runs the kernel on pairs, with free ends also with letters around the texts, and returns
// what is wanted of all.
func (v *register) launch(t *testing.T, k *emu.Kernels, r *rand.Rand, pairs []pair) (d *device, want []optimum) {
	t.Helper()
	if v.free {
		pairs = append(pairs, withFlanks(r, pairs)...)
	}
	want = v.optima(t, pairs)
	d = upload(t, k, v.penalties, pairs)
	d.setTasks(exactTasks(r, pairs, want, v.certifies))
	v.run(d, 0)
	return d, want
}

// check runs the kernel and its tracebacks on pairs, and checks what they find.
func (v *register) check(t *testing.T, k *emu.Kernels, r *rand.Rand, pairs []pair) {
	t.Helper()
	d, want := v.launch(t, k, r, pairs)
	d.check(v.name, want, v.certifies, false)
	if v.rows {
		v.checkTraces(d, want)
	}
}

// checkTraces runs all tracebacks of what the kernel, of the warp or the block family or the
// latter's with moving origins, has stored, and checks the alignments of each.
func (v *register) checkTraces(d *device, want []optimum) {
	d.t.Helper()
	suffix := ""
	if v.free {
		suffix = "_free"
	}
	switch {
	case strings.HasPrefix(v.family, "long"):
		d.retrace("wfa_retrace_long"+suffix, v.span(32), 32)
	case v.checkpoints:
		d.retrace("wfa_retrace"+suffix, v.span(32), 32)
	default:
		found := slices.Clone(d.results)
		for _, threads := range []int{1, 8, 32} {
			copy(d.results, found)
			name := fmt.Sprintf("wfa_trace%s_%d", suffix, threads)
			d.traceback(name, threads)
			d.check(v.name+", "+name, want, v.certifies, true)
		}
		return
	}
	d.check(v.name+", retraced", want, v.certifies, true)
}

// packedRuns adds long runs of matches where all lanes of a warp follow them.
func packedRuns(v *register, r *rand.Rand, pairs []pair) []pair {
	if v.bases == 0 {
		pairs = append(pairs, runPairs(r)...)
	}
	return pairs
}

func TestWarp(t *testing.T) { testWarp(t, "warp") }

// Patterns within texts.
func TestWarpFree(t *testing.T) { testWarp(t, "warp_free") }

func testWarp(t *testing.T, family string) {
	testExact(t, family, func(v *register, r *rand.Rand) []pair { return packedRuns(v, r, smallPairs(r, 5)) })
}

func TestBlock(t *testing.T) { testBlock(t, "block") }

// Patterns within texts.
func TestBlockFree(t *testing.T) { testBlock(t, "block_free") }

func testBlock(t *testing.T, family string) {
	testExact(t, family, func(v *register, r *rand.Rand) []pair {
		pairs := append(smallPairs(r, 1), longPairs(r, 400)...)
		if v.checkpoints && v.words == 6 {
			pairs = append(pairs, gapPairs(r, 250)...)
		}
		return packedRuns(v, r, pairs)
	})
}

// TestLong tries kernels whose offsets are at most 3,200 in the emulation, so that origins move and
// some pairs are left to other kernels.
func TestLong(t *testing.T) { testLong(t, "long") }

// Patterns within texts.
func TestLongFree(t *testing.T) { testLong(t, "long_free") }

func testLong(t *testing.T, family string) {
	k := emu.ForTest(t)
	moved, overflowed := 0, 0
	for _, v := range registers(t, k, family) {
		t.Run(strings.TrimPrefix(v.name, "wfa_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(2, uint64(v.words)))
			pairs := append(smallPairs(r, 1), runPairs(r)...)
			pairs = append(pairs, longPairs(r, 400)...)
			for _, length := range []int{3300, 4000} { // of scores that the band certifies, if that is possible
				errors := min(length/7, v.half()/4)
				a := letters(r, "ACGT", length)
				pairs = append(pairs, pair{a, edited(r, "ACGT", a, errors, 1)}, pair{edited(r, "ACGT", a, errors, 2), a},
					pair{a, edited(r, "ACGT", a, errors/2, 3)}, pair{a, edited(r, "ACGT", a, 5, 100)}, pair{a, a})
			}
			d, want := v.launch(t, k, r, pairs)
			for at, task := range d.tasks {
				p, w := d.pairs[task.Pair], want[task.Pair].score
				if d.results[at].Flags == abi.FlagOverflow {
					if d.results[at].Score != -1 || len(p.text) <= 3200 && len(p.pattern) <= 3200 {
						t.Errorf("score %d of a pair whose offsets overflow: %s", d.results[at].Score, d.name(at))
					}
					overflowed++
					d.results[at].Flags = 0
					d.tasks[at].Bound = -1 // no score is expected
				} else if w <= int(task.Bound) && w <= v.certifies(p) && min(len(p.text), len(p.pattern)) > 3200 {
					moved++
				}
			}
			d.check(v.name, want, v.certifies, false)
			if v.checkpoints {
				v.checkTraces(d, want)
			}
		})
	}
	if moved < 20 || overflowed < 20 {
		t.Errorf("%d pairs whose offsets count from origins that move, %d whose offsets overflow", moved, overflowed)
	}
}

// TestWavesFreeRandom: any kernel with wavefronts and free ends that few words make, and pairs of all sorts.
func TestWavesFreeRandom(t *testing.T) {
	k := emu.ForTest(t)
	var kernels []register
	for _, family := range []string{"warp_free", "block_free", "long_free"} {
		for _, v := range registers(t, k, family) {
			if v.rows && v.words <= 12 {
				kernels = append(kernels, v)
			}
		}
	}
	rounds, seed := emulationRounds()
	r := rand.New(rand.NewPCG(11, seed))
	for range rounds / 2 {
		v := kernels[r.IntN(len(kernels))]
		// A test of its own gives its memory back.
		t.Run(fmt.Sprintf("%d/%s", seed, v.name), func(t *testing.T) {
			pairs := smallPairs(r, 2)
			for range 8 {
				pairs = append(pairs, relatedPairs(r, 2*v.half(), 1+v.half()/8)...)
			}
			v.check(t, k, r, pairs)
		})
	}
}
