package emu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// gotohEdges are the edges of a pair's band: GotohEdges of cuda/gotohedges.cuh.
type gotohEdges struct{ first, count, above, below, strips, columns int }

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
	e.first = max((e.above+g.columns-1)/g.columns, 1)
	e.count = max((n+(m-1)/g.columns-1+e.above)/(g.columns+1)-e.first+1, 0)
	return e
}

// cell is that whose value strip b stores before strip k comes.
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

// repeated returns a pair of a tandem repeat whose units change: its alignment follows the text with errors, or begins a
// unit further and has fewer, but long gaps.
func repeated(r *rand.Rand, unit, length, errors int) pair {
	last := letters(r, "ACGT", unit)
	var b strings.Builder
	for b.Len() < length+unit {
		last = edited(r, "ACGT", last, r.IntN(errors+1), 1+r.IntN(2))
		b.WriteString(last)
	}
	all := b.String()
	before, after := letters(r, "ACGT", 20+r.IntN(120)), letters(r, "ACGT", 20+r.IntN(120))
	p := pair{before + all[unit:length] + after, before + all[:length-unit] + after}
	if r.IntN(3) == 0 {
		p.text = edited(r, "ACGT", p.text, len(p.text)/30, 2)
	}
	if r.IntN(2) == 0 {
		p.pattern, p.text = p.text, p.pattern
	}
	return p
}

// tied returns a pair with two alignments that cost about the same, which mismatches alone tell apart from a tandem repeat:
// one has some in every unit, the other begins a unit further and has two gaps of that length. Both have some more.
func tied(r *rand.Rand, p align.Penalties, unit, length int) pair {
	change := func(s []byte, count int) {
		for range count {
			s[r.IntN(len(s))] = "ACGT"[r.IntN(4)]
		}
	}
	gaps := 2 * (p.GapOpen + unit*p.GapExtend)
	errors := (gaps/p.Mismatch + r.IntN(9) - 2) * 4 / 3 // a change is none in one of four cases
	units := length/unit + 2
	last := []byte(letters(r, "ACGT", unit))
	var all []byte
	for i := range units {
		if i > 0 {
			change(last, (i+1)*errors/(units-1)-i*errors/(units-1))
		}
		all = append(all, last...)
	}
	before, after := letters(r, "ACGT", 20+r.IntN(120)), letters(r, "ACGT", 20+r.IntN(120))
	pattern, text := []byte(before+string(all[unit:])+after), []byte(before+string(all[:len(all)-unit])+after)
	change(text, len(text)*r.IntN(24)/100)
	if r.IntN(2) == 0 {
		pattern, text = text, pattern
	}
	return pair{string(pattern), string(text)}
}

