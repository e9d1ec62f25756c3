package emu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// gotohEdges are the edges of a pair's band: GotohEdges of cuda/gotohedges.cuh.
type gotohEdges struct {
	first, count, above, below, strips, columns int
	inner, diagonal                             [2]int
}

// edgesOf returns those of a pair, with a count of 0 if the kernel keeps none.
func (g *gotohKernel) edgesOf(p pair) gotohEdges {
	n, m := len(p.pattern), len(p.text)
	end := m - n
	e := gotohEdges{strips: g.strips(), columns: g.columns}
	beside := g.beside() - max(end, -end)
	if beside < 0 || m <= e.strips*g.columns {
		return e
	}
	e.above, e.below = beside/2+max(end, 0), beside-beside/2+max(-end, 0)
	period := g.columns + 1
	apart := min(24+n/600, 96)
	e.inner = [2]int{(e.above - 1 - max(end, 0) - apart) / period, (min(end, 0) - apart + e.below + 1) / period}
	e.diagonal = [2]int{e.above - 1 - e.inner[0]*period, e.inner[1]*period - e.below - 1}
	if min(e.inner[0], e.inner[1]) <= 0 {
		return e
	}
	e.first = min(max((e.above+g.columns-1)/g.columns, 1), e.strips)
	e.count = max((n+(m-1)/g.columns-1+e.above)/period-e.first+1, 0)
	return e
}

// cell is the one in the last column of strip b before strip k comes.
func (e *gotohEdges) cell(k, b int) (row, column int) {
	return 1 - e.above + k*e.columns + k - 1 - b, (b + 1) * e.columns
}

// edgeWords returns the memory in which the values of a task are.
func (d *device) edgeWords(at int) []uint32 {
	end := at*int(d.params.RowStride) + int(d.params.LetterWords) - 4
	return d.rows[end-int(d.params.EdgeWords) : end]
}

// matrix returns H of all cells, by plain dynamic programming.
func (g *gotohKernel) matrix(p pair) [][]int32 {
	const none = 1 << 28
	n, m := len(p.pattern), len(p.text)
	x, o, e := int32(g.penalties.Mismatch), int32(g.penalties.GapOpen), int32(g.penalties.GapExtend)
	h := make([][]int32, n+1)
	f := make([]int32, m+1)
	for i := range h {
		h[i] = make([]int32, m+1)
		deletion := int32(none)
		for j := range h[i] {
			best := int32(none)
			if i+j == 0 {
				best = 0
			}
			if i == 0 {
				f[j] = none
			} else {
				f[j] = min(f[j], h[i-1][j]+o) + e
			}
			if j > 0 {
				deletion = min(deletion, h[i][j-1]+o) + e
			}
			if i > 0 && j > 0 {
				cost := h[i-1][j-1]
				if p.pattern[i-1] != p.text[j-1] {
					cost += x
				}
				best = min(best, cost)
			}
			h[i][j] = min(best, deletion, f[j])
		}
	}
	return h
}

// outsideKernels are those of some widths that certify scores by what is outside of bands: with
// free ends by rims, else by detours.
func outsideKernels(t *testing.T, k *emu.Kernels, free bool, lanes int) (found []gotohKernel) {
	for _, g := range gotohKernels(t, k, free) {
		if g.lanes <= lanes && (g.searches() || g.rimmed(false)) {
			found = append(found, g)
		}
	}
	if len(found) < 3 {
		t.Fatalf("%d kernels search for detours", len(found))
	}
	return found
}

// anyScore asks for all pairs, whatever their scores.
func anyScore(pairs []pair) []taskEntry {
	tasks := make([]taskEntry, len(pairs))
	for i := range tasks {
		tasks[i] = taskEntry{Pair: uint32(i), Bound: 1 << 20}
	}
	return tasks
}

// affineOutside are penalties whose affine gaps tell more than indels and missing seeds.
var affineOutside = align.Penalties{Mismatch: 3, GapOpen: 4, GapExtend: 2}

// TestEdges compares what the kernels keep of the edges of bands with the whole matrix, and what segments cost with
// plain dynamic programming, or with the seeds that there are.
func TestEdges(t *testing.T) {
	k := emu.ForTest(t)
	for _, g := range outsideKernels(t, k, false, 64) {
		for _, p := range []align.Penalties{affineOutside, {Mismatch: 3, GapOpen: 1, GapExtend: 2}, {Mismatch: 19, GapOpen: 36, GapExtend: 2}} {
			g.penalties = p
			t.Run(fmt.Sprintf("%s%d/%v", g.name, g.lanes, p), func(t *testing.T) { g.testEdges(t, k) })
		}
	}
}

