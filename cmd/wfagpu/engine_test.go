package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// TestDeviceChoice is the table of what --device makes of a machine's GPUs.
// The first line on standard error is the notice or the error, with @CPU for
// the CPU and its threads and code path.
func TestDeviceChoice(t *testing.T) {
	h200 := func() *hybridtest.GPU { return &hybridtest.GPU{Name: "NVIDIA H200"} }
	broken := func(err error) *hybridtest.GPU { return &hybridtest.GPU{OpenErr: err} }
	const (
		onCPU = "aligning on @CPU; no GPU is used: "
		hint  = "wfagpu: hint: 'wfagpu devices' lists the GPUs; --device cpu aligns without one\n"
	)
	for _, tc := range []struct {
		name   string
		gpus   []*hybridtest.GPU // none: a machine without
		device string
		line   string
		code   int
	}{
		{"auto without a GPU", nil, "auto", onCPU + "no NVIDIA GPU (see 'wfagpu devices')", 0},
		{"auto with a GPU", []*hybridtest.GPU{h200()}, "auto", "aligning on GPU 0 (NVIDIA H200) and @CPU", 0},
		{"auto with several", []*hybridtest.GPU{h200(), {Name: "L40"}, h200()}, "auto", "aligning on GPUs 0,2 (NVIDIA H200), GPU 1 (L40) and @CPU", 0},
		{"auto with an old one beside", []*hybridtest.GPU{h200(), broken(errOld)}, "auto", "aligning on GPU 0 (NVIDIA H200) and @CPU; not used: " + errOld.Error(), 0},
		{"auto with an old one", []*hybridtest.GPU{broken(errOld)}, "auto", onCPU + errOld.Error(), 0},
		{"auto without memory", []*hybridtest.GPU{broken(errMemory)}, "auto", onCPU + errMemory.Error(), 0},
		{"auto without kernels", []*hybridtest.GPU{broken(errImage), broken(errImage)}, "auto", onCPU + errImage.Error(), 0},
		{"auto with two reasons", []*hybridtest.GPU{broken(errMemory), broken(errOld)}, "auto", onCPU + errMemory.Error() + "; " + errOld.Error(), 0},
		{"cpu with a GPU", []*hybridtest.GPU{h200()}, "cpu", "", 0},
		{"gpu", []*hybridtest.GPU{h200()}, "gpu", "aligning on GPU 0 (NVIDIA H200); CPU fallback: 2 threads, go", 0},
		{"gpu with an old one beside", []*hybridtest.GPU{h200(), broken(errOld)}, "gpu", "aligning on GPU 0 (NVIDIA H200); CPU fallback: 2 threads, go; not used: " + errOld.Error(), 0},
		{"gpu without one", nil, "gpu", "error: no NVIDIA GPU: none in this test", exitDevice},
		{"gpu without memory", []*hybridtest.GPU{broken(errMemory)}, "gpu", "error: " + errMemory.Error(), exitDevice},
		{"numbers", []*hybridtest.GPU{h200(), h200(), h200()}, "2,1", "aligning on GPUs 2,1 (NVIDIA H200); CPU fallback: 2 threads, go", 0},
		{"a number that is missing", []*hybridtest.GPU{h200()}, "0,1", "error: GPU 1: cuDeviceGet: CUDA error 101", exitDevice},
		{"a number that is too old", []*hybridtest.GPU{h200(), broken(errOld)}, "0,1", "error: " + errOld.Error(), exitDevice},
		{"a number on a machine without", nil, "0", "error: GPU 0: cuDeviceGet: CUDA error 101", exitDevice},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := runOn(t, hybridtest.NewMachine(tc.gpus...), pair, "align", "--device", tc.device, "-j", "2", "--cpu-level", "go")
			wantOut, lines := pairLine, strings.SplitAfter(got.stderr, "\n")
			if tc.code != exitOK {
				wantOut = ""
				if !strings.HasSuffix(got.stderr, hint) {
					t.Errorf("no hint: %s", got.stderr)
				}
			}
			if got.code != tc.code || got.stdout != wantOut {
				t.Errorf("exit code %d, want %d; stdout %q, want %q", got.code, tc.code, got.stdout, wantOut)
			}
			want := "wfagpu: " + strings.ReplaceAll(tc.line, "@CPU", "the CPU (2 threads, go)") + "\n"
			if tc.line == "" && strings.Contains(got.stderr, "GPU") || tc.line != "" && lines[0] != want {
				t.Errorf("stderr %q, want %q first", got.stderr, want)
			}
			for i, g := range tc.gpus {
				if opened := g.Opened(); opened != (g.Closed == 1) {
					t.Errorf("GPU %d: opened %v, closed %d times", i, opened, g.Closed)
				}
			}
		})
	}
}

