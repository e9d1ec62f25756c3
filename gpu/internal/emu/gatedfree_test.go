package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// placed is what the CPU engine makes of a pattern within a text.
type placed struct {
	optimum
	align.Place
}

// freeEnds are those of a pattern within a text.
var freeEnds = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}

func placedOptima(t testing.TB, p align.Penalties, pairs []pair) []placed {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: p, Span: align.EndsFree, Free: freeEnds})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]placed, len(pairs))
	for i, pair := range pairs {
		score, c, err := a.Align([]byte(pair.pattern), []byte(pair.text), nil)
		if err != nil {
			t.Fatalf("penalties %v, pattern %s, text %s: %v", p, pair.pattern, pair.text, err)
		}
		found[i] = placed{optimum{score: score}, a.Place()}
		for _, e := range c {
			found[i].cigar = append(found[i].cigar, uint32(e))
		}
	}
	return found
}

// elementsWithin are the optima of patterns within texts, with the elements of kernels: the positions at which an
// alignment begins come first.
func elementsWithin(t testing.TB, p align.Penalties, pairs []pair) []optimum {
	t.Helper()
	var found []optimum
	for _, w := range placedOptima(t, p, pairs) {
		found = append(found, optimum{w.score, append([]uint32{0, uint32(w.TextBegin)}, w.cigar...)})
	}
	return found
}

// withFlanks puts the text of each pair between random letters, between copies of its ends, or nothing.
func withFlanks(r *rand.Rand, pairs []pair) []pair {
	flanked := slices.Clone(pairs)
	for i := range flanked {
		b := flanked[i].text
		flank := func(end string) string {
			switch n := r.IntN(200); r.IntN(5) {
			case 0:
				return ""
			case 1: // the end again, with errors, or without
				return edited(r, "ACGT", end[:min(n+1, len(end))], r.IntN(3), 2)
			case 2: // a repeat of it
				return strings.Repeat(end[:min(1+n%7, len(end))], 1+n/7)
			default:
				return letters(r, "ACGT", n)
			}
		}
		flanked[i].text = flank(b) + b + flank(b[max(0, len(b)-60):])
	}
	return flanked
}

// The kernel finds where patterns lie within texts, and their optimal alignments, but for pairs with parts or ends
// of many errors.
func TestGatedFree(t *testing.T) {
	k := emu.ForTest(t)
	count := 400
	if testing.Short() {
		count = 100
	}
	for i, p := range gatedPenalties {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, uint64(i)))
			pairs := fewErrors(r, count, 2500)
			for range count / 4 { // errors near the ends
				a := letters(r, "ACGT", 300+r.IntN(500))
				at := r.IntN(40)
				b := edited(r, "ACGT", a[:at], r.IntN(4), 3) + a[at:len(a)-at] + edited(r, "ACGT", a[len(a)-at:], r.IntN(4), 3)
				pairs = append(pairs, pair{a, b})
			}
			pairs = append(pairs, smallPairs(r, 2)...)
			pairs = withFlanks(r, pairs)
			pairs = append(pairs, pair{letters(r, "ACGT", 3000), letters(r, "ACGT", 3000)})
			a := letters(r, "ACGT", 40_000)
			pairs = append(pairs, pair{a, "ACGTAC" + edited(r, "ACGT", a, 3, 2)}, pair{a[3000:], a}, pair{a, a[70:]}, pair{a, a[:39_970]})
			want := placedOptima(t, p, pairs)
			d := upload(t, k, p, pairs)
			var tasks []taskEntry
			for i := range pairs {
				tasks = append(tasks, taskEntry{Pair: uint32(i), Bound: int32(2*want[i].score + 100)})
			}
			d.setTasks(tasks)
			for _, wide := range []int{0, 40, 250, 1024} {
				full, open := d.gatedFree(t, 3, wide, want)
				if full < len(tasks)/5 || wide == 0 && open == 0 {
					t.Errorf("%d of %d aligned, %d with open parts", full, len(tasks), open)
				}
			}
		})
	}
}

