package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// editKernel is a kernel of cuda/edit.cuh.
type editKernel struct {
	bandShape
	words int
}

// editKernels returns all kernels.
func editKernels(t testing.TB, k *emu.Kernels) (found []editKernel) {
	t.Helper()
	warps := map[int][]int{2: {2, 3}, 4: {3, 24}} // by words
	for _, s := range bandShapes(t, k, "edit", func(words int) []int { return warps[words] }) {
		found = append(found, editKernel{s, s.size})
	}
	return found
}

// rows is the number of rows in flight, and width about that of diagonals.
func (g *editKernel) rows() int  { return 32 * g.words * g.lanes }
func (g *editKernel) width() int { return 32 * (g.lanes*(g.words+1) - g.words) }

// certifies is EditBand of cuda/editband.cuh, by trying bands.
func (g *editKernel) certifies(p pair) int {
	rows, columns := len(p.pattern), len(p.text)
	if rows <= g.rows() {
		return 1 << 30
	}
	best, end := -1, columns-rows
	for below := (32 - columns%32) % 32; below <= g.width()+32; below += 32 {
		if above := g.width() - below; below >= max(-end, 0) && above >= max(end, 0) {
			best = max(best, min(2*above+2-end, 2*below+2+end)-1)
		}
	}
	return best
}

// stages is the number of stages of a pair.
func (g *editKernel) stages(p pair) int {
	return (len(p.text)+31)/32 + (len(p.pattern)-1)/(32*g.words)
}

// run runs the kernel on all tasks of a device.
func (g *editKernel) run(d *device, form string) {
	d.t.Helper()
	stages := 0
	for _, p := range d.pairs {
		stages = max(stages, g.stages(p))
	}
	d.params.PairThreads, d.params.PairWords = int32(g.lanes), int32(g.words)
	if form == "rows" {
		d.setRows(stages*g.lanes*(2*g.words+2), len(d.tasks))
	}
	d.launch(g.name+form, 2, max(g.lanes, 32), 0)
}

// check runs the kernel with and without the traceback on pairs.
func (g *editKernel) check(t *testing.T, k *emu.Kernels, r *rand.Rand, pairs []pair) {
	t.Helper()
	want := optima(t, align.EditPenalties, pairs)
	tasks := exactTasks(r, pairs, want, g.certifies)
	for i := range tasks {
		tasks[i].Final = r.IntN(2) == 0
	}
	for _, form := range []string{"score", "rows"} {
		d := upload(t, k, align.EditPenalties, pairs)
		d.setTasks(tasks)
		g.run(d, form)
		d.check(g.name, want, g.certifies, false)
		d.checkUpper(g.name, want, g.certifies, func(task taskEntry) bool { return task.Final })
		if form == "rows" {
			d.checkTraces("wfa_edit_trace", g.name, want, g.certifies)
		}
	}
}

// Pairs of all sorts, and pairs whose pattern has more strips than are in flight, on all
// kernels.
func TestEditDistance(t *testing.T) {
	k := emu.ForTest(t)
	for _, g := range editKernels(t, k) {
		t.Run(fmt.Sprintf("%s%d", g.name, g.lanes), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(g.lanes+g.words)))
			pairs := append(smallPairs(r, 1), longPairs(r, 120)...)
			if g.lanes <= 32 {
				pairs = append(pairs, smallPairs(r, 3)...)
				pairs = append(pairs, gapPairs(r, 20)...)
			}
			if g.lanes <= 96 {
				pairs = append(pairs, g.bandPairs(r)...)
			}
			g.check(t, k, r, pairs)
		})
	}
}

// bandPairs are pairs whose pattern is longer than the strips in flight, with few and many
// errors, and with lengths that differ by about as much as the band allows.
func (g *editKernel) bandPairs(r *rand.Rand) []pair {
	width := g.width()
	lengths := []int{g.rows() + 1, g.rows() + width + 17, g.rows() + 2*width + 40}
	if width > 800 {
		lengths = lengths[1:2]
	}
	var pairs []pair
	for _, n := range lengths {
		a := letters(r, "ACGT", n)
		pairs = append(pairs, pair{a, edited(r, "ACGT", a, 1+width/12, 3)}, pair{a, edited(r, "ACGT", a, 2, 2+width/3)})
		b := letters(r, "AC", n)
		pairs = append(pairs, pair{edited(r, "AC", b, 1+width/8, 2), b})
		pairs = append(pairs, pair{letters(r, "ACGT", n), letters(r, "ACGT", n-1)})
	}
	if width > 3000 {
		return pairs
	}
	a := letters(r, "ACGT", g.rows()+width)
	for _, gap := range []int{width - 100, width - 64, width - 32, width - 31, width, width + 1} {
		if gap > 0 {
			long := a[:width] + letters(r, "ACGT", gap) + a[width:]
			pairs = append(pairs, pair{a, long}, pair{long, a})
		}
	}
	return pairs
}