func TestNoDriver(t *testing.T) {
	got := runOn(t, noGPUs, pair, "align")
	if got.code != exitOK || got.stdout != pairLine || !strings.Contains(got.stderr, "; no GPU is used: no usable NVIDIA driver: none in this test\n") {
		t.Errorf("%+v", got)
	}
	if got := runOn(t, noGPUs, pair, "align", "--quiet"); got.code != exitOK || got.stderr != "" {
		t.Errorf("--quiet: %+v", got)
	}
}

// A run that ends before its GPUs are open says what it was to align on.
func TestEngineTextWhileOpening(t *testing.T) {
	cpu := align.Options{Threads: 2, Level: "go"}
	for beside, want := range map[bool]string{
		false: "nothing; the run ended before a GPU was ready",
		true:  "the CPU (2 threads, go); the run ended before a GPU was needed or ready",
	} {
		if got := engineText(hybrid.Status{CPU: cpu, Opening: true, Beside: beside}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Where there is no driver, one line says so in few words.
func TestFaultsText(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("%w: libcuda.so.1: cannot open shared object file: No such file or directory", gpu.ErrNoDriver), "no usable NVIDIA driver (no libcuda)"},
		{fmt.Errorf("%w: libcuda.so.1: cannot open shared object file: Permission denied", gpu.ErrNoDriver), "no usable NVIDIA driver: libcuda.so.1: cannot open shared object file: Permission denied"},
		{errOld, errOld.Error()},
	} {
		if got := faultsText(hybrid.Faults{tc.err}); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// What the flags say reaches the GPUs.
func TestGPUOptions(t *testing.T) {
	f := &hybridtest.GPU{}
	got := runOn(t, hybridtest.NewMachine(f), pair, "align", "-g", "4,6,2", "--score-only", "-e", "0.2")
	if got.code != exitOK {
		t.Fatal(got.stderr)
	}
	want := gpu.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, ScoreOnly: true, MaxError: gpu.ErrorBound{Fraction: 0.2}}
	if f.Options != want {
		t.Errorf("opened with %+v, want %+v", f.Options, want)
	}
}

// Kernels that the user has named and that do not work are never passed over.
func TestKernelsVariable(t *testing.T) {
	refused := func() *hybridtest.GPU { return &hybridtest.GPU{OpenErr: errImage} }
	there := filepath.Join(t.TempDir(), "kernels")
	if err := os.WriteFile(there, []byte("\x50\xed\x55\xba"), 0o666); err != nil {
		t.Fatal(err)
	}
	garbage, empty := there+"-garbage", there+"-empty"
	if err := errors.Join(os.WriteFile(garbage, []byte("\x7fELF, but of no GPU\n"), 0o666), os.WriteFile(empty, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	missing := there + "-none"
	for _, tc := range []struct {
		name, path, device string
		machine            *hybridtest.Machine
		code               int
		stderr             string
	}{
		{"refused", there, "auto", hybridtest.NewMachine(refused()), exitDevice, "error: " + errImage.Error()},
		{"refused, GPU demanded", there, "gpu", hybridtest.NewMachine(refused()), exitDevice, "error: " + errImage.Error()},
		{"refused by one of two", there, "auto", hybridtest.NewMachine(refused(), &hybridtest.GPU{Name: "L40"}), exitOK, "aligning on GPU 1 (L40) and the CPU ("},
		{"no GPU", there, "auto", noGPUs, exitOK, "no GPU is used: no usable NVIDIA driver"},
		{"garbage, no GPU", garbage, "auto", noGPUs, exitDevice, "error: WFAGPU_KERNELS: " + garbage + " is no compiled kernels: want a fatbin, a cubin or PTX"},
		{"garbage", garbage, "auto", hybridtest.NewMachine(&hybridtest.GPU{}), exitDevice, "is no compiled kernels"},
		{"garbage, on the CPU", garbage, "cpu", noGPUs, exitOK, "wfagpu: "},
		{"empty, no GPU", empty, "auto", noGPUs, exitDevice, "is no compiled kernels"},
		{"missing", missing, "auto", hybridtest.NewMachine(&hybridtest.GPU{}), exitDevice, "error: WFAGPU_KERNELS: open " + missing + ": no such file"},
		{"missing, no GPU", missing, "auto", noGPUs, exitDevice, "error: WFAGPU_KERNELS: open "},
		{"missing, on the CPU", missing, "cpu", noGPUs, exitOK, "wfagpu: "},
		{"a directory", filepath.Dir(there), "auto", noGPUs, exitDevice, "error: WFAGPU_KERNELS: read "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(gpu.KernelsVariable, tc.path)
			got := runOnAsIs(t, hybrid.Options{System: tc.machine}, pair, "align", "--device", tc.device)
			if got.code != tc.code || !strings.Contains(got.stderr, tc.stderr) {
				t.Errorf("exit code %d, want %d; stderr %q", got.code, tc.code, got.stderr)
			}
		})
	}
}
