package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"wfagpu/gpu"
)

// openingOn is the system whose GPUs are expected, and open once release is
// closed.
func (s gpuSystem) openingOn(release <-chan struct{}) gpuSystem {
	count, open := s.count, s.open
	s.expected = func() int {
		n, _ := count() // 0 with an error
		return max(1, n)
	}
	s.count = func() (int, error) {
		<-release
		return count()
	}
	s.open = func(o gpu.Options, other aligner) (gpuEngine, error) {
		<-release
		return open(o, other)
	}
	return s
}

// watchedWriter tells of every write before it returns.
type watchedWriter struct {
	bytes.Buffer
	wrote func(text string)
}

func (w *watchedWriter) Write(text []byte) (int, error) {
	n, err := w.Buffer.Write(text)
	w.wrote(string(text))
	return n, err
}

// joinedRun is a run whose GPUs open, or turn out to be none, after the first
// results and before the next ones.
func joinedRun(t *testing.T, system gpuSystem, input string, args ...string) (outcome, report) {
	t.Helper()
	t.Setenv(gpu.KernelsVariable, "")
	release, noticed := make(chan struct{}), make(chan struct{})
	var firstResult, firstNotice sync.Once
	stdout := &watchedWriter{wrote: func(string) {
		firstResult.Do(func() {
			close(release)
			<-noticed
		})
	}}
	stderr := &watchedWriter{wrote: func(text string) {
		if strings.HasPrefix(text, "wfagpu: aligning on ") {
			firstNotice.Do(func() { close(noticed) })
		}
	}}
	opts := defaultAlignOptions()
	opts.gpus = system.openingOn(release)
	stats := filepath.Join(t.TempDir(), "stats.json")
	args = append([]string{"align", "-b", "1", "-j", "2", "--stats", stats}, args...)
	code := runWith(t.Context(), opts, args, streams{strings.NewReader(input), stdout, stderr})
	return outcome{code, stdout.String(), stderr.String()}, readReport(t, stats)
}

