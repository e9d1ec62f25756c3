package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/gpu"
)

// TestDeviceChoice is the table of what --device makes of a machine's GPUs.
// The first line on standard error is the notice or the error, with @CPU for
// the CPU and its threads and code path.
func TestDeviceChoice(t *testing.T) {
	h200 := func() *fakeGPU { return &fakeGPU{name: "NVIDIA H200"} }
	broken := func(err error) *fakeGPU { return &fakeGPU{openErr: err} }
	const (
		onCPU = "aligning on @CPU; no GPU is used: "
		hint  = "wfagpu: hint: 'wfagpu devices' lists the GPUs; --device cpu aligns without one\n"
	)
	for _, tc := range []struct {
		name   string
		gpus   []*fakeGPU // none: a machine without
		device string
		line   string
		code   int
	}{
		{"auto without a GPU", nil, "auto", onCPU + "no NVIDIA GPU: none in this test", 0},
		{"auto with a GPU", []*fakeGPU{h200()}, "auto", "aligning on GPU 0 (NVIDIA H200); what is left goes to @CPU", 0},
		{"auto with several", []*fakeGPU{h200(), {name: "L40"}, h200()}, "auto", "aligning on GPUs 0,2 (NVIDIA H200), GPU 1 (L40); what is left goes to @CPU", 0},
		{"auto with an old one beside", []*fakeGPU{h200(), broken(errOld)}, "auto", "aligning on GPU 0 (NVIDIA H200); what is left goes to @CPU; not used: " + errOld.Error(), 0},
		{"auto with an old one", []*fakeGPU{broken(errOld)}, "auto", onCPU + errOld.Error(), 0},
		{"auto without memory", []*fakeGPU{broken(errMemory)}, "auto", onCPU + errMemory.Error(), 0},
		{"auto without kernels", []*fakeGPU{broken(errImage), broken(errImage)}, "auto", onCPU + errImage.Error(), 0},
		{"auto with two reasons", []*fakeGPU{broken(errMemory), broken(errOld)}, "auto", onCPU + errMemory.Error() + "; " + errOld.Error(), 0},
		{"cpu with a GPU", []*fakeGPU{h200()}, "cpu", "", 0},
		{"gpu", []*fakeGPU{h200()}, "gpu", "aligning on GPU 0 (NVIDIA H200); what is left goes to @CPU", 0},
		{"gpu with an old one beside", []*fakeGPU{h200(), broken(errOld)}, "gpu", "aligning on GPU 0 (NVIDIA H200); what is left goes to @CPU; not used: " + errOld.Error(), 0},
		{"gpu without one", nil, "gpu", "error: no NVIDIA GPU: none in this test", exitDevice},
		{"gpu without memory", []*fakeGPU{broken(errMemory)}, "gpu", "error: " + errMemory.Error(), exitDevice},
		{"numbers", []*fakeGPU{h200(), h200(), h200()}, "2,1", "aligning on GPUs 2,1 (NVIDIA H200); what is left goes to @CPU", 0},
		{"a number that is missing", []*fakeGPU{h200()}, "0,1", "error: GPU 1: cuDeviceGet: CUDA error 101", exitDevice},
		{"a number that is too old", []*fakeGPU{h200(), broken(errOld)}, "0,1", "error: " + errOld.Error(), exitDevice},
		{"a number on a machine without", nil, "0", "error: GPU 0: cuDeviceGet: CUDA error 101", exitDevice},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := runOn(t, systemOf(tc.gpus...), pair, "align", "--device", tc.device, "-j", "2", "--cpu-level", "go")
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
				if opened := g.own != nil; opened != (g.closed == 1) {
					t.Errorf("GPU %d: opened %v, closed %d times", i, opened, g.closed)
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

// What the flags say reaches the GPUs.
func TestGPUOptions(t *testing.T) {
	f := &fakeGPU{}
	got := runOn(t, systemOf(f), pair, "align", "-g", "4,6,2", "--score-only", "-e", "0.2")
	if got.code != exitOK {
		t.Fatal(got.stderr)
	}
	want := gpu.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}, ScoreOnly: true, MaxError: gpu.ErrorBound{Fraction: 0.2}}
	if f.opts != want {
		t.Errorf("opened with %+v, want %+v", f.opts, want)
	}
}

// Kernels that the user has named and that do not work are never passed over.
func TestKernelsVariable(t *testing.T) {
	refused := func() *fakeGPU { return &fakeGPU{openErr: errImage} }
	there := filepath.Join(t.TempDir(), "kernels")
	if err := os.WriteFile(there, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	missing := there + "-none"
	for _, tc := range []struct {
		name, path, device string
		system             gpuSystem
		code               int
		stderr             string
	}{
		{"refused", there, "auto", systemOf(refused()), exitDevice, "error: " + errImage.Error()},
		{"refused, GPU demanded", there, "gpu", systemOf(refused()), exitDevice, "error: " + errImage.Error()},
		{"refused by one of two", there, "auto", systemOf(refused(), &fakeGPU{name: "L40"}), exitOK, "aligning on GPU 1 (L40);"},
		{"no GPU", there, "auto", noGPUs, exitOK, "no GPU is used: no usable NVIDIA driver"},
		{"missing", missing, "auto", systemOf(&fakeGPU{}), exitDevice, "error: WFAGPU_KERNELS: open " + missing + ": no such file"},
		{"missing, no GPU", missing, "auto", noGPUs, exitDevice, "error: WFAGPU_KERNELS: open "},
		{"missing, on the CPU", missing, "cpu", noGPUs, exitOK, "wfagpu: "},
		{"a directory", filepath.Dir(there), "auto", noGPUs, exitDevice, "error: WFAGPU_KERNELS: read "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(gpu.KernelsVariable, tc.path)
			got := runOnAsIs(t, tc.system, pair, "align", "--device", tc.device)
			if got.code != tc.code || !strings.Contains(got.stderr, tc.stderr) {
				t.Errorf("exit code %d, want %d; stderr %q", got.code, tc.code, got.stderr)
			}
		})
	}
}

// --stats and the summary count pairs by engine and rescues by cause, on one
// GPU and on two.
func TestGPUCounts(t *testing.T) {
	dir := datasets(t)
	for _, names := range [][]string{{"A"}, {"A", "B"}} {
		var gpus []*fakeGPU
		// A GPU's first batch is done when each GPU has one.
		var busy sync.WaitGroup
		busy.Add(len(names))
		for _, name := range names {
			first := sync.OnceFunc(func() {
				busy.Done()
				busy.Wait()
			})
			gpus = append(gpus, &fakeGPU{name: name, spoil: func(*fakeGPU, *align.Batch) { first() }})
		}
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runOn(t, systemOf(gpus...), "", "align", "-b", "5K", "--check", "--stats", stats, filepath.Join(dir, "small.seq"))
		if got.code != exitOK || got.stdout != readFile(t, filepath.Join(dir, "small.expected.tsv")) {
			t.Fatalf("exit code %d\n%s", got.code, got.stderr)
		}
		var r report
		if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Engines.GPU) != len(names) {
			t.Fatalf("%d GPUs in the report, want %d", len(r.Engines.GPU), len(names))
		}
		var finished, rescued int64
		for i, g := range r.Engines.GPU {
			s := gpus[i].stats
			want := reportGPU{Device: i, Name: names[i], Pairs: s.Warp, Kernels: reportKernels{Warp: s.Warp}, Rescued: reportRescued{Letters: s.Letters}}
			if g != want || g.Pairs == 0 {
				t.Errorf("GPU %d: %+v, want %+v and some pairs", i, g, want)
			}
			finished += g.Pairs
			rescued += g.Rescued.Letters
		}
		if finished+rescued != 300 || rescued == 0 || r.Engines.CPU.Pairs != rescued {
			t.Errorf("%d pairs on GPUs, %d rescued, %d on the CPU", finished, rescued, r.Engines.CPU.Pairs)
		}
		if want := rescueSummary(&reportCPU{Pairs: rescued}, r.Engines.GPU) + "; checked, 0 wrong\n"; !strings.HasSuffix(got.stderr, want) || !strings.Contains(want, "letters outside ACGTU)") {
			t.Errorf("summary %q, want %q at its end", got.stderr, want)
		}
	}
}

