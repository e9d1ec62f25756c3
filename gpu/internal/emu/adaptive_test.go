package emu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// band is an adaptive band that kernels are given.
type band = align.AdaptiveBand

// inBand is what the CPU engine makes of a pair in a band.
func inBand(t testing.TB, p align.Penalties, pairs []pair, b band) []aligntest.BandResult {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: p, Approx: &align.Approx{}})
	if err != nil {
		t.Fatal(err)
	}
	found := make([]aligntest.BandResult, len(pairs))
	for i, p := range pairs {
		if found[i], err = aligntest.AlignBand(a, []byte(p.pattern), []byte(p.text), b); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// counts are how many pairs ended how.
type counts struct{ reached, doubtful, lost, drifted, overBound int }

func (n *counts) add(c counts) {
	n.reached += c.reached
	n.doubtful += c.doubtful
	n.lost += c.lost
	n.drifted += c.drifted
	n.overBound += c.overBound
}

// checkBand compares the results of all tasks with what the CPU engine finds in
// the same band.
func (d *device) checkBand(what string, want []aligntest.BandResult, traced bool) (n counts) {
	d.t.Helper()
	for at, task := range d.tasks {
		w, r := want[task.Pair], d.results[at]
		score, flags := w.Score, abi.Flags(0)
		switch {
		case w.Drifted:
			score, flags = -1, abi.FlagDrifted
			n.drifted++
		case w.Lost: // or no score up to the worst has the end
			score, flags = -1, r.Flags&abi.FlagLost
			n.lost += int(flags / abi.FlagLost)
		case w.Score > int(task.Bound):
			score = -1
			n.overBound++
		default:
			n.reached++
			if w.Doubtful {
				flags = abi.FlagDoubtful
				n.doubtful++
			}
			if traced {
				score = w.Cost
			}
		}
		if int(r.Score) != score || r.Flags != flags {
			d.t.Fatalf("%s: score %d, flags %#x, want score %d, flags %#x of %s", what, r.Score, r.Flags, score, flags, d.name(at))
		}
		if !traced || score < 0 {
			continue
		}
		elements := make([]uint32, len(w.CIGAR))
		for i, e := range w.CIGAR {
			elements[i] = uint32(e)
		}
		if got := d.alignment(at); !slices.Equal(got, elements) {
			d.t.Fatalf("%s: alignment %s, want %s of %s", what, text(got), text(elements), d.name(at))
		}
	}
	return n
}

// bandTasks asks for all pairs, with a bound that none reaches, or one at or just
// below the score in the band.
func bandTasks(r *rand.Rand, p align.Penalties, pairs []pair, want []aligntest.BandResult) []taskEntry {
	tasks := make([]taskEntry, len(pairs))
	for i, at := range r.Perm(len(pairs)) {
		w := want[at]
		bound := p.Worst(len(pairs[at].pattern), len(pairs[at].text))
		if w.Score > 1 {
			bound = min(bound, w.Score+r.IntN(3)-1)
		}
		tasks[i] = taskEntry{Pair: uint32(at), Bound: int32(max(bound, 1))}
	}
	return tasks
}

// setBand says what band the pairs have, and returns the words ahead of rows.
func (d *device) setBand(b band) int {
	a := &d.params
	a.Band, a.Lambda, a.MaxDrift, a.StallInterval = int32(b.Band), int32(b.Lambda), int32(b.MaxDrift), int32(b.StallInterval)
	a.BandStarts = (a.MaxScore/a.Lambda + 1 + 31) &^ 31
	return int(a.BandStarts)
}

// bandsUpTo returns bands of up to widest diagonals. Progress can be the least that
// is no stall, which is 5/(2x) times the scores between two tests.
func bandsUpTo(widest int) []band {
	return []band{
		{Band: widest, Lambda: 50, MaxDrift: math.MaxInt32},
		{Band: widest, Lambda: 8, MaxDrift: widest / 3, StallInterval: 3},
		{Band: max(8, widest/2), Lambda: 4, MaxDrift: widest / 4, StallInterval: 3},
		{Band: max(8, widest/3), Lambda: 1, MaxDrift: math.MaxInt32},
		{Band: 8, Lambda: 2, MaxDrift: 6},
	}
}

func TestAdaptiveWarp(t *testing.T) {
	k := emu.ForTest(t)
	testAdaptiveWarp(t, k, registers(t, k, "adaptive_warp"), nil)
}

func TestAdaptiveLong(t *testing.T) {
	k := emu.ForTest(t)
	testAdaptiveMoving(t, k, registers(t, k, "adaptive_long"))
}

// TestAdaptiveRings has all penalties with narrow bands, and one with wider ones.
func TestAdaptiveRings(t *testing.T) {
	k := emu.ForTest(t)
	var variants []register
	for _, name := range k.Names() {
		m := ringsName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		words, _ := strconv.Atoi(m[1])
		v := register{name: name, family: "adaptive_rings", threads: 32, block: 32, words: words, rows: m[2] == "rows"}
		for _, v.penalties = range generalPenalties {
			if words <= 2 || v.penalties.Mismatch == 10 {
				variants = append(variants, v)
			}
		}
	}
	if len(variants) < 20 {
		t.Fatalf("%d kernels and penalties", len(variants))
	}
	testAdaptiveMoving(t, k, variants)
}

var ringsName = regexp.MustCompile(`^wfa_adaptive_rings_(\d+)_Packed_(rows|score)$`)

// testAdaptiveMoving adds pairs longer than the largest offset, which is 3,200 in the emulation. The
// origin of some cannot follow: they overflow.
func testAdaptiveMoving(t *testing.T, k *emu.Kernels, variants []register) {
	t.Helper()
	overflowed := testAdaptiveWarp(t, k, variants, func(r *rand.Rand) []pair {
		var pairs []pair
		for _, length := range []int{3300, 5000} {
			a := letters(r, "ACGT", length)
			for _, share := range []int{8, 20, 1000} {
				pairs = append(pairs, pair{a, edited(r, "ACGT", a, length/share, 2)})
			}
			pairs = append(pairs, pair{a, a}, pair{edited(r, "ACGT", a[:2000]+letters(r, "ACGT", 300)+a[2000:], length/15, 2), a})
		}
		return pairs
	})
	if overflowed == 0 {
		t.Error("the offsets of no pair overflow")
	}
}

// testAdaptiveWarp tries kernels, and returns of how many pairs the offsets overflow.
func testAdaptiveWarp(t *testing.T, k *emu.Kernels, variants []register, more func(r *rand.Rand) []pair) (overflowed int) {
	t.Helper()
	var n counts
	long := 0
	for _, v := range variants {
		t.Run(fmt.Sprintf("%s/%v", strings.TrimPrefix(v.name, "wfa_"), v.penalties), func(t *testing.T) {
			for i, b := range bandsUpTo(64*v.words - v.unroll()) {
				r := rand.New(rand.NewPCG(3, uint64(100*v.words+i)))
				pairs := append(smallPairs(r, 1), longPairs(r, 150)...)
				if i == 0 {
					pairs = packedRuns(&v, r, pairs)
				}
				if more != nil && i < 2 { // they take long
					pairs = append(pairs, more(r)...)
				}
				want := inBand(t, v.penalties, pairs, b)
				d := upload(t, k, v.penalties, pairs)
				d.setTasks(bandTasks(r, v.penalties, pairs, want))
				ahead := d.setBand(b)
				if more != nil { // origins
					ahead *= 2
					d.params.BandStarts = int32(ahead)
				}
				v.run(d, ahead)
				what := fmt.Sprintf("%s, %+v", v.name, b)
				for at, task := range d.tasks {
					p := d.pairs[task.Pair]
					switch {
					case d.results[at].Flags == abi.FlagOverflow && len(p.text) > 3200 && len(p.pattern) > 3200:
						overflowed++
						d.results[at].Flags = 0
						want[task.Pair] = aligntest.BandResult{Score: math.MaxInt}
					case d.results[at].Score > 0 && len(p.text) > 3200:
						long++
					}
				}
				c := d.checkBand(what, want, false)
				n.add(c)
				if v.rows {
					trace := "wfa_adaptive_warp_trace"
					if more != nil {
						trace = "wfa_adaptive_long_trace"
					}
					d.traceback(trace, 8)
					d.checkBand(what+", traced", want, true)
				}
			}
		})
	}
	t.Logf("%+v, %d long, %d overflowed", n, long, overflowed)
	if more != nil && long < 5 {
		t.Errorf("%d long pairs have a score", long)
	}
	if n.reached == 0 || n.doubtful == 0 || n.lost == 0 || n.drifted == 0 || n.overBound == 0 {
		t.Errorf("not all ends were met: %+v", n)
	}
	return overflowed
}

func TestAdaptiveBlock(t *testing.T) {
	k := emu.ForTest(t)
	var n counts
	for _, p := range generalPenalties {
		for i, b := range append(bandsUpTo(200), bandsUpTo(37)...) {
			for _, rows := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v/%d/%v", p, b.Band, rows), func(t *testing.T) {
					r := rand.New(rand.NewPCG(5, uint64(100*p.Mismatch+i)))
					pairs := append(smallPairs(r, 1), longPairs(r, 150)...)
					want := inBand(t, p, pairs, b)
					d := upload(t, k, p, pairs)
					d.setTasks(bandTasks(r, p, pairs, want))
					ahead, name := d.setBand(b), "wfa_adaptive_block_score"
					if rows {
						name = "wfa_adaptive_block_rows"
						d.setRows(ahead+(int(d.params.MaxScore)+1)*b.Band, len(d.tasks))
					}
					const blocks = 2
					ring := (max(p.Mismatch, p.GapOpen) + 2*(p.GapExtend+1)) * (b.Band + 1)
					shared := 4 * ring
					if i%2 == 1 {
						d.params.Ring = address(memory[uint32](t, blocks*ring))
						shared = 0
					}
					what := fmt.Sprintf("%s, %+v", name, b)
					d.launch(name, blocks, 64, shared)
					c := d.checkBand(what, want, false)
					n.add(c)
					if rows {
						d.traceback("wfa_adaptive_block_trace", 8)
						d.checkBand(what+", traced", want, true)
					}
				})
			}
		}
	}
	t.Logf("%+v", n)
	if n.reached == 0 || n.doubtful == 0 || n.lost == 0 || n.drifted == 0 || n.overBound == 0 {
		t.Errorf("not all ends were met: %+v", n)
	}
}
