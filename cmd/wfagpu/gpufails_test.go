package main

import (
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

// A GPU that fails in the middle of a run ends it in one error that names the
// GPU, after the results before.
func TestGPUFailsInMidRun(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS"}
	for _, n := range []int{1, 3} {
		var gpus []*hybridtest.GPU
		for range n {
			f := &hybridtest.GPU{Name: "NVIDIA H200", FailAt: map[int64]error{}}
			// From the seventh pair on, whoever gets it.
			for first := int64(7); first <= 1000; first++ {
				f.FailAt[first] = failure
			}
			gpus = append(gpus, f)
		}
		out := filepath.Join(t.TempDir(), "out.tsv")
		stats := filepath.Join(t.TempDir(), "stats.json")
		input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000)
		got := runOn(t, hybridtest.NewMachine(gpus...), input, "align", "--device", "gpu", "-b", "1", "-o", out, "--stats", stats)
		if got.code != exitFailed {
			t.Errorf("exit code %d, want %d", got.code, exitFailed)
		}
		expectMessage(t, got.stderr, "(NVIDIA H200) failed: "+failure.Error())
		if !strings.Contains(got.stderr, "wfagpu: hint: --device cpu") {
			t.Errorf("no hint: %s", got.stderr)
		}
		expectContent(t, out, "1\t1\t0\t8=\n2\t2\t0\t8=\n3\t3\t0\t8=\n4\t4\t0\t8=\n5\t5\t0\t8=\n6\t6\t0\t8=\n")
		if text := readFile(t, stats); !strings.Contains(text, `"exit_code": 1`) || !strings.Contains(text, "ILLEGAL_ADDRESS") {
			t.Errorf("--stats: %s", text)
		}
		for i, f := range gpus {
			if f.Closed != 1 {
				t.Errorf("GPU %d closed %d times", i, f.Closed)
			}
		}
	}
}

// With the CPU beside the GPU, the failure ends the run, too. What was written before
// is whole and in order.
func TestGPUFailsBesideCPU(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700}
	f := &hybridtest.GPU{Name: "A", FailAt: map[int64]error{}}
	for first := int64(7); first <= 5000; first++ {
		f.FailAt[first] = failure
	}
	input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 5000)
	got := runOn(t, hybridtest.NewMachine(f), input, "align", "-b", "1")
	whole := runOn(t, noGPUs, input, "align", "--device", "cpu").stdout
	if got.code != exitFailed || !strings.HasPrefix(whole, got.stdout) || got.stdout != "" && !strings.HasSuffix(got.stdout, "\n") {
		t.Errorf("exit code %d, %d bytes written", got.code, len(got.stdout))
	}
	expectMessage(t, got.stderr, "GPU 0 (A) failed: "+failure.Error())
}
