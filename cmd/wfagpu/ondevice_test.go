package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/gpu"
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
			want += reason.Error()
		}
		if code != wantCode || !strings.Contains(stderr.String(), want) {
			t.Errorf("--device %s: exit code %d, want %d; stderr %q", device, code, wantCode, &stderr)
		}
	}
}
