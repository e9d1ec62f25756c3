package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

// stuckGPU never ends a batch from the seventh pair on.
func stuckGPU() *hybridtest.GPU {
	g := &hybridtest.GPU{Name: "A", StuckAt: map[int64]bool{}}
	for first := int64(7); first <= 1000; first++ {
		g.StuckAt[first] = true
	}
	return g
}

// An interrupt ends a run at once while a GPU is busy with a pair that takes it
// minutes. Whole lines are written.
func TestInterruptWhileGPUIsBusy(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	stdout := &watchedWriter{wrote: func(string) { cancel(&interruptError{signal: 2}) }}
	opts := defaultAlignOptions()
	opts.engine.System = hybridtest.NewMachine(stuckGPU(), stuckGPU())
	var stderr bytes.Buffer
	start := time.Now()
	code := runWith(ctx, opts, []string{"align", "--device", "gpu", "-b", "1"},
		streams{strings.NewReader(strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000)), stdout, &stderr})
	if took := time.Since(start); code != 130 || took > 5*time.Second {
		t.Errorf("exit code %d after %v\n%s", code, took, &stderr)
	}
	if got := stdout.String(); !strings.HasSuffix(got, "\n") || strings.Count(got, "\t") != 3*strings.Count(got, "\n") || strings.Count(got, "\n") > 6 {
		t.Errorf("output %q", got)
	}
}

// The CPU takes over what a GPU would never finish.
func TestCPUTakesOver(t *testing.T) {
	stuck := stuckGPU()
	input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000)
	want := runOn(t, noGPUs, input, "align", "--device", "cpu").stdout
	got := runOn(t, hybridtest.NewMachine(stuck), input, "align", "-b", "1")
	if got.code != exitOK || got.stdout != want || !strings.Contains(got.stderr, "beside the GPU") {
		t.Errorf("exit code %d, or other results\n%s", got.code, got.stderr)
	}
}