func TestReportOfGPU(t *testing.T) {
	f := &fakeGPU{name: "NVIDIA H200", stats: gpu.Stats{
		Warp: 10, Block: 20, General: 30, Trivial: 40, SecondPass: 5, Letters: 1, Length: 2, Memory: 3,
	}}
	f.opts.Device = 1
	gpus := newReportGPUs([]*gpuWorker{{f}})
	text, err := json.Marshal(gpus)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"device":1,"name":"NVIDIA H200","pairs":100,` +
		`"kernels":{"warp":10,"block":20,"general":30,"trivial":40},"second_pass":5,` +
		`"rescued":{"letters":1,"length":2,"memory":3}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	r := report{Pairs: 106, Bases: 1000, Seconds: 1, PairsPerS: 106, Engines: reportEngines{
		CPU: reportCPU{Threads: 4, Level: "avx2", Pairs: 6}, GPU: append(gpus, reportGPU{Device: 2, Pairs: 1}),
	}}
	const line = "106 pairs, 1000 bases in 1.000 s, 106.0 pairs/s; gpu 1: 100 pairs, gpu 2: 1 pair, " +
		"cpu avx2 x4: 6 pairs (1 letters outside ACGTU, 2 too long for the GPU, 3 not enough GPU memory)"
	if got := r.summary(); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	for _, tc := range []struct {
		cpu  reportCPU
		want string
	}{
		{reportCPU{}, "0 pairs"},
		{reportCPU{Pairs: 7, Early: 7}, "7 pairs (7 before a GPU was ready)"},
		{reportCPU{Pairs: 8, Early: 7}, "8 pairs (7 before a GPU was ready, 1 letters outside ACGTU)"},
	} {
		gpu := reportGPU{Rescued: reportRescued{Letters: tc.cpu.Pairs - tc.cpu.Early}}
		if got := rescueSummary(&tc.cpu, []reportGPU{gpu}); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestReportOfApproxGPU(t *testing.T) {
	f := &fakeGPU{name: "NVIDIA H200", stats: gpu.Stats{Warp: 10, Approx: 20, Widened: 7, Letters: 1, Memory: 4}}
	gpus := newReportGPUs([]*gpuWorker{{f}})
	text, err := json.Marshal(gpus)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"device":0,"name":"NVIDIA H200","pairs":30,` +
		`"kernels":{"warp":10,"block":0,"general":0,"trivial":0,"approx":20},"second_pass":0,"widened":7,` +
		`"rescued":{"letters":1,"length":0,"memory":4}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	r := report{Pairs: 35, Bases: 1000, Seconds: 1, PairsPerS: 35, Approx: &reportApprox{}, Engines: reportEngines{
		CPU: reportCPU{Threads: 4, Level: "avx2", Pairs: 5}, GPU: append(gpus, reportGPU{Device: 1, Pairs: 1, Widened: 1}),
	}}
	const line = "35 pairs, 1000 bases in 1.000 s, 35.0 pairs/s; gpu 0: 30 pairs (20 approximate, widened 7 times), " +
		"gpu 1: 1 pair (0 approximate, widened 1 time), cpu avx2 x4: 5 pairs (1 letters outside ACGTU, 4 not enough GPU memory)"
	if got := r.summary(); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
}

// A GPU that fails in the middle of a run ends it in one error that names the
// GPU, after the results before.
func TestGPUFailsInMidRun(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS"}
	for _, n := range []int{1, 3} {
		var gpus []*fakeGPU
		for range n {
			f := &fakeGPU{name: "NVIDIA H200", failAt: map[int64]error{}}
			// From the seventh pair on, whoever gets it.
			for first := int64(7); first <= 1000; first++ {
				f.failAt[first] = failure
			}
			gpus = append(gpus, f)
		}
		out := filepath.Join(t.TempDir(), "out.tsv")
		stats := filepath.Join(t.TempDir(), "stats.json")
		input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000)
		got := runOn(t, systemOf(gpus...), input, "align", "-b", "1", "-o", out, "--stats", stats)
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
			if f.closed != 1 {
				t.Errorf("GPU %d closed %d times", i, f.closed)
			}
		}
	}
}