// testEdges aligns pairs of many strips and checks what the kernel keeps of their edges.
func (g *gotohKernel) testEdges(t *testing.T, k *emu.Kernels) {
	r := rand.New(rand.NewPCG(7, uint64(g.lanes+g.columns)))
	var pairs []pair
	times := 5
	if g.lanes <= 8 {
		times = 16
	}
	if g.lanes*g.columns <= 128 {
		times = 30
	}
	for by := range 2 {
		a := letters(r, "ACGT", g.strips()*g.columns*times/4+r.IntN(200))
		errors := len(a) * 3 / (8 * g.penalties.Mismatch)
		if g.penalties == affineOutside { // indels certify the scores of some
			errors += by * errors / 2
		}
		b := edited(r, "ACGT", a, errors, 2)
		b = b[:len(b)/2] + letters(r, "ACGT", 3*by) + b[len(b)/2:]
		pairs = append(pairs, pair{a, b}, pair{b, a})
	}
	d := upload(t, k, g.penalties, pairs)
	tasks := anyScore(pairs)
	d.setTasks(tasks)
	g.run(d, true, true)
	segments, affine := 0, 0
	for at := range tasks {
		measured, by := g.checkEdges(d, at)
		segments += measured
		affine += by
	}
	few := g.lanes > 8 // of few pairs, none may need segments
	if !few && (segments == 0 || affine == 0 && g.penalties == affineOutside) || affine > 0 && g.penalties != affineOutside {
		t.Errorf("%d segments, %d with affine gaps", segments, affine)
	}
}

// checkEdges checks the values of a task, and what its segments cost if detours were searched
// for. It returns the number of these segments, and of those with affine gaps.
func (g *gotohKernel) checkEdges(d *device, at int) (measured, affine int) {
	d.t.Helper()
	p := d.pairs[d.tasks[at].Pair]
	n, m := len(p.pattern), len(p.text)
	e := g.edgesOf(p)
	if e.count == 0 { // the band is narrower, as the lengths differ
		return 0, 0
	}
	words, h := d.edgeWords(at), g.matrix(p)
	cells, above := 0, 0
	check := func(k, strip, row, column int, value uint32, want int32) {
		cells++
		if int32(value) < want {
			d.t.Fatalf("value of strip %d before strip %d, row %d, column %d: %d, want %d: %s", strip, k, row, column, int32(value), want, d.name(at))
		} else if int32(value) > want {
			above++
		}
	}
	for i := range e.count {
		k, values := e.first+i, words[4*i:][:4]
		strips := map[int]uint32{k - 1 - e.inner[0]: values[2], k - e.strips + e.inner[1]: values[3]}
		for b, value := range strips {
			if row, column := e.cell(k, b); b >= 0 && row >= 0 && row <= n && column <= m {
				check(k, b, row, column, value, h[row][column])
			}
		}
		if k*e.columns >= m {
			continue // no strip comes
		}
		if row, column := e.cell(k, k-1); row > 0 && row <= n {
			least := int32(1 << 28)
			from := row - e.columns - 1
			for r := max(from, 0); r < row; r++ {
				least = min(least, h[r][column])
			}
			check(k, k-1, row, column, values[0], least)
		}
		if b := k - e.strips; b >= 0 {
			if row, column := e.cell(k, b); row <= n {
				check(k, b, row, column, values[1], slices.Min(h[row][column-e.columns+1:column+1]))
			}
		}
	}
	if cells < 2*e.count || above*10 > cells {
		d.t.Fatalf("%d of %d cells have more than in the whole matrix: %s", above, cells, d.name(at))
	}

	sums := words[6*e.count:]
	if sums[0] != 0 {
		return 0, 0
	}
	var err error
	for _, by := range g.unitsOutside(n, d.results[at]) {
		if measured, err = g.checkSegments(p, e, sums, by); err == nil {
			if by > 0 {
				affine = measured
			}
			return measured, affine
		}
	}
	d.t.Fatalf("%v: %s", err, d.name(at))
	return 0, 0
}