// detourPairs are pairs with more errors than gaps and broken seeds of a band certify, whose optimal alignments leave it, or just
// do not.
func detourPairs(r *rand.Rand, g *gotohKernel, count int) []pair {
	half := g.beside() / 2
	longest := g.strips() * g.columns
	var pairs []pair
	for range count {
		length := 3*longest + r.IntN(4*longest)
		switch r.IntN(6) {
		case 4, 5:
			pairs = append(pairs, tied(r, g.penalties, half/2+r.IntN(half), length))
		case 0: // errors everywhere
			a := letters(r, "ACGT", length)
			pairs = append(pairs, pair{a, edited(r, "ACGT", a, length*(2+r.IntN(12))/100, 1+r.IntN(3))})
		case 1: // of two letters, so that much fits elsewhere
			a := letters(r, "AC", length)
			pairs = append(pairs, pair{a, edited(r, "AC", a, length*(2+r.IntN(12))/100, 1+r.IntN(3))})
		case 2:
			unit := half/2 + r.IntN(half)
			pairs = append(pairs, repeated(r, unit, length+unit, 1+unit/(4+r.IntN(12))))
		default: // a part elsewhere, beyond the band or not
			a := letters(r, "ACGT", length)
			from, n, by := r.IntN(length/2), length/4+r.IntN(length/4), half/2+r.IntN(half)
			part := a[from : from+n]
			p := pair{a, a[:from] + letters(r, "ACGT", by) + edited(r, "ACGT", part, n/20, 2) + a[min(from+n+by, length):]}
			if r.IntN(2) == 0 {
				p.pattern, p.text = p.text, p.pattern
			}
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// detourKernels are those of some widths that search for detours.
func detourKernels(t *testing.T, k *emu.Kernels, lanes int) (found []gotohKernel) {
	for _, g := range gotohKernels(t, k, false) {
		if g.lanes <= lanes && g.searches() {
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

// TestEdges compares what the kernels keep of the edges of bands with the whole matrix, and the indels of segments with
// plain dynamic programming.
func TestEdges(t *testing.T) {
	k := emu.ForTest(t)
	for _, g := range detourKernels(t, k, 64) {
		t.Run(fmt.Sprintf("%s%d", g.name, g.lanes), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(g.lanes+g.columns)))
			g.penalties = align.Penalties{Mismatch: 3, GapOpen: 4, GapExtend: 2}
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
				b := edited(r, "ACGT", a, len(a)/10, 2)
				b = b[:len(b)/2] + letters(r, "ACGT", 3*by) + b[len(b)/2:]
				pairs = append(pairs, pair{a, b}, pair{b, a})
			}
			d := upload(t, k, g.penalties, pairs)
			tasks := anyScore(pairs)
			d.setTasks(tasks)
			g.run(d, true, true)
			segments := 0
			for at := range tasks {
				segments += g.checkEdges(d, at)
			}
			if segments == 0 && g.lanes <= 8 {
				t.Error("no pair with detours")
			}
		})
	}
}

// checkEdges checks the values of a task, and the indels of its segments if detours were searched for. It returns the number of
// these segments.
func (g *gotohKernel) checkEdges(d *device, at int) int {
	d.t.Helper()
	p := d.pairs[d.tasks[at].Pair]
	n, m := len(p.pattern), len(p.text)
	e := g.edgesOf(p)
	if e.count == 0 { // the band is narrower, as the lengths differ
		return 0
	}
	words, h := d.edgeWords(at), g.matrix(p)
	cells, above := 0, 0
	for i := range e.count {
		k := e.first + i
		for b := max(k-e.strips, 0); b < max(k, e.strips); b++ {
			row, column := e.cell(k, b)
			if row < 0 || row > n || column > m || b >= k {
				continue
			}
			cells++
			value := int32(words[i*e.strips+b%e.strips])
			if want := h[row][column]; value < want {
				d.t.Fatalf("value of strip %d before strip %d, row %d, column %d: %d, want %d: %s", b, k, row, column, value, want, d.name(at))
			} else if value > want {
				above++
			}
		}
	}
	if cells < e.count*e.strips/2 || above*10 > cells {
		d.t.Fatalf("%d of %d cells have more than in the whole matrix: %s", above, cells, d.name(at))
	}

	// The diagonals of the inner cells.
	right, left := max(m-n, 0)+64, min(m-n, 0)-64
	period := e.columns + 1
	right = e.above - 1 - (e.above-1-right)/period*period
	left = (left+e.below+1)/period*period - e.below - 1

	// Some letters behind a part of the text are taken, too, those behind the end from the last word.
	whole := p.text + strings.Repeat("A", -m&15)
	whole += whole[len(whole)-16:]
	segments, measured := n/64, 0
	sums := words[e.count*(e.strips+2):]
	if sums[0] != 0 {
		return 0
	}
	for side := range 2 {
		of := sums[side*(segments+1):]
		for s := range segments {
			from, to := 0, m
			if side == 0 {
				from = min(64*s+right+1, m)
			} else {
				to = min(max(64*s+64+left, 0), m)
			}
			if of[s+1] == of[s] { // not measured
				continue
			}
			measured++
			told, all := int(of[s+1]-of[s]), leastIndels(p.pattern[64*s:64*s+64], whole[from:min(to+15, len(whole))])
			if told < all || told > 64 { // of the text, there is a part alone
				d.t.Fatalf("side %d, segment %d: %d indels, want at least %d; %v %+v", side, s, told, all, of[:segments+1], e)
			}
			if side == 0 && from+80 < to || side == 1 && to > 80 {
				if told > all+12 {
					d.t.Fatalf("side %d, segment %d: %d indels, %d in all of the text", side, s, told, all)
				}
			}
		}
	}
	return measured
}

// leastIndels returns the least number of letters to insert and delete that turns a segment into a part of a text.
func leastIndels(segment, text string) int {
	row := make([]int, len(text)+1)
	for i := range len(segment) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(text) {
			above := row[j+1]
			row[j+1] = min(row[j], above) + 1
			if segment[i] == text[j] {
				row[j+1] = min(row[j+1], diagonal)
			}
			diagonal = above
		}
	}
	least := len(segment)
	for _, v := range row {
		least = min(least, v)
	}
	return least
}

// TestDetours: what is certified by detours is the optimum, with the alignment of the rule, wherever others leave the band.
func TestDetours(t *testing.T) {
	k := emu.ForTest(t)
	rounds, seed := emulationRounds()
	certified, leaves := 0, 0 // pairs whose scores need detours, and whose optimum leaves the band
	for _, g := range detourKernels(t, k, 16) {
		if g.lanes*g.columns > 16*20 {
			continue // slow here
		}
		for _, p := range []align.Penalties{
			{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 6, GapOpen: 4, GapExtend: 3}, {Mismatch: 3, GapOpen: 1, GapExtend: 2},
		} {
			t.Run(fmt.Sprintf("%s%d/%v", g.name, g.lanes, p), func(t *testing.T) {
				r := rand.New(rand.NewPCG(8, seed))
				g.penalties = p
				pairs := detourPairs(r, &g, rounds)
				want := g.optima(t, pairs)
				d := upload(t, k, p, pairs)
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
			})
		}
	}
	if certified < rounds || leaves < rounds {
		t.Errorf("%d pairs are certified, the optimum of %d leaves the band", certified, leaves)
	}
}