// An interrupt does not wait for a GPU to open, and what opens later is closed.
func TestInterruptWhileOpening(t *testing.T) {
	f := &fakeGPU{}
	system := systemOf(f)
	open, release, closed := system.open, make(chan struct{}), make(chan struct{})
	system.open = func(o gpu.Options, other aligner) (gpuEngine, error) {
		<-release
		e, err := open(o, other)
		return closeTeller{e, closed}, err
	}
	ctx, interrupt := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	interrupt(cause)
	set, err := openGPUs(ctx, system, nil, gpu.Options{}, &fakeEngine{})
	if set != nil || err != cause {
		t.Fatalf("got %v, %v", set, err)
	}
	close(release)
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Error("the GPU was not closed")
	}
}

func TestSlots(t *testing.T) {
	for _, tc := range []struct{ gpus, threads, slots int }{
		{0, 1, 3}, {0, 8, 10}, {0, 64, 16}, {1, 1, 8}, {1, 8, 10}, {1, 64, 16}, {2, 64, 16}, {8, 64, 64},
	} {
		for _, e := range []*engines{{gpus: make([]*gpuWorker, tc.gpus)}, {expected: tc.gpus}} {
			if got := e.slots(tc.threads); got != tc.slots {
				t.Errorf("%d GPUs, %d threads: %d slots, want %d", len(e.gpus), tc.threads, got, tc.slots)
			}
		}
	}
}

// GPUs that are expected take memory when they have come.
func TestSlotsNow(t *testing.T) {
	for _, come := range []int{0, 3, 8} {
		e := &engines{expected: 8, joining: newJoining(&fakeEngine{}, earlyBatches{}, 1)}
		now := e.slotsNow(4)
		if got := now(); got != 6 {
			t.Errorf("%d slots before any GPU has come", got)
		}
		e.joining.join(&gpuSet{workers: make([]*gpuWorker, come)}, func() {})
		if got, want := now(), max(6, 8*come); got != want {
			t.Errorf("%d slots with %d GPUs, want %d", got, come, want)
		}
	}
}
