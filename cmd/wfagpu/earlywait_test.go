package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

// A run does not wait for GPUs that it does not need.
func TestGPUNeverOpens(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	release, closed := make(chan struct{}), make(chan struct{})
	machine := hybridtest.NewMachine(&hybridtest.GPU{OnClose: func() { close(closed) }})
	stats := filepath.Join(t.TempDir(), "stats.json")
	got := runEarlyOn(t, machine.OpeningOn(release), pair, "align", "-j", "2", "--cpu-level", "go", "--stats", stats)
	if got.code != exitOK || got.stdout != pairLine {
		t.Errorf("%+v", got)
	}
	if want := "wfagpu: aligning on the CPU (2 threads, go); the run ended before a GPU was ready\nwfagpu: 1 pair, "; !strings.HasPrefix(got.stderr, want) ||
		!strings.HasSuffix(got.stderr, "; cpu go x2: 1 wavefront, 0 checkpointed, 0 banded\n") {
		t.Errorf("stderr %q, want %q first", got.stderr, want)
	}
	r := readReport(t, stats)
	if r.Engines.GPU == nil || len(r.Engines.GPU) != 0 || r.Engines.CPU.Pairs != 1 || r.Engines.CPU.Early != 0 {
		t.Errorf("--stats: %+v", r.Engines)
	}
	close(release)
	<-closed // what opens later is given back

	// Nothing can be aligned here, and nothing is to be said about it.
	release = make(chan struct{})
	defer close(release)
	got = runEarlyOn(t, hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release), "", "align", filepath.Join(t.TempDir(), "missing"))
	if got.code != exitInput || strings.Contains(got.stderr, "aligning") {
		t.Errorf("no input: %+v", got)
	}
}

// Pairs for which CPU and GPU may give different alignments wait for the GPUs.
func TestLongPairsWaitForGPUs(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "30", "-l", "1000")
	want := runOn(t, noGPUs, input, "align").stdout
	for _, tc := range []struct {
		gpu  *hybridtest.GPU
		used int64
	}{
		{&hybridtest.GPU{}, 30},
		{&hybridtest.GPU{OpenErr: errOld}, 0},
	} {
		release := make(chan struct{})
		machine := hybridtest.NewMachine(tc.gpu).OpeningOn(release)
		go close(release)
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runEarlyOn(t, machine, input, "align", "-b", "1", "--memory", "1M", "--stats", stats)
		if got.code != exitOK || got.stdout != want {
			t.Errorf("exit code %d, or other results\n%s", got.code, got.stderr)
		}
		r := readReport(t, stats)
		if r.Engines.CPU.Pairs != 30-tc.used || r.Engines.CPU.Early != 0 || tc.gpu.Counts.Kernels["warp"] != tc.used {
			t.Errorf("%+v", r.Engines)
		}
	}
}

// An interrupt does not wait for pairs that wait for the GPUs.
func TestInterruptWhileWaitingForGPUs(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	input := wfagpu(t, "generate", "-n", "30", "-l", "1000")
	ctx, interrupt := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	opts := defaultAlignOptions()
	machine := hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release)
	machine.BeforeCount = func() {
		interrupt()
		<-release
	}
	opts.engine.System, opts.engine.StartEarly = machine, true
	var stdout, stderr bytes.Buffer
	code := runWith(ctx, opts, []string{"align", "--memory", "1M"}, streams{strings.NewReader(input), &stdout, &stderr})
	if code != 130 || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
}

// Only auto starts early, and not with --recall.
func TestWhoStartsEarly(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "30", "-l", "100")
	for _, args := range [][]string{{"--device", "gpu"}, {"--device", "0"}, {"--mode", "approx", "--recall"}} {
		release := make(chan struct{})
		close(release)
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runEarlyOn(t, hybridtest.NewMachine(&hybridtest.GPU{}).OpeningOn(release), input, append([]string{"align", "-b", "1", "--stats", stats}, args...)...)
		r := readReport(t, stats)
		if got.code != exitOK || r.Engines.CPU.Pairs != 0 || len(r.Engines.GPU) != 1 || r.Engines.GPU[0].Pairs != 30 {
			t.Errorf("%q: exit code %d, %+v", args, got.code, r.Engines)
		}
	}
}