// checkSegments checks what the segments of a pair's sequences cost: by affine gaps of a unit, or by indels or seeds if it is 0. It
// returns the number of those measured.
func (g *gotohKernel) checkSegments(p pair, e gotohEdges, sums []uint32, unit int) (measured int, err error) {
	along, across, diagonals := [2]string{p.pattern, p.text}, [2]string{p.text, p.pattern}, [2]int{e.diagonal[0], -e.diagonal[1]}
	for side, along := range along {
		// Some letters behind a part are taken, too, those behind the end from the last word.
		across := across[side]
		whole := across + strings.Repeat("A", -len(across)&15)
		whole += whole[len(whole)-16:]
		segments := len(along) / 64
		of := sums[:segments+1]
		sums = sums[segments+1:]
		for s := range segments {
			from := min(max(64*s+diagonals[side]+1, 0), len(across))
			if of[s+1] == of[s] { // not measured
				continue
			}
			measured++
			told := int(of[s+1] - of[s])
			if each := g.seedOutside(); each > 0 && unit == 0 {
				near, all := missingSeeds(along[64*s:64*s+64], across, 64*s+diagonals[side]+1, 0), missingSeeds(along[64*s:64*s+64], across, 64*s+diagonals[side]+1, len(across))
				if told < each*all || told > each*near || told%each != 0 {
					return 0, fmt.Errorf("side %d, segment %d: cost %d, %d of each of %d to %d seeds", side, s, told, each, all, near)
				}
				continue
			}
			each, open, spare := min(2*g.penalties.GapExtend, g.penalties.Mismatch), 0, 12
			if unit > 0 {
				each, open, spare = unit, 2, 20
			}
			if told%each != 0 {
				return 0, fmt.Errorf("side %d, segment %d: cost %d in units of %d", side, s, told, each)
			}
			told /= each
			all := leastAffine(along[64*s:64*s+64], whole[from:min(len(across)+15, len(whole))], open)
			if told < all-1 || told > 64 { // a part of that may be taken, and it may cost one less
				return 0, fmt.Errorf("side %d, segment %d: cost %d, want at least %d; %v %+v", side, s, told, all-1, of[:segments+1], e)
			}
			if from+80 < len(across) && told > all+spare {
				return 0, fmt.Errorf("side %d, segment %d: cost %d, %d in all that there is", side, s, told, all)
			}
		}
	}
	return measured, nil
}

// seedOutside returns the doubled cost of a seed that is missing outside of bands, 0 if indels are counted there: OutsideCosts of
// cuda/outsidecosts.cuh.
func (g *gotohKernel) seedOutside() int {
	p := g.penalties
	each := min(2*p.Mismatch, 2*p.Gap(1), p.GapOpen+2*p.GapExtend, 2*8*p.GapExtend)
	if 2*each <= 9*min(2*p.GapExtend, p.Mismatch) {
		return 0
	}
	return each
}

// missingSeeds returns how many seeds of a segment that do not overlap a text lacks: the first half of the seeds from a letter on, the
// others from 32 letters further on, to some letters behind the segment.
func missingSeeds(segment, text string, from, letters int) (count int) {
	for i := 0; i+8 <= len(segment); i++ {
		part := i &^ 31
		begin := min(max(from+part, 0), len(text))
		end := min(max(from+part+39+letters, begin), len(text))
		if !strings.Contains(text[begin:end], segment[i:i+8]) {
			count++
			i += 7
		}
	}
	return count
}

// unitsOutside returns the doubled units of affine gaps by which letters outside of bands may have been measured for a result, 0 for
// indels or missing seeds: OutsideCosts of cuda/outsidecosts.cuh.
func (g *gotohKernel) unitsOutside(pattern int, r abi.Result) []int {
	score := int(r.Score)
	if score < 0 {
		score = int(r.Cigar)
	}
	indel := min(2*g.penalties.GapExtend, g.penalties.Mismatch)
	unit, usual := min(indel, g.penalties.GapOpen), 250*indel
	if each := g.seedOutside(); each > 0 {
		usual = 60 * each
	}
	switch {
	case 5*usual > 4*400*unit || 100_000*score <= 60*usual*pattern:
		return []int{0}
	case r.Score < 0 || score*1000 > usual*pattern:
		return []int{unit}
	}
	return []int{0, unit} // those that indels certify do without
}

// leastAffine returns the least cost that turns a segment into a part of a text, by plain dynamic programming: a mismatch costs 2, a
// gap of k letters open + k, but one of the segment's letters from the first one on k.
func leastAffine(segment, text string, open int) int {
	h, gaps := make([]int, len(text)+1), make([]int, len(text)+1) // of the segment's letters
	for i := range len(segment) {
		diagonal, before := h[0], 1<<20
		h[0]++
		gaps[0] = h[0]
		for j := range len(text) {
			above := h[j+1]
			if gaps[j+1] = min(gaps[j+1], above+open) + 1; i == 0 {
				gaps[j+1] = 1
			}
			before = min(before, h[j]+open) + 1
			cost := diagonal
			if segment[i] != text[j] {
				cost += 2
			}
			h[j+1] = min(cost, gaps[j+1], before)
			diagonal = above
		}
	}
	return min(slices.Min(h), len(segment))
}

