package emu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// generalPenalties are some that take different ways through wfa_general.
var generalPenalties = []align.Penalties{
	{Mismatch: 2, GapOpen: 3, GapExtend: 1},
	{Mismatch: 1, GapOpen: 0, GapExtend: 1},
	{Mismatch: 3, GapOpen: 0, GapExtend: 2},
	{Mismatch: 10, GapOpen: 12, GapExtend: 3},
	{Mismatch: 5, GapOpen: 1, GapExtend: 4},
	{Mismatch: 1, GapOpen: 7, GapExtend: 5},
}

// setGeneral lays out the memory of one block for all tasks, with a number of
// segments, 0 for scores only: see cuda/general.cu.
func (d *device) setGeneral(blocks, segments int) {
	p, score := d.penalties, int(d.params.MaxScore)
	reach, letters := 0, 0
	if score >= p.GapOpen+p.GapExtend {
		reach = (score - p.GapOpen) / p.GapExtend
	}
	for _, task := range d.tasks {
		q := d.pairs[task.Pair]
		letters = max(letters, len(q.pattern)+len(q.text))
	}
	up := func(n int) int { return (n + 3) &^ 3 }
	a := &d.params
	width, rings, lookback := up(min(letters+1, reach+4)+3), 2*(p.GapExtend+1), max(p.Mismatch, p.GapOpen+p.GapExtend)
	a.Width, a.SegmentRows, a.Checkpoints, a.Scratch = int32(width), 0, 0, 0
	stride := (rings + lookback + 1) * width
	if segments > 0 {
		rows := (score+segments)/segments + 1
		cheapest := min(p.Mismatch, p.GapOpen+p.GapExtend)
		a.SegmentRows, a.Checkpoints = int32(rows), int32(segments-1)
		a.Scratch = int32(up(2*(score/cheapest) + 2))
		stride = int(a.Scratch) + width*(rings+lookback+rows+(segments-1)*(lookback+rings))
	}
	d.setRows(stride, blocks)
}

// All scores are certain.
func always(pair) int { return math.MaxInt }

func TestGeneral(t *testing.T) {
	k := emu.ForTest(t)
	for _, p := range generalPenalties {
		for _, segments := range []int{0, 1, 2, 7} {
			t.Run(fmt.Sprintf("%v/%d", p, segments), func(t *testing.T) {
				r := rand.New(rand.NewPCG(2, uint64(segments)))
				pairs := append(smallPairs(r, 3), longPairs(r, 200)...)
				want := optima(t, p, pairs)
				d := upload(t, k, p, pairs)
				d.setTasks(exactTasks(r, pairs, want, always))
				const blocks = 3
				d.setGeneral(blocks, segments)
				for _, threads := range []int{32, 128} {
					d.launch("wfa_general", blocks, threads, 0)
					d.check(fmt.Sprintf("wfa_general, %d threads", threads), want, always, segments > 0)
				}
			})
		}
	}
}

// A pair for which the segments are too few has flagMemory.
func TestGeneralWithoutMemory(t *testing.T) {
	k := emu.ForTest(t)
	p := align.DefaultPenalties
	d := upload(t, k, p, []pair{{"ACGTACGTACGTACGT", "TTTTTTTTGGGGGGGG"}})
	d.setTasks([]taskEntry{{Bound: 100}})
	d.setGeneral(1, 3)
	d.params.SegmentRows, d.params.Checkpoints = 4, 1
	d.launch("wfa_general", 1, 32, 0)
	if r := d.results[0]; r.Score != -1 || r.Flags != abi.FlagMemory {
		t.Errorf("score %d, flags %#x", r.Score, r.Flags)
	}
}