// Pairs that are beyond a bound, with none to follow, end early: what is stored of them ends, too.
// All others are aligned.
func TestEditFinal(t *testing.T) {
	k := emu.ForTest(t)
	for _, g := range editKernels(t, k) {
		if g.lanes > 64 || g.lanes == 1 {
			continue // too slow here; a band too narrow for the bound
		}
		t.Run(fmt.Sprintf("%s%d", g.name, g.lanes), func(t *testing.T) {
			r := rand.New(rand.NewPCG(10, uint64(g.lanes+g.words)))
			// Enough stages for the last strip to come to the last column.
			length := 4000 + g.rows()
			a := letters(r, "ACGT", length)
			pairs := []pair{{a, letters(r, "ACGT", length)}, {a, a[:2000] + letters(r, "ACGT", length-2000)}, {a, edited(r, "ACGT", a, 20, 1)}}
			want := optima(t, align.EditPenalties, pairs)
			d := upload(t, k, align.EditPenalties, pairs)
			var tasks []taskEntry
			for i := range pairs {
				for range 5 {
					tasks = append(tasks, taskEntry{Pair: uint32(i), Bound: 30, Final: true})
				}
			}
			d.setTasks(tasks)
			g.run(d, "rows")
			d.check(g.name, want, g.certifies, false)
			const untouched = 0x5a5a5a5a
			words := g.stages(pairs[0]) * g.lanes * (2*g.words + 2)
			for at := range tasks {
				ends := d.rows[at*words+words-2*g.lanes*(2*g.words+2)] == untouched
				if ends != (tasks[at].Pair < 2) {
					t.Errorf("pair %d ends early: %v", tasks[at].Pair, ends)
				}
			}
		})
	}
}

// Distances and lengths around those of words, stages and strips.
func TestEditBorders(t *testing.T) {
	k := emu.ForTest(t)
	for _, g := range editKernels(t, k) {
		if g.lanes > 8 {
			continue
		}
		t.Run(fmt.Sprintf("%s%d", g.name, g.lanes), func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(g.lanes+g.words)))
			var pairs []pair
			for _, n := range []int{1, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 160, 161, 256, 257} {
				for _, m := range []int{n, n + 1, max(1, n-1), n + 31, n + 32, n + 33, 1, 2 * n} {
					a := letters(r, "ACGT", max(n, m))
					pairs = append(pairs, pair{a[:n], a[:m]}, pair{a[len(a)-n:], a[len(a)-m:]}, pair{letters(r, "ACGT", n), a[:m]})
				}
			}
			for _, d := range []int{1, 31, 32, 33, 63, 64, 65, 127, 128, 129} {
				n := 200 + r.IntN(200)
				a := []byte(letters(r, "ACG", n))
				b := slices.Clone(a)
				for _, i := range r.Perm(n)[:d] {
					b[i] = 'T'
				}
				pairs = append(pairs, pair{string(a), string(b)})
				long := string(a[:n/2]) + strings.Repeat("T", d) + string(a[n/2:])
				pairs = append(pairs, pair{string(a), long}, pair{long, string(a)})
			}
			g.check(t, k, r, pairs)
		})
	}
}

// Random pairs on random kernels.
func TestEditRandom(t *testing.T) {
	k := emu.ForTest(t)
	var kernels []editKernel
	for _, g := range editKernels(t, k) {
		if g.lanes <= 8 {
			kernels = append(kernels, g)
		}
	}
	rounds, seed := emulationRounds()
	r := rand.New(rand.NewPCG(9, seed))
	for range rounds {
		g := kernels[r.IntN(len(kernels))]
		// A test of its own gives its memory back.
		t.Run(fmt.Sprintf("%d/%s%d", seed, g.name, g.lanes), func(t *testing.T) {
			pairs := smallPairs(r, 1)
			for range 10 {
				pairs = append(pairs, relatedPairs(r, 2*g.rows()+g.width(), 1+g.width()/8)...)
			}
			g.check(t, k, r, pairs)
		})
	}
}
