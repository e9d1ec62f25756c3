package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/cigar"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// gatedPenalties have gaps of all costs beside those of mismatches.
var gatedPenalties = []align.Penalties{
	align.DefaultPenalties, align.EditPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 6, GapOpen: 4, GapExtend: 3},
	{Mismatch: 3, GapOpen: 0, GapExtend: 2}, {Mismatch: 1, GapOpen: 7, GapExtend: 5}, {Mismatch: 19, GapOpen: 36, GapExtend: 2},
}

// setGatedFree is setGated for cuda/gated.cuh with free ends, which take wavefronts of more diagonals.
func (d *device) setGatedFree(warps, score int) (shared int) {
	shared = d.setGated(warps, score)
	if score > 0 {
		p := d.penalties
		width, rows := (2*max(score-p.GapOpen+1, 0)/p.GapExtend+2+31)/32*32, score+1
		d.params.Width = int32(width)
		d.setRows(int(d.params.RowStride)+3*width*rows/2, warps)
	}
	return shared
}

// setGated lays out the memory of some warps of cuda/gated.cuh, with wavefronts in memory up to a score, and
// returns the shared memory of one.
func (d *device) setGated(warps, score int) (shared int) {
	p := d.penalties
	span := min(2*p.GapOpen+32*p.GapExtend, 80)
	runs := int(d.params.MaxScore)/min(p.Mismatch, p.GapOpen+p.GapExtend) + 3
	width, rows := 0, 0
	if score > 0 {
		width, rows = (max(score-2*p.GapOpen, 0)/p.GapExtend+3+32)/32*32, score+1
	}
	d.params.Span, d.params.Scratch, d.params.Width, d.params.SegmentRows = int32(span), int32(runs), int32(width), int32(rows)
	d.setRows(8*runs+(2+2*runs+3)&^3+3*width*rows/2+(2*rows+3)&^3, warps)
	return max(8<<10, 2*3*32*(span+1)+4*(2*span+1))
}

// fewErrors are pairs with few errors, near each other or not, with gaps of all lengths, in random
// letters, in repeats, and with copies.
func fewErrors(r *rand.Rand, count, longest int) []pair {
	var pairs []pair
	for range count {
		length := 100 + r.IntN(longest)
		a := letters(r, "ACGT", length)
		switch r.IntN(5) {
		case 0:
			at, n := r.IntN(length), r.IntN(length/3)
			a = a[:at] + strings.Repeat(letters(r, "ACGT", 1+r.IntN(40)), n)[:n] + a[at:]
		case 1:
			from, to := r.IntN(length), r.IntN(length)
			n := min(r.IntN(300), length-from)
			a = a[:to] + a[from:from+n] + a[to:]
		}
		b := edited(r, "ACGT", a, r.IntN(2+len(a)/80), 1+r.IntN(3))
		for range r.IntN(3) {
			switch at := r.IntN(len(b)); r.IntN(4) {
			case 0:
				b = b[:at] + letters(r, "ACGT", 1+r.IntN(60)) + b[at:]
			case 1:
				b = b[:at] + b[min(at+r.IntN(60), len(b)-1):]
			case 2: // errors close to each other
				end := min(at+30, len(b))
				b = b[:at] + edited(r, "ACGT", b[at:end], 6, 2) + b[end:]
			default:
				n := min(r.IntN(80), len(b)-at)
				b = b[:at] + b[at:at+n] + b[at:]
			}
		}
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		pairs = append(pairs, pair{a, b})
	}
	return pairs
}

// closed returns the alignment of a task, with the open parts aligned, and its score. elements are those of the
// alignment, which begins at a letter of the text.
func (d *device) closed(at int, elements []uint32, begin int, a *align.Aligner) (score int, all []uint32) {
	d.t.Helper()
	p := d.pairs[d.tasks[at].Pair]
	var joined cigar.CIGAR
	score = int(d.results[at].Score)
	v, h := 0, begin
	for i := 0; i < len(elements); i++ {
		op, n := elements[i]&15, int(elements[i]>>4)
		if op != abi.OpenPattern {
			if op != 2 {
				v += n
			}
			if op != 1 {
				h += n
			}
			joined = align.Joined(joined, cigar.CIGAR{cigar.Elem(elements[i])})
			continue
		}
		m := int(elements[i+1] >> 4)
		if elements[i+1]&15 != abi.OpenText || elements[i+2]&15 != abi.OpenCost || n == 0 || m == 0 {
			d.t.Fatalf("open part of %d elements %x of %s", len(elements), elements[i:i+3], d.name(at))
		}
		s, c, err := a.Align([]byte(p.pattern[v:v+n]), []byte(p.text[h:h+m]), nil)
		if err != nil {
			d.t.Fatal(err)
		}
		if s > int(elements[i+2]>>4) {
			d.t.Fatalf("an open part costs %d, at most %d: %s", s, elements[i+2]>>4, d.name(at))
		}
		joined = align.Joined(joined, c)
		score += s
		v, h, i = v+n, h+m, i+2
	}
	for _, e := range joined {
		all = append(all, uint32(e))
	}
	return score, all
}