func readReport(t *testing.T, path string) report {
	t.Helper()
	var r report
	if err := json.Unmarshal([]byte(readFile(t, path)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// joinedCPU is the notice's name for the CPU in joinedRun, up to the code path.
const joinedCPU = "the CPU (2 threads, "

// GPUs that open in the middle of a run get the batches from then on, and the
// results are those of the CPU. All pairs are counted where they were aligned.
func TestGPUsJoin(t *testing.T) {
	const pairs = 200
	input := wfagpu(t, "generate", "-n", strconv.Itoa(pairs), "-l", "100", "-e", "0.1", "--n-rate", "0.002")
	for _, tc := range []struct {
		name   string
		gpus   []*fakeGPU
		notice string
		used   []string
	}{
		{"one", []*fakeGPU{{name: "A"}}, "GPU 0 (A); what is left goes to " + joinedCPU, []string{"A"}},
		{"several", []*fakeGPU{{name: "A"}, {name: "A"}, {name: "A"}}, "GPUs 0,1,2 (A); what is left goes to " + joinedCPU, []string{"A", "A", "A"}},
		{"one of two", []*fakeGPU{{openErr: errOld}, {name: "B"}}, "GPU 1 (B); what is left goes to " + joinedCPU, []string{"B"}},
		{"none usable", []*fakeGPU{{openErr: errOld}, {openErr: errMemory}}, joinedCPU, nil},
		{"none", nil, joinedCPU, nil},
	} {
		for _, more := range [][]string{{"--check"}, {"--score-only"}, {"--mode", "approx", "--band", "9"}} {
			t.Run(tc.name+more[0], func(t *testing.T) {
				var gpus []*fakeGPU
				for _, f := range tc.gpus {
					gpus = append(gpus, &fakeGPU{name: f.name, openErr: f.openErr})
				}
				system := systemOf(gpus...)
				got, r := joinedRun(t, system, input, more...)
				want := runOn(t, system, input, append([]string{"align", "--device", "cpu"}, more...)...)
				if got.code != exitOK || got.stdout != want.stdout {
					t.Fatalf("exit code %d, or not the results of the CPU\n%s", got.code, got.stderr)
				}
				lines := strings.Split(got.stderr, "\n")
				if len(lines) != 3 || !strings.HasPrefix(lines[0], "wfagpu: aligning on "+tc.notice) {
					t.Errorf("stderr %q, want one notice, %q, and the summary", got.stderr, tc.notice)
				}
				for _, f := range gpus {
					if (f.openErr != nil) != strings.Contains(lines[0], fmt.Sprint(f.openErr)) {
						t.Errorf("notice %q", lines[0])
					}
					if f.openErr == nil && f.closed != 1 {
						t.Errorf("closed %d times", f.closed)
					}
				}
				expectJoined(t, r, tc.used, lines[1], pairs)
			})
		}
	}
}

// expectJoined checks the report of a run that GPUs of these names have joined.
func expectJoined(t *testing.T, r report, names []string, summary string, pairs int64) {
	t.Helper()
	cpu := r.Engines.CPU
	var used []string
	var finished, rescued int64
	for _, g := range r.Engines.GPU {
		used = append(used, g.Name)
		finished += g.Pairs
		rescued += g.Rescued.Letters
	}
	if strings.Join(used, " ") != strings.Join(names, " ") {
		t.Errorf("GPUs %q in the report, want %q", used, names)
	}
	if finished+cpu.Pairs != pairs || r.Pairs != pairs {
		t.Errorf("%d pairs on GPUs, %d on the CPU, %d in all", finished, cpu.Pairs, r.Pairs)
	}
	if len(names) == 0 {
		if cpu.Early != 0 || r.Engines.GPU == nil || strings.Contains(summary, "gpu 0") || strings.Contains(summary, "GPU") {
			t.Errorf("without a GPU: %+v, %s", r.Engines, summary)
		}
		return
	}
	// Before the GPUs, the CPU may have had no more batches than are under way
	// at a time.
	if cpu.Early == 0 || cpu.Early > gpuSlots*3 || cpu.Early+rescued != cpu.Pairs || rescued == 0 {
		t.Errorf("%d pairs on the CPU, %d of them early and %d rescued", cpu.Pairs, cpu.Early, rescued)
	}
	want := fmt.Sprintf(": %d pairs (%d before a GPU was ready, %d letters outside ACGTU)", cpu.Pairs, cpu.Early, rescued)
	if !strings.Contains(summary, want) {
		t.Errorf("summary %q, want %q", summary, want)
	}
}

// A run does not wait for GPUs that it does not need.
func TestGPUNeverOpens(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	f, release, closed := &fakeGPU{}, make(chan struct{}), make(chan struct{})
	system := systemOf(f)
	open := system.open
	system.open = func(o gpu.Options, other aligner) (gpuEngine, error) {
		e, err := open(o, other)
		return closeTeller{e, closed}, err
	}
	stats := filepath.Join(t.TempDir(), "stats.json")
	got := runOn(t, system.openingOn(release), pair, "align", "-j", "2", "--cpu-level", "go", "--stats", stats)
	if got.code != exitOK || got.stdout != pairLine {
		t.Errorf("%+v", got)
	}
	if want := "wfagpu: aligning on the CPU (2 threads, go); the run ended before a GPU was ready\nwfagpu: 1 pair, "; !strings.HasPrefix(got.stderr, want) ||
		!strings.HasSuffix(got.stderr, "; cpu go x2: 1 wavefront, 0 bidirectional, 0 banded\n") {
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
	got = runOn(t, systemOf(&fakeGPU{}).openingOn(release), "", "align", filepath.Join(t.TempDir(), "missing"))
	if got.code != exitInput || strings.Contains(got.stderr, "aligning") {
		t.Errorf("no input: %+v", got)
	}
}

// Pairs for which CPU and GPU may give different alignments wait for the GPUs.
func TestLongPairsWaitForGPUs(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "30", "-l", "1000")
	want := runOn(t, noGPUs, input, "align").stdout
	for _, tc := range []struct {
		gpu  *fakeGPU
		used int64
	}{
		{&fakeGPU{}, 30},
		{&fakeGPU{openErr: errOld}, 0},
	} {
		release := make(chan struct{})
		system := systemOf(tc.gpu).openingOn(release)
		go close(release)
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runOn(t, system, input, "align", "-b", "1", "--memory", "1M", "--stats", stats)
		if got.code != exitOK || got.stdout != want {
			t.Errorf("exit code %d, or other results\n%s", got.code, got.stderr)
		}
		r := readReport(t, stats)
		if r.Engines.CPU.Pairs != 30-tc.used || r.Engines.CPU.Early != 0 || tc.gpu.stats.Warp != tc.used {
			t.Errorf("%+v", r.Engines)
		}
	}
}

// An interrupt is not held up by pairs that wait for the GPUs.
func TestInterruptWhileWaitingForGPUs(t *testing.T) {
	t.Setenv(gpu.KernelsVariable, "")
	input := wfagpu(t, "generate", "-n", "30", "-l", "1000")
	ctx, interrupt := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	opts := defaultAlignOptions()
	opts.gpus = systemOf(&fakeGPU{}).openingOn(release)
	count := opts.gpus.count
	opts.gpus.count = func() (int, error) {
		interrupt()
		return count()
	}
	var stdout, stderr bytes.Buffer
	code := runWith(ctx, opts, []string{"align", "--memory", "1M"}, streams{strings.NewReader(input), &stdout, &stderr})
	if code != 130 || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, &stdout, &stderr)
	}
}

// A GPU that joins and fails ends the run as any other does.
func TestJoinedGPUFails(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS"}
	f := &fakeGPU{name: "A", failAt: map[int64]error{}}
	for first := range int64(1001) {
		f.failAt[first] = failure
	}
	got, r := joinedRun(t, systemOf(f), strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000))
	if got.code != exitFailed || len(r.Engines.GPU) != 1 || r.Engines.CPU.Early == 0 || f.closed != 1 {
		t.Errorf("exit code %d, %+v, closed %d times", got.code, r.Engines, f.closed)
	}
	expectMessage(t, got.stderr, "GPU 0 (A) failed: "+failure.Error())
	if want := r.Pairs; int64(strings.Count(got.stdout, "\n")) != want || want == 0 {
		t.Errorf("%d lines, %d pairs in the report", strings.Count(got.stdout, "\n"), want)
	}
}