// gatedFree compares what the kernel finds with optima, and returns how many pairs it has aligned,
// and how many have open parts, with their place in the text alone or with all that is not open.
func (d *device) gatedFree(t *testing.T, warps, wide int, want []placed) (full, open int) {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: d.penalties})
	if err != nil {
		t.Fatal(err)
	}
	d.params.CigarCapacity = cigarCapacity
	d.launch("wfa_gated_free", warps, 32, d.setGatedFree(warps, wide))
	for at, task := range d.tasks {
		w, res := want[task.Pair], d.results[at]
		switch {
		case res.Score < 0 && res.Flags == abi.FlagOpen:
			open++
			if int(res.Cigar) != w.TextBegin || int(res.CigarLength) != w.TextEnd {
				t.Fatalf("place %d to %d, want %+v, of %s", res.Cigar, res.CigarLength, w.Place, d.name(at))
			}
		case res.Score >= 0 && res.Flags == abi.FlagOpen:
			open++
			got := d.alignment(at)
			score, all := d.closed(at, got[2:], int(got[1]), a)
			if score != w.score || got[0] != 0 || int(got[1]) != w.TextBegin || !slices.Equal(all, w.cigar) {
				t.Fatalf("score %d, alignment %d %s, want %d, %+v %s, of %s", score, got[:2], text(all), w.score, w.Place, text(w.cigar), d.name(at))
			}
		case res.Score < 0 && res.Flags != 0:
			t.Fatalf("flags %#x of %s", res.Flags, d.name(at))
		case res.Score < 0:
		case w.score > int(task.Bound) || res.Flags != 0:
			t.Fatalf("score %d, flags %#x of %s", res.Score, res.Flags, d.name(at))
		default:
			full++
			got := d.alignment(at)
			if int(res.Score) != w.score || len(got) < 2 || got[0] != 0 || int(got[1]) != w.TextBegin || !slices.Equal(got[2:], w.cigar) {
				t.Fatalf("score %d, alignment %d %s, want %d, %+v %s, of %s", res.Score, got[:2], text(got[2:]), w.score, w.Place, text(w.cigar), d.name(at))
			}
		}
	}
	traced := slices.Clone(d.results)
	d.params.CigarCapacity = 0
	d.launch("wfa_gated_free", warps, 32, d.setGatedFree(warps, wide))
	for at, res := range d.results {
		best := want[d.tasks[at].Pair]
		place := abi.Result{Score: -1, Cigar: uint32(best.TextBegin), CigarLength: uint32(best.TextEnd), Flags: abi.FlagOpen}
		switch w := traced[at]; {
		case w.Flags != 0 && res != place, w.Score >= 0 && w.Flags == 0 && (res.Score != w.Score || res.Flags != 0):
			t.Fatalf("result %+v, want %+v or %+v, of %s", res, w, place, d.name(at))
		case res.Score >= 0 && int(res.Score) != best.score:
			t.Fatalf("score %d of %s", res.Score, d.name(at))
		}
	}
	t.Logf("to score %d: %d of %d aligned, %d with open parts", wide, full, len(d.tasks), open)
	return full, open
}

// Real reads within flanks are aligned as on the CPU.
func TestGatedFreeOnRealReads(t *testing.T) {
	names, load := aligntest.RealSets(t)
	k := emu.ForTest(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			p, pairs := align.DefaultPenalties, realPairs(load(t, name))
			for i := range pairs {
				pairs[i].text = letters(r, "ACGT", 100) + pairs[i].text + letters(r, "ACGT", 100)
			}
			want := placedOptima(t, p, pairs)
			d := upload(t, k, p, pairs)
			var tasks []taskEntry
			for i := range pairs {
				tasks = append(tasks, taskEntry{Pair: uint32(i), Bound: 10_000})
			}
			d.setTasks(tasks)
			d.gatedFree(t, 3, 256, want)
		})
	}
}