// The kernel finds optimal alignments, but for parts that it leaves open, or upper bounds.
func TestGated(t *testing.T) {
	k := emu.ForTest(t)
	count := 400
	if testing.Short() {
		count = 100
	}
	for i, p := range gatedPenalties {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(i)))
			pairs := fewErrors(r, count, 2500)
			pairs = append(pairs, smallPairs(r, 2)...)
			pairs = append(pairs, pair{letters(r, "ACGT", 3000), letters(r, "ACGT", 3000)})
			for range 3 { // beyond what lanes hold
				a := letters(r, "ACGT", 40_000)
				pairs = append(pairs, pair{a, edited(r, "ACGT", a, 3, 2)})
			}
			want := optima(t, p, pairs)
			d := upload(t, k, p, pairs)
			var tasks []taskEntry
			for i := range pairs {
				bound := 2*want[i].score + 100
				if i%20 == 7 {
					bound = want[i].score - 1
				}
				if bound >= 0 {
					tasks = append(tasks, taskEntry{Pair: uint32(i), Bound: int32(bound)})
				}
			}
			d.setTasks(tasks)
			const warps = 3
			a, err := align.NewAligner(align.Options{Penalties: p})
			if err != nil {
				t.Fatal(err)
			}
			for _, wide := range []int{0, 40, 250} {
				full, open, bounded := d.gated(t, warps, wide, want, a)
				if full < len(tasks)/5 || wide == 0 && open == 0 || bounded == 0 {
					t.Errorf("%d of %d aligned, %d with open parts, %d bounded", full, len(tasks), open, bounded)
				}
			}
		})
	}
}

// gated compares what the kernel finds with optima, and returns how many pairs it has aligned, in full and with open
// parts, and of how many it has an upper bound.
func (d *device) gated(t *testing.T, warps, wide int, want []optimum, a *align.Aligner) (full, open, bounded int) {
	t.Helper()
	d.params.CigarCapacity = cigarCapacity
	d.launch("wfa_gated", warps, 32, d.setGated(warps, wide))
	none := 0
	for at, task := range d.tasks {
		w, res := want[task.Pair], d.results[at]
		switch {
		case res.Score < 0 && (res.Flags != 0 || res.Cigar != 0 && int(res.Cigar) < w.score):
			t.Fatalf("flags %#x, upper bound %d, score %d of %s", res.Flags, res.Cigar, w.score, d.name(at))
		case res.Score < 0 && res.Cigar == 0 && w.score > 0:
			none++
		case res.Score < 0:
			bounded++
		case w.score > int(task.Bound):
			t.Fatalf("score %d, which is above the bound, of %s", res.Score, d.name(at))
		case res.Flags == 0:
			full++
		case res.Flags == abi.FlagOpen:
			open++
		default:
			t.Fatalf("flags %#x of %s", res.Flags, d.name(at))
		}
		if res.Score < 0 {
			continue
		}
		score, got := d.closed(at, d.alignment(at), 0, a)
		if score != w.score || !slices.Equal(got, w.cigar) {
			t.Fatalf("score %d, alignment %s, want %d, %s, open %v, of %s", score, text(got), w.score, text(w.cigar), res.Flags != 0, d.name(at))
		}
	}
	// Scores alone are those of the pairs that are aligned in full.
	traced := slices.Clone(d.results)
	d.params.CigarCapacity = 0
	d.launch("wfa_gated", warps, 32, d.setGated(warps, wide))
	for at, res := range d.results {
		if w := traced[at]; w.Score >= 0 && w.Flags == 0 && (res.Score != w.Score || res.Flags != 0) || w.Flags != 0 && res.Score >= 0 {
			t.Fatalf("score %d, want %d, flags %#x, of %s", res.Score, w.Score, w.Flags, d.name(at))
		}
		if res.Score < 0 && res.Cigar != 0 && int(res.Cigar) < want[d.tasks[at].Pair].score {
			t.Fatalf("upper bound %d of %s", res.Cigar, d.name(at))
		}
	}
	t.Logf("to score %d: %d aligned, %d with open parts, %d bounded, %d not", wide, full, open, bounded, none)
	return full, open, bounded
}

// realPairs returns the first pairs of a set that the device takes.
func realPairs(set aligntest.RealSet) (pairs []pair) {
	const mostLetters = 600_000
	letters := 0
	for _, c := range set.Cases {
		if letters += len(c.Pattern) + len(c.Text); letters > mostLetters {
			break
		}
		if strings.Trim(string(c.Pattern)+string(c.Text), "ACGT") == "" && len(c.Pattern) > 0 && len(c.Text) > 0 {
			pairs = append(pairs, pair{string(c.Pattern), string(c.Text)})
		}
	}
	return pairs
}

// Real reads are aligned as on the CPU, those of repeats, too.
func TestGatedOnRealReads(t *testing.T) {
	names, load := aligntest.RealSets(t)
	k := emu.ForTest(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			p, pairs := align.DefaultPenalties, realPairs(load(t, name))
			want := optima(t, p, pairs)
			d := upload(t, k, p, pairs)
			var tasks []taskEntry
			for i := range pairs {
				tasks = append(tasks, taskEntry{Pair: uint32(i), Bound: 10_000})
			}
			d.setTasks(tasks)
			a, err := align.NewAligner(align.Options{Penalties: p})
			if err != nil {
				t.Fatal(err)
			}
			d.gated(t, 3, 128, want, a)
		})
	}
}
