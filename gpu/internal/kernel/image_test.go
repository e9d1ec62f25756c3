package kernel

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver/drivertest"
	"wfagpu/gpu/internal/emu"
)

// TestImageHasEveryKernel: the image that the CUDA sources give has every kernel
// that a configuration can launch, under the name that Go looks up.
func TestImageHasEveryKernel(t *testing.T) { checkImage(t, emu.ForTest(t).Names()) }

// TestCommittedImageHasEveryKernel is the same for the image in the program, whose
// kernels the manifest lists. The manifest is held to the image by a test of
// package cuda.
func TestCommittedImageHasEveryKernel(t *testing.T) {
	text, err := os.ReadFile("../../../cuda/bin/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Kernels []string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	checkImage(t, manifest.Kernels)
}

func checkImage(t *testing.T, names []string) {
	t.Helper()
	for _, p := range append(registerPenalties[:1:1], align.EditPenalties, align.Penalties{Mismatch: 3, GapOpen: 1, GapExtend: 4}) {
		for _, c := range []Config{
			{Bands: everyBand(p)}, {Bands: everyBand(p), ScoreOnly: true}, {Bounds: everyBand(p)}, {Bounds: everyBand(p), ScoreOnly: true},
		} {
			g := drivertest.New(1)
			for _, name := range names {
				g.Kernels[name] = drivertest.Kernel{Registers: 40}
			}
			c.Penalties = p
			mustLoad(t, g, c)
		}
	}
	for _, v := range Variants() {
		for _, name := range v.Names {
			if !slices.Contains(names, name) {
				t.Errorf("the image has no kernel %s", name)
			}
		}
	}
}
