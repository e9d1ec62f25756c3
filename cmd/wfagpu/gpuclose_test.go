package main

import (
	"errors"
	"strings"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// The command leaves its GPUs to the end of the process.
func TestGPUsLeftOpen(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	f := &hybridtest.GPU{}
	got := runOnAsIs(t, hybrid.Options{System: hybridtest.NewMachine(f), LeaveOpen: true}, pair, "align", "--device", "gpu")
	if got.code != exitOK || got.stdout != pairLine || f.Counts.Kernels["warp"] != 1 || f.Closed != 0 {
		t.Errorf("%+v, closed %d times", got, f.Closed)
	}
}

// A GPU that cannot be released is worth a notice and no more.
func TestGPUCloseFails(t *testing.T) {
	f := &hybridtest.GPU{CloseErr: errors.New("cuDevicePrimaryCtxRelease: CUDA error 4")}
	got := runOn(t, hybridtest.NewMachine(f), pair, "align")
	if got.code != exitOK || got.stdout != pairLine || f.Closed != 1 {
		t.Errorf("%+v, closed %d times", got, f.Closed)
	}
	if notice := "wfagpu: closing the GPU: cuDevicePrimaryCtxRelease: CUDA error 4\n"; strings.Count(got.stderr, "closing") != 1 || !strings.HasSuffix(got.stderr, notice) {
		t.Errorf("stderr %q, want %q once, at its end", got.stderr, notice)
	}
}
