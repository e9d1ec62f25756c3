package emu_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/emu"
)

// setTiles lays out the memory of all tasks: see cuda/tilestates.cuh.
func (d *device) setTiles(span int, stored bool) {
	p, bound := d.penalties, int(d.params.MaxScore)
	letters := 0
	for _, task := range d.tasks {
		q := d.pairs[task.Pair]
		letters = max(letters, len(q.pattern)+len(q.text))
	}
	reach := 0
	if bound >= p.GapOpen+p.GapExtend {
		reach = (bound - p.GapOpen) / p.GapExtend
	}
	d.params.Width = int32((min(letters+1, reach+4) + 22) &^ 7)
	d.params.Span = int32(span)
	checkpoints := 2
	if stored {
		checkpoints = max((bound+int(d.params.Span)-1)/int(d.params.Span), 1)
	}
	const header = 32
	d.setRows((header+checkpoints*d.checkpointRows()*int(d.params.Width)+31)&^31, len(d.tasks))
}

// tilesShared is the shared memory of a block with both sequences.
func (d *device) tilesShared() int {
	text, pattern := 0, 0
	for _, task := range d.tasks {
		p := d.pairs[task.Pair]
		text, pattern = max(text, len(p.text)), max(pattern, len(p.pattern))
	}
	return 4 * (text/abi.LettersPerWord + pattern/abi.LettersPerWord + 4)
}

func TestTiles(t *testing.T) {
	k := emu.ForTest(t)
	for _, v := range registers(t, k, "tiles") {
		t.Run(strings.TrimPrefix(v.name, "wfa_"), func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(v.block)))
			pairs := append(smallPairs(r, 2), longPairs(r, 500)...)
			pairs = append(pairs, runPairs(r)...)
			if v.rows && v.block == 32 {
				pairs = append(pairs, gapPairs(r, 200)...)
			}
			want := optima(t, v.penalties, pairs)
			d := upload(t, k, v.penalties, pairs)
			d.setTasks(exactTasks(r, pairs, want, always))
			for _, helpers := range []int32{0, 1} {
				d.setTiles(v.span(64), v.rows)
				d.params.Helpers = helpers
				d.launch("wfa_tiles_clear", (len(d.tasks)+127)/128, 128, 0)
				d.launch(v.name, 5, v.block, d.tilesShared())
				d.check(v.name, want, always, false)
				if v.rows {
					d.retrace("wfa_retrace_tiles", v.span(64), 64)
					d.check(v.name+", retraced", want, always, true)
				}
			}
		})
	}
}

// A launch that the host stops ends without results: kernels of pairs that take long look
// at the stop word.
func TestStop(t *testing.T) {
	k := emu.ForTest(t)
	r := rand.New(rand.NewPCG(9, 0))
	pairs := []pair{{letters(r, "ACGT", 1500), letters(r, "ACGT", 1500)}}
	for name, launch := range map[string]func(d *device){
		"tiles": func(d *device) {
			d.setTiles(30, false)
			d.stopNext()
			d.launch("wfa_tiles_2_3_1_1x4_shared_score", 2, 32, d.tilesShared())
		},
		"shared tiles": func(d *device) {
			d.setTiles(30, false)
			d.params.Helpers = 1
			d.launch("wfa_tiles_clear", 1, 128, 0)
			d.stopNext()
			d.launch("wfa_tiles_2_3_1_1x4_shared_score", 2, 32, d.tilesShared())
		},
		"general": func(d *device) {
			d.setGeneral(1, 2)
			d.stopNext()
			d.launch("wfa_general", 1, 64, 0)
		},
		"adaptive_block": func(d *device) {
			ahead := d.setBand(band{Band: 200, Lambda: 50, MaxDrift: math.MaxInt32})
			d.setRows(ahead, 1)
			d.stopNext()
			d.launch("wfa_adaptive_block_score", 1, 224, 4*(3+4)*201)
		},
	} {
		d := upload(t, k, align.DefaultPenalties, pairs)
		d.setTasks([]taskEntry{{Bound: 3000}})
		launch(d)
		if s := d.results[0].Score; s >= 0 {
			t.Errorf("%s: score %d", name, s)
		}
	}
}
