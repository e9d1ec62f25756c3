package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// requireGPU skips a test where there is no usable GPU, or fails it where
// WFAGPU_REQUIRE_GPU=1 promises one.
func requireGPU(t *testing.T) {
	t.Helper()
	infos, err := gpu.Devices()
	if err == nil && !slices.ContainsFunc(infos, func(i gpu.DeviceInfo) bool { return i.Usable() == nil }) {
		err = errNoneUsable
	}
	if err == nil {
		return
	}
	if os.Getenv("WFAGPU_REQUIRE_GPU") == "1" {
		t.Fatalf("WFAGPU_REQUIRE_GPU=1: %v", err)
	}
	t.Skipf("needs a GPU: %v", err)
}

// The whole command on the GPUs of this machine gives the committed results.
func TestAlignOnDevice(t *testing.T) {
	requireGPU(t)
	dir := datasets(t)
	stats := filepath.Join(t.TempDir(), "stats.json")
	for _, name := range []string{"small", "long"} {
		got := wfagpu(t, "align", "--device", "gpu", "--check", "--stats", stats, filepath.Join(dir, name+".seq"))
		if got != readFile(t, filepath.Join(dir, name+".expected.tsv")) {
			t.Errorf("%s: results differ from the committed ones", name)
		}
		var r report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
			t.Fatal(err)
		}
		t.Log(r.summary())
		var finished int64
		for _, g := range r.Engines.GPU {
			finished += g.Pairs
		}
		if finished == 0 || finished+r.Engines.CPU.Pairs != r.Pairs {
			t.Errorf("%s: of %d pairs %d were finished on GPUs, %d on the CPU", name, r.Pairs, finished, r.Engines.CPU.Pairs)
		}
	}
}

// In approximate mode, too, GPUs give the results of the CPU; with --recall two
// engines share each of them.
func TestApproxOnDevice(t *testing.T) {
	requireGPU(t)
	dir := t.TempDir()
	pairs, stats := filepath.Join(dir, "pairs.seq"), filepath.Join(dir, "stats.json")
	wfagpu(t, "generate", "-n", "500", "-l", "3000", "-e", "0.1", "--model", "bursts", "-o", pairs)
	for _, more := range [][]string{nil, {"--band", "24", "--lambda", "5"}, {"--band", "24", "--score-only"}} {
		args := append([]string{"align", "--mode", "approx", "--recall", "--check", "--stats", stats, pairs}, more...)
		got := wfagpu(t, append(args, "--device", "gpu")...)
		var r report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
			t.Fatal(err)
		}
		t.Log(r.summary())
		if got != wfagpu(t, append(args, "--device", "cpu")...) {
			t.Errorf("%q: GPU and CPU give different results", more)
		}
		var cpu report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &cpu); err != nil {
			t.Fatal(err)
		}
		if *r.Approx.Recall != *cpu.Approx.Recall || r.Approx.Recall.Pairs != 500 {
			t.Errorf("%q: recall %+v on GPUs, %+v on the CPU", more, *r.Approx.Recall, *cpu.Approx.Recall)
		}
		var approx int64
		for _, g := range r.Engines.GPU {
			approx += g.Kernels.Approx
		}
		if approx == 0 {
			t.Errorf("%q: no pair was aligned by the approximate kernels", more)
		}
	}
}

// A process that begins on the CPU gives the results of the CPU, too, wherever the
// GPUs join it.
func TestBeginEarlyOnDevice(t *testing.T) {
	requireGPU(t)
	t.Setenv(gpu.KernelsVariable, "")
	dir := t.TempDir()
	stats := filepath.Join(dir, "stats.json")
	for _, n := range []string{"1", "50000"} {
		pairs := filepath.Join(dir, n+".seq")
		wfagpu(t, "generate", "-n", n, "-l", "1000", "-e", "0.1", "--n-rate", "0.0001", "-o", pairs)
		cmd := exec.Command("wfagpu", "align", "-j", "1", "--stats", stats, pairs)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, &stderr)
		}
		t.Log(stderr.String())
		if stdout.String() != wfagpu(t, "align", "--device", "cpu", pairs) {
			t.Errorf("%s pairs: results differ from those of the CPU", n)
		}
		r := readReport(t, stats)
		aligned := r.Engines.CPU.Pairs
		for _, g := range r.Engines.GPU {
			aligned += g.Pairs
		}
		if strconv.FormatInt(aligned, 10) != n {
			t.Errorf("%s pairs: %d are counted", n, aligned)
		}
	}
}

// Where the driver shows no GPU, one that is demanded is refused with the
// driver's own reason, and auto gives the reason and goes on.
func TestNoGPUHere(t *testing.T) {
	_, reason := gpu.Count()
	if reason == nil {
		t.Skip("there is a GPU")
	}
	t.Setenv(gpu.KernelsVariable, "")
	for _, device := range []string{"gpu", "0", "auto"} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"align", "--device", device}, streams{strings.NewReader(pair), &stdout, &stderr})
		want, wantCode := "wfagpu: error: ", exitDevice
		if device == "auto" {
			want, wantCode = "no GPU is used: ", exitOK
		}
		// A GPU asked for by number is missed by another call of the driver
		// than the number of GPUs, where there is a driver.
		if device != "0" || errors.Is(reason, gpu.ErrNoDriver) {
			want += faultsText(hybrid.Faults{reason})
			if device != "auto" {
				want = "wfagpu: error: " + reason.Error()
			}
		}
		if code != wantCode || !strings.Contains(stderr.String(), want) {
			t.Errorf("--device %s: exit code %d, want %d; stderr %q", device, code, wantCode, &stderr)
		}
	}
}
