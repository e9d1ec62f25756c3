package gpu

import (
	"fmt"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/gpu/internal/driver/drivertest"
)

// Edit distance on the GPU as on the CPU: all lengths and rates, pairs that are not related, pairs
// with gaps, unequal lengths. Under -short, one in fifty.
func TestEditOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	eachDeviceSet(t, 100_000, []deviceSet{
		{30, 300_000, []float64{0.1, 0.5}},
		{150, 1_000_000, []float64{0.02, 0.05, 0.10, 0.20, 1}},
		{300, 300_000, []float64{0.05, 0.3}},
		{1000, 200_000, []float64{0.02, 0.05, 0.10, 1}},
		{10_000, 4000, []float64{0.02, 0.05, 0.10, 0.3}},
		{100_000, 132, []float64{0.01, 0.05, 0.10}},
		{400_000, 3, []float64{0.10}},
	}, func(t *testing.T, count int, o simulate.Options) {
		rate := o.ErrorRate
		o.ErrorRate, o.Seed = min(rate, 0.5), 72
		b := simulated(t, count, o)
		if rate == 1 { // not related
			for i := range b.Pairs[1:] {
				b.Pairs[i].Text = b.Pairs[i+1].Text
			}
		}
		for i := range b.Pairs { // some of unequal lengths
			if p := &b.Pairs[i]; i%16 == 3 && len(p.Text) > 20 {
				p.Text = p.Text[:len(p.Text)-1-i%(len(p.Text)/16)]
			}
		}
		families := ""
		if o.Length >= 100_000 { // narrow bands of the gotoh family would take most of them
			families = editFamilies
		}
		editOnDevice(t, b, 0, families)
	})
}

// Pairs beyond a cutoff are found out, and all others have their alignments.
func TestEditCutoffOnDevice(t *testing.T) {
	drivertest.RequireDevice(t)
	for _, length := range []int{150, 1000, 10_000} {
		for _, cutoff := range []int{1, 2, 32, 33, 65, 500} {
			t.Run(fmt.Sprintf("%d_%d", length, cutoff), func(t *testing.T) {
				b := &align.Batch{}
				for i, rate := range []float64{0, 0.05, 0.5} {
					b.Pairs = append(b.Pairs, simulated(t, 500_000/length, simulate.Options{Length: length, ErrorRate: rate, Seed: uint64(i)}).Pairs...)
				}
				editOnDevice(t, b, cutoff, "")
			})
		}
	}
}

// editOnDevice aligns a batch in both modes, by some families of kernels or by all, and compares with the CPU.
func editOnDevice(t *testing.T, b *align.Batch, cutoff int, families string) {
	t.Helper()
	o := align.Options{Penalties: align.EditPenalties, Cutoff: cutoff}
	for _, o.ScoreOnly = range []bool{false, true} {
		e := openOnDevice(t, o, func(g *Options) { g.Cutoff, g.families = cutoff, families })
		if err := e.AlignBatch(t.Context(), spoiled(b)); err != nil {
			t.Fatal(err)
		}
		s := e.GPU.Stats()
		t.Logf("score only %v: %+v", o.ScoreOnly, s)
		if n := s.Finished(); n != int64(len(b.Pairs)) {
			t.Errorf("%d of %d pairs were finished on the GPU", n, len(b.Pairs))
		}
		// Equal pairs, and short ones of unequal lengths, may suit other kernels.
		if others := s.Kernels["general"] + s.Kernels["gotoh"]; others > int64(len(b.Pairs)/2) && !slices.Contains([]int{1, 2}, cutoff) {
			t.Errorf("%d of %d pairs were aligned by other kernels", others, len(b.Pairs))
		}
		wantAsOnCPU(t, o, b)
	}
}
