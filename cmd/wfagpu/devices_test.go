package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"wfagpu/gpu"
)

var (
	goodGPU = gpu.DeviceInfo{
		Ordinal: 0, Name: "NVIDIA H200", UUID: "GPU-1", TotalMemory: 143771 << 20, FreeMemory: 143000<<20 + 5,
		SMs: 132, Major: 9, DriverVersion: 13000,
	}
	oldGPU = gpu.DeviceInfo{
		Ordinal: 1, Name: "Tesla T4", UUID: "GPU-2", TotalMemory: 15 << 30, SMs: 40, Major: 7, Minor: 5, DriverVersion: 12040,
	}
)

func listing(infos ...gpu.DeviceInfo) func() ([]gpu.DeviceInfo, error) {
	return func() ([]gpu.DeviceInfo, error) { return infos, nil }
}

const devicesHeader = "device\tname\tmemory_mib\tfree_mib\tsms\tcompute_capability\tcuda_version\tusable\n"

func TestDevices(t *testing.T) {
	const (
		good = "0\tNVIDIA H200\t143771\t143000\t132\t9.0\t13.0\tyes\n"
		old  = "1\tTesla T4\t15360\t0\t40\t7.5\t12.4\tno: too old: compute capability 7.5, 8.0 or later is needed\n"
	)
	for _, tc := range []struct {
		infos []gpu.DeviceInfo
		want  string
		code  int
	}{
		{[]gpu.DeviceInfo{goodGPU}, good, exitOK},
		{[]gpu.DeviceInfo{goodGPU, oldGPU}, good + old, exitOK},
		{[]gpu.DeviceInfo{oldGPU}, old, exitDevice},
	} {
		var out bytes.Buffer
		err := runDevices(listing(tc.infos...), false, &out)
		if code := exitCode(err); code != tc.code {
			t.Errorf("exit code %d, want %d: %v", code, tc.code, err)
		}
		if got := out.String(); got != devicesHeader+tc.want {
			t.Errorf("got\n%swant\n%s", got, devicesHeader+tc.want)
		}
	}
}

func TestDevicesJSON(t *testing.T) {
	const want = `[
  {
    "device": 0,
    "name": "NVIDIA H200",
    "uuid": "GPU-1",
    "memory_bytes": 150754820096,
    "free_memory_bytes": 149946368005,
    "sms": 132,
    "compute_capability": "9.0",
    "cuda_version": "13.0",
    "usable": true
  },
  {
    "device": 1,
    "name": "Tesla T4",
    "uuid": "GPU-2",
    "memory_bytes": 16106127360,
    "free_memory_bytes": 0,
    "sms": 40,
    "compute_capability": "7.5",
    "cuda_version": "12.4",
    "usable": false,
    "reason": "too old: compute capability 7.5, 8.0 or later is needed"
  }
]
`
	var out bytes.Buffer
	if err := runDevices(listing(goodGPU, oldGPU), true, &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

// Without a driver or a GPU nothing is printed and the exit code says it.
func TestDevicesNone(t *testing.T) {
	for _, cause := range []error{gpu.ErrNoDriver, gpu.ErrNoDevice, &gpu.Error{Call: "cuDeviceGetCount", Code: 999}} {
		for _, asJSON := range []bool{false, true} {
			var out bytes.Buffer
			err := runDevices(func() ([]gpu.DeviceInfo, error) { return nil, fmt.Errorf("wrapped: %w", cause) }, asJSON, &out)
			if exitCode(err) != exitDevice || !errors.Is(err, cause) || out.Len() > 0 {
				t.Errorf("%v: exit code %d, output %q", err, exitCode(err), &out)
			}
		}
	}
}

// A list that cannot be written is a failed run.
func TestDevicesWriteError(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(errors.New("no room"))
	if err := runDevices(listing(goodGPU), false, w); exitCode(err) != exitFailed {
		t.Errorf("exit code %d: %v", exitCode(err), err)
	}
}

// The command itself, on whatever machine this is.
func TestDevicesHere(t *testing.T) {
	infos, err := gpu.Devices()
	if err != nil && os.Getenv("WFAGPU_REQUIRE_GPU") == "1" {
		t.Errorf("WFAGPU_REQUIRE_GPU=1: %v", err)
	}
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"devices"}, streams{strings.NewReader(""), &stdout, &stderr})
	if err != nil {
		if code != exitDevice || stdout.Len() > 0 || !strings.Contains(stderr.String(), "wfagpu: error: "+err.Error()) {
			t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
		}
		return
	}
	if lines := strings.Count(stdout.String(), "\n"); lines != len(infos)+1 || !strings.HasPrefix(stdout.String(), devicesHeader) {
		t.Errorf("%d lines for %d devices:\n%s", lines, len(infos), &stdout)
	}
	if code != exitOK && code != exitDevice {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
}

func TestDevicesHelp(t *testing.T) {
	if help := wfagpu(t, "devices", "--help"); !strings.Contains(help, "CUDA_VISIBLE_DEVICES") || !strings.Contains(help, "--json") {
		t.Error(help)
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"devices", "0"}, streams{strings.NewReader(""), &stdout, &stderr}); code != exitUsage {
		t.Errorf("an operand: exit code %d", code)
	}
}