// TestUnequalDetours: alignments that leave the band of a block where the first strips leave it before others come.
func TestUnequalDetours(t *testing.T) {
	k := emu.ForTest(t)
	_, seed := emulationRounds()
	for _, g := range outsideKernels(t, k, false, 64) {
		if g.lanes != 64 {
			continue
		}
		r := rand.New(rand.NewPCG(9, seed))
		g.lanes = 256
		g.penalties = align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}
		pairs := unequalPairs(r, &g, 3)
		for _, p := range pairs {
			if e := g.edgesOf(p); e.count == 0 || e.above <= (e.strips+10)*e.columns {
				t.Errorf("%s: strips leave the band late: %+v", g.name, e)
			}
		}
		if _, leaves := g.checkDetours(t, k, pairs); leaves < len(pairs) {
			t.Errorf("%s: the optimum of %d of %d pairs leaves the band", g.name, leaves, len(pairs))
		}
	}
}

// TestRareDetour: a pair whose optimum once was not what a band certified. It begins with an
// insertion as far as the last row of the first strip, and leaves the band there: 1458, and 1461 in
// the band.
func TestRareDetour(t *testing.T) {
	k := emu.ForTest(t)
	g, p := rarePair(t, k, "beginningdetour.txt", false, 32, 20)
	if _, leaves := g.checkDetours(t, k, []pair{p}); leaves != 1 {
		t.Errorf("the optimum of %d pairs leaves the band", leaves)
	}
}

// rarePair returns a kernel with the penalties of a file, and its pair.
func rarePair(t *testing.T, k *emu.Kernels, file string, free bool, lanes, columns int) (gotohKernel, pair) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var x, o, e int
	var p pair
	if _, err := fmt.Fscan(f, &x, &o, &e, &p.pattern, &p.text); err != nil {
		t.Fatal(err)
	}
	for _, g := range outsideKernels(t, k, free, lanes) {
		if g.lanes == lanes && g.columns == columns {
			g.penalties = align.Penalties{Mismatch: x, GapOpen: o, GapExtend: e}
			return g, p
		}
	}
	t.Fatalf("no kernel of %d lanes and %d columns", lanes, columns)
	return gotohKernel{}, pair{}
}

// checkDetours aligns pairs with the search for detours. It returns how many scores need detours,
// and the optimum of how many leaves the band.
func (g *gotohKernel) checkDetours(t *testing.T, k *emu.Kernels, pairs []pair) (certified, leaves int) {
	t.Helper()
	want := g.optima(t, pairs)
	d := upload(t, k, g.penalties, pairs)
	tasks := anyScore(pairs)
	d.setTasks(tasks)
	g.run(d, false, true)
	d.traceback(g.traces(), 1)
	for at, task := range tasks {
		w, got := &want[task.Pair], d.results[at]
		switch {
		case got.Score < 0 && got.Cigar == 0: // the end is outside
		case got.Score < 0 && int(got.Cigar) < w.score:
			t.Fatalf("upper bound %d of the score %d: %s", got.Cigar, w.score, d.name(at))
		case got.Score < 0 && int(got.Cigar) > w.score:
			leaves++
		case got.Score >= 0 && w.score > g.certifies(d.pairs[task.Pair]):
			certified++
		}
		if got.Score < 0 {
			w.score = 1 << 30
		}
	}
	d.check(g.name, want, func(pair) int { return 1 << 29 }, true)
	return certified, leaves
}

// TestDetours: what is certified by detours is the optimum, with the alignment of the rule,
// wherever others leave the band.
func TestDetours(t *testing.T) {
	k := emu.ForTest(t)
	rounds, seed := emulationRounds()
	certified, leaves := 0, 0 // pairs whose scores need detours, and whose optimum leaves the band
	for _, g := range outsideKernels(t, k, false, 16) {
		if g.lanes*g.columns > 16*20 {
			continue // slow here
		}
		for _, p := range []align.Penalties{
			{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 6, GapOpen: 4, GapExtend: 3}, {Mismatch: 3, GapOpen: 1, GapExtend: 2},
			{Mismatch: 3, GapOpen: 12, GapExtend: 2}, {Mismatch: 2, GapOpen: 1, GapExtend: 1}, {Mismatch: 16, GapOpen: 40, GapExtend: 2},
		} {
			t.Run(fmt.Sprintf("%s%d/%v", g.name, g.lanes, p), func(t *testing.T) {
				r := rand.New(rand.NewPCG(8, seed))
				g.penalties = p
				c, l := g.checkDetours(t, k, detourPairs(r, &g, rounds))
				certified += c
				leaves += l
			})
		}
	}
	if certified < rounds || leaves < rounds {
		t.Errorf("%d pairs are certified, the optimum of %d leaves the band", certified, leaves)
	}
}
