package gpu

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// ringBands are bands that the adaptive-rings family takes, by the words of the first kernel.
var ringBands = map[int][]bandCase{
	1: {
		{"edits", align.EditPenalties, align.Approx{Band: 9, Lambda: 3}, 300},
		{"narrow", align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, align.Approx{Band: 60, Lambda: 7}, 40_000},
	},
	2: {
		{"penalties", align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}, align.Approx{Band: 61}, 100},
		{"automatic", align.Penalties{Mismatch: 6, GapOpen: 5, GapExtend: 3}, align.Approx{}, 3000},
	},
	5: {{"wide", align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}, align.Approx{Band: 316}, 1000}},
	9: {{"wider", align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, align.Approx{Band: 572, Lambda: 10}, 1000}},
}

// allRingBands are those of all kernels.
func allRingBands() []bandCase {
	var all []bandCase
	for _, words := range []int{1, 2, 5, 9} {
		all = append(all, ringBands[words]...)
	}
	return all
}

func TestAdaptiveRingsOnFake(t *testing.T) {
	for words, bands := range ringBands {
		for _, tc := range bands {
			for _, scoreOnly := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s_%v", tc.name, scoreOnly), func(t *testing.T) {
					o := align.Options{Penalties: tc.penalties, ScoreOnly: scoreOnly, Approx: &tc.approx}
					g := newFakeGPU(t, 4000)
					e := openOnFake(t, g, Options{Penalties: o.Penalties, ScoreOnly: scoreOnly, Approx: o.Approx})
					b := &align.Batch{}
					for _, length := range []int{tc.length, tc.length&^7 + 5} { // the latter overflow
						b.Pairs = append(b.Pairs, simulated(t, 2+15*1000/(1000+tc.length), simulate.Options{
							Length: length, ErrorRate: 0.02, Model: simulate.Substitution, Seed: 72,
						}).Pairs...)
					}
					s := asInBands(t, withCPU(t, e, o), o, b)
					if s.Kernels["approx"] != int64(len(b.Pairs)) {
						t.Errorf("%+v", s)
					}
					form := "rows"
					if scoreOnly {
						form = "score"
					}
					for _, name := range []string{fmt.Sprintf("wfa_adaptive_rings_%d_Packed_%s", words, form), "wfa_adaptive_block_" + form} {
						if g.launched(name) == 0 {
							t.Errorf("%s was not launched: %v", name, g.counts)
						}
					}
				})
			}
		}
	}
}
