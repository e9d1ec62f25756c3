package main

import (
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// The command leaves its GPUs to the end of the process.
func TestGPUsLeftOpen(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	f := &hybridtest.GPU{}
	got := runOnAsIs(t, hybrid.Options{System: hybridtest.NewMachine(f), LeaveOpen: true}, pair, "align")
	if got.code != exitOK || got.stdout != pairLine || f.Counts.Warp != 1 || f.Closed != 0 {
		t.Errorf("%+v, closed %d times", got, f.Closed)
	}
}