// Only auto begins early, and only where no error can come of the GPUs.
func TestWhoBeginsEarly(t *testing.T) {
	input := wfagpu(t, "generate", "-n", "30", "-l", "100")
	for _, args := range [][]string{{"--device", "gpu"}, {"--device", "0"}, {"--mode", "approx", "--recall"}} {
		release := make(chan struct{})
		close(release)
		stats := filepath.Join(t.TempDir(), "stats.json")
		got := runOn(t, systemOf(&fakeGPU{}).openingOn(release), input, append([]string{"align", "-b", "1", "--stats", stats}, args...)...)
		r := readReport(t, stats)
		if got.code != exitOK || r.Engines.CPU.Pairs != 0 || len(r.Engines.GPU) != 1 || r.Engines.GPU[0].Pairs != 30 {
			t.Errorf("%q: exit code %d, %+v", args, got.code, r.Engines)
		}
	}

	expect := func(n int) *alignOptions {
		o := defaultAlignOptions()
		o.gpus.expected = func() int { return n }
		return &o
	}
	t.Setenv(gpu.KernelsVariable, "")
	for _, tc := range []struct {
		name   string
		change func(o *alignOptions)
		want   int
	}{
		{"auto", func(*alignOptions) {}, 3},
		{"gpu", func(o *alignOptions) { o.device.kind = "gpu" }, 0},
		{"cpu", func(o *alignOptions) { o.device.kind = "cpu" }, 0},
		{"numbers", func(o *alignOptions) { o.device = deviceChoice{indices: []int{0}} }, 0},
		{"--recall", func(o *alignOptions) { o.recall = true }, 0},
		{"no hint", func(o *alignOptions) { o.gpus.expected = nil }, 0},
		{"none expected", func(o *alignOptions) { *o = *expect(0) }, 0},
		{"kernels", func(*alignOptions) { t.Setenv(gpu.KernelsVariable, "x") }, 0},
	} {
		o := expect(3)
		tc.change(o)
		if got := o.earlyGPUs(); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}
