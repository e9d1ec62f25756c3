package gpu

import (
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// Pairs whose bands of the matrix do not fit into the device's memory go to other kernels, or
// to the CPU, and all come to an end.
func TestGotohLittleMemoryOnFake(t *testing.T) {
	b := simulated(t, 1, simulate.Options{Length: 26_000, ErrorRate: 0.6, Seed: 11})
	b.Pairs = append(b.Pairs, simulated(t, 20, simulate.Options{Length: 2000, ErrorRate: 0.3, Seed: 12}).Pairs...)
	b.Pairs = append(b.Pairs, simulated(t, 50, simulate.Options{Length: 150, ErrorRate: 0.1, Seed: 13}).Pairs...)
	for _, memory := range []int{126, 400} {
		for _, families := range []string{"gotoh general", "gotoh tiles general", "warp block gotoh tiles general adaptive_warp adaptive_block"} {
			for _, o := range []align.Options{{Penalties: align.DefaultPenalties}, {Penalties: align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}}, {ScoreOnly: true}} {
				t.Run(fmt.Sprintf("%d MB/%s/%v/%v", memory, families, o.Penalties, o.ScoreOnly), func(t *testing.T) {
					if o.Penalties == (align.Penalties{}) {
						o.Penalties = align.DefaultPenalties
					}
					e := openOnFake(t, newFakeGPU(t, memory), Options{Penalties: o.Penalties, ScoreOnly: o.ScoreOnly, families: families})
					mustAlignAll(t, withCPU(t, e, o), b)
					wantAsOnCPU(t, o, b)
					if s := wantStats(t, e, len(b.Pairs)); memory == 126 && !o.ScoreOnly && s.Kernels["gotoh"] == int64(len(b.Pairs)) {
						t.Error("all bands of the matrix fit")
					}
				})
			}
		}
	}
}
