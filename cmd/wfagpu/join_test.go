package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid/hybridtest"
)

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

// gatedReader reads nothing before its gate is open.
type gatedReader struct {
	gate <-chan struct{}
	io.Reader
}

func (r gatedReader) Read(p []byte) (int, error) {
	<-r.gate
	return r.Reader.Read(p)
}

// joinedRun is a run whose GPUs open, or turn out to be none, after the first
// results. The second half of the input comes when they have joined.
func joinedRun(t *testing.T, machine *hybridtest.Machine, input string, args ...string) (outcome, report) {
	t.Helper()
	t.Setenv(gpu.KernelsVariable, "")
	release, noticed, joined := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var firstResult, firstNotice, firstLook sync.Once
	noGPU := true
	for _, g := range machine.GPUs {
		noGPU = noGPU && g.OpenErr != nil
		g.OnStats = func() { firstLook.Do(func() { close(joined) }) }
	}
	stdout := &watchedWriter{wrote: func(string) {
		firstResult.Do(func() {
			close(release)
			<-noticed
		})
	}}
	stderr := &watchedWriter{wrote: func(text string) {
		if strings.HasPrefix(text, "wfagpu: aligning on ") {
			firstNotice.Do(func() {
				close(noticed)
				if noGPU {
					close(joined)
				}
			})
		}
	}}
	opts := defaultAlignOptions()
	opts.engine.System, opts.engine.Background = machine.OpeningOn(release), true
	stats := filepath.Join(t.TempDir(), "stats.json")
	args = append([]string{"align", "-b", "1", "-j", "2", "--stats", stats}, args...)
	lines := strings.SplitAfter(input, "\n")
	half := len(lines) / 4 * 2
	stdin := io.MultiReader(strings.NewReader(strings.Join(lines[:half], "")),
		gatedReader{joined, strings.NewReader(strings.Join(lines[half:], ""))})
	code := runWith(t.Context(), opts, args, streams{stdin, stdout, stderr})
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

// What the notice of joinedRun says of the CPU, up to the code path.
const (
	joinedCPU    = "the CPU (2 threads, "
	joinedBeside = " and the CPU (2 threads, "
)

// GPUs that open in the middle of a run get the batches from then on, and the
// results are those of the CPU. All pairs are counted where they were aligned.
func TestGPUsJoin(t *testing.T) {
	const pairs = 200
	input := wfagpu(t, "generate", "-n", strconv.Itoa(pairs), "-l", "100", "-e", "0.1", "--n-rate", "0.002")
	for _, tc := range []struct {
		name   string
		gpus   []*hybridtest.GPU
		notice string
		used   []string
	}{
		{"one", []*hybridtest.GPU{{Name: "A"}}, "GPU 0 (A)" + joinedBeside, []string{"A"}},
		{"several", []*hybridtest.GPU{{Name: "A"}, {Name: "A"}, {Name: "A"}}, "GPUs 0,1,2 (A)" + joinedBeside, []string{"A", "A", "A"}},
		{"one of two", []*hybridtest.GPU{{OpenErr: errOld}, {Name: "B"}}, "GPU 1 (B)" + joinedBeside, []string{"B"}},
		{"none usable", []*hybridtest.GPU{{OpenErr: errOld}, {OpenErr: errMemory}}, joinedCPU, nil},
		{"none", nil, joinedCPU, nil},
	} {
		for _, more := range [][]string{{"--check"}, {"--score-only"}, {"--mode", "approx", "--band", "9"}} {
			t.Run(tc.name+more[0], func(t *testing.T) {
				var gpus []*hybridtest.GPU
				for _, f := range tc.gpus {
					gpus = append(gpus, &hybridtest.GPU{Name: f.Name, OpenErr: f.OpenErr})
				}
				machine := hybridtest.NewMachine(gpus...)
				got, r := joinedRun(t, machine, input, more...)
				want := runOn(t, machine, input, append([]string{"align", "--device", "cpu"}, more...)...)
				if got.code != exitOK || got.stdout != want.stdout {
					t.Fatalf("exit code %d, or not the results of the CPU\n%s", got.code, got.stderr)
				}
				lines := strings.Split(got.stderr, "\n")
				if len(lines) != 3 || !strings.HasPrefix(lines[0], "wfagpu: aligning on "+tc.notice) {
					t.Errorf("stderr %q, want one notice, %q, and the summary", got.stderr, tc.notice)
				}
				for _, f := range gpus {
					if (f.OpenErr != nil) != strings.Contains(lines[0], fmt.Sprint(f.OpenErr)) {
						t.Errorf("notice %q", lines[0])
					}
					if f.OpenErr == nil && f.Closed != 1 {
						t.Errorf("closed %d times", f.Closed)
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
	var finished, fallback, repeated int64
	for _, g := range r.Engines.GPU {
		used = append(used, g.Name)
		finished += g.Pairs
		fallback += g.Fallback.Letters
		repeated += g.Repeated
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
	if cpu.Early == 0 || cpu.Early > pairs/2 || finished+fallback+repeated == 0 || cpu.Early+cpu.Beside+fallback != cpu.Pairs {
		t.Errorf("%d pairs on GPUs; on the CPU %d, %d of them early, %d beside and %d fallbacks", finished, cpu.Pairs, cpu.Early, cpu.Beside, fallback)
	}
	want := ": " + fallbackSummary(&cpu, r.Engines.GPU)
	if !strings.Contains(summary, want) || !strings.Contains(want, fmt.Sprintf("(%d before a GPU was ready", cpu.Early)) {
		t.Errorf("summary %q, want %q", summary, want)
	}
}

// A GPU that joins and fails ends the run as any other does.
func TestJoinedGPUFails(t *testing.T) {
	failure := &gpu.Error{Call: "cuStreamSynchronize", Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS"}
	f := &hybridtest.GPU{Name: "A", FailAt: map[int64]error{}}
	for first := range int64(1001) {
		f.FailAt[first] = failure
	}
	got, r := joinedRun(t, hybridtest.NewMachine(f), strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 1000))
	if got.code != exitFailed || len(r.Engines.GPU) != 1 || r.Engines.CPU.Early == 0 || f.Closed != 1 {
		t.Errorf("exit code %d, %+v, closed %d times", got.code, r.Engines, f.Closed)
	}
	expectMessage(t, got.stderr, "GPU 0 (A) failed: "+failure.Error())
	if want := r.Pairs; int64(strings.Count(got.stdout, "\n")) != want || want == 0 {
		t.Errorf("%d lines, %d pairs in the report", strings.Count(got.stdout, "\n"), want)
	}
}
