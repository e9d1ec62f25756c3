package kernel

import (
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/emu"
)

// The image that the CUDA sources give has every kernel that a configuration can
// launch, under the name that Go looks up.
func TestImageHasEveryKernel(t *testing.T) {
	built := emu.ForTest(t)
	for _, p := range append(registerPenalties[:1:1], align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}) {
		for _, scoreOnly := range []bool{false, true} {
			g := drivertest.New(1)
			for _, name := range built.Names() {
				g.Kernels[name] = drivertest.Kernel{Registers: 40}
			}
			mustLoad(t, g, Config{Penalties: p, ScoreOnly: scoreOnly, Bands: everyBand(p)})
		}
	}
	for _, v := range Variants() {
		for _, name := range v.Names {
			if !built.Has(name) {
				t.Errorf("the sources have no kernel %s", name)
			}
		}
	}
}
