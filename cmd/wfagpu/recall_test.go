package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu"
)

// The tally of prepared scores, over two batches. Pairs with an error on either
// side are not in it.
func TestRecallTally(t *testing.T) {
	none := errors.New("not aligned")
	scores := func(of ...any) []align.Result {
		var results []align.Result
		for _, x := range of {
			if err, ok := x.(error); ok {
				results = append(results, align.Result{Err: err})
			} else {
				results = append(results, align.Result{Score: x.(int)})
			}
		}
		return results
	}
	for _, tc := range []struct {
		name           string
		approx, exact  [2][]align.Result
		want           reportRecall
		summary, below string
	}{
		{
			name:   "some above the optimum",
			approx: [2][]align.Result{scores(10, 0, 33), scores(40, 24)}, exact: [2][]align.Result{scores(10, 0, 30), scores(40, 20)},
			want:    reportRecall{Pairs: 5, Optimal: 3, Percent: 60, ExcessPercent: 7, LargestExcess: 4},
			summary: "recall 60.00 % (3 of 5 pairs), mean excess 7.0000 %, largest 4",
		},
		{
			name:   "errors",
			approx: [2][]align.Result{scores(none, 12, 50), scores(8)}, exact: [2][]align.Result{scores(1, 10, none), scores(6)},
			want:    reportRecall{Pairs: 2, Optimal: 0, Percent: 0, ExcessPercent: 25, LargestExcess: 2},
			summary: "recall 0.00 % (0 of 2 pairs), mean excess 25.0000 %, largest 2",
		},
		{
			name:   "equal sequences alone",
			approx: [2][]align.Result{scores(0), scores()}, exact: [2][]align.Result{scores(0), scores()},
			want:    reportRecall{Pairs: 1, Optimal: 1, Percent: 100},
			summary: "recall 100.00 % (1 of 1 pair), mean excess 0.0000 %, largest 0",
		},
		{
			name:    "nothing but errors",
			approx:  [2][]align.Result{scores(none), scores(5)},
			exact:   [2][]align.Result{scores(4), scores(none)},
			summary: "recall: no pair to compare",
		},
		{
			name:   "below the optimum",
			approx: [2][]align.Result{scores(5), scores(9, 7)}, exact: [2][]align.Result{scores(5), scores(9, 8)},
			below: "internal error: pair 102: the approximate score 7 is below the exact one, 8",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &recaller{}
			var problems []pairProblem
			var err error
			for i := range tc.approx {
				b := &align.Batch{Pairs: make([]align.Pair, len(tc.approx[i])), Results: tc.approx[i], First: int64(1 + 100*i)}
				r.engine = lyingEngine{tc.exact[i]}
				if problems, err = r.after(failures)(t.Context(), b, problems); err != nil {
					break
				}
			}
			if tc.below != "" {
				if err == nil || err.Error() != tc.below || exitCode(err) != exitFailed {
					t.Errorf("got %v, exit code %d, want %s, %d", err, exitCode(err), tc.below, exitFailed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := *r.report(); got != tc.want || got.summary() != tc.summary {
				t.Errorf("got  %+v, %s\nwant %+v, %s", got, got.summary(), tc.want, tc.summary)
			}
			// What the inspection before has found is passed on.
			failed := strings.Count(fmt.Sprint(tc.approx), none.Error())
			if len(problems) != failed {
				t.Errorf("%d problems, want %d", len(problems), failed)
			}
		})
	}
}

// recallRun is a run with --recall whose report is read back.
func recallRun(t *testing.T, system gpuSystem, input string, args ...string) (outcome, report) {
	t.Helper()
	stats := filepath.Join(t.TempDir(), "stats.json")
	got := runOn(t, system, input, append([]string{"align", "--mode", "approx", "--recall", "--stats", stats}, args...)...)
	var r report
	if err := json.Unmarshal([]byte(readFile(t, stats)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Approx == nil || r.Approx.Recall == nil {
		t.Fatalf("no recall in the report: %s", got.stderr)
	}
	return got, r
}

// narrow is a band that costs many of the pairs of gappy their optimum.
var narrow = []string{"--band", "9", "--lambda", "2"}

// gappy makes pairs with long gaps.
func gappy(t *testing.T, pairs int) string {
	t.Helper()
	return wfagpu(t, "generate", "-n", strconv.Itoa(pairs), "-l", "80", "-e", "0.2", "--model", "bursts")
}

// expectedRecall compares the scores in results with those of an aligner that
// shares no code with the engines.
func expectedRecall(t *testing.T, pairs, results string) reportRecall {
	t.Helper()
	lines, rows := strings.Fields(pairs), strings.Split(strings.TrimSuffix(results, "\n"), "\n")
	var want reportRecall
	var scores, optima int
	for i, row := range rows {
		text := strings.Split(row, "\t")[2]
		if text == "*" {
			continue
		}
		score, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		best, _ := aligntest.Gotoh([]byte(lines[2*i][1:]), []byte(lines[2*i+1][1:]), align.DefaultPenalties)
		if score == best {
			want.Optimal++
		}
		want.Pairs++
		want.LargestExcess = max(want.LargestExcess, score-best)
		scores += score
		optima += best
	}
	want.Percent = 100 * float64(want.Optimal) / float64(want.Pairs)
	want.ExcessPercent = 100 * (float64(scores)/float64(optima) - 1)
	return want
}

func expectRecall(t *testing.T, got, want reportRecall) {
	t.Helper()
	if math.Abs(got.Percent-want.Percent) > 1e-9 || math.Abs(got.ExcessPercent-want.ExcessPercent) > 1e-9 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got.Percent, got.ExcessPercent = want.Percent, want.ExcessPercent
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The command's recall is that of its output, on the CPU and on GPUs, with and
// without CIGARs, in one batch and in many.
func TestRecall(t *testing.T) {
	input := gappy(t, 300)
	for _, tc := range []struct {
		name   string
		gpus   int
		args   []string
		device string // in the notice
	}{
		{"CPU", 0, nil, "the CPU"},
		{"CPU, batches", 0, []string{"-b", "2K", "-j", "3"}, "the CPU"},
		{"CPU, scores", 0, []string{"--score-only", "--check"}, "the CPU"},
		{"GPU", 1, []string{"--check"}, "GPU 0"},
		{"GPUs", 2, []string{"-b", "2K"}, "GPUs 0,1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			system := noGPUs
			if tc.gpus > 0 {
				system = systemOf([]*fakeGPU{{}, {}}[:tc.gpus]...)
			}
			args := append(append([]string{}, narrow...), tc.args...)
			got, r := recallRun(t, system, input, args...)
			plain := runOn(t, system, input, append([]string{"align", "--mode", "approx"}, args...)...)
			if got.code != exitOK || got.stdout != plain.stdout {
				t.Errorf("exit code %d, or not the results of a run without --recall\n%s", got.code, got.stderr)
			}
			want := expectedRecall(t, input, got.stdout)
			if want.Optimal == want.Pairs || want.Optimal == 0 {
				t.Fatalf("%d of %d pairs are optimal: no test", want.Optimal, want.Pairs)
			}
			expectRecall(t, *r.Approx.Recall, want)
			if !strings.HasSuffix(got.stderr, "; "+want.summary()+"\n") {
				t.Errorf("summary %q, want %q at its end", got.stderr, want.summary())
			}
			if !strings.HasPrefix(got.stderr, "wfagpu: aligning on "+tc.device) || strings.Contains(got.stderr, "exactly") {
				t.Errorf("notices %q", got.stderr)
			}
			finished := r.Engines.CPU.Pairs
			for _, g := range r.Engines.GPU {
				finished += g.Pairs
			}
			if finished != 300 {
				t.Errorf("%d pairs are counted, want 300", finished)
			}
		})
	}
}

// What the flags say reaches every GPU. With --recall each is opened twice,
// for both modes, with the memory shared.
func TestApproxGPUOptions(t *testing.T) {
	const free = 10 << 30
	penalties := align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}
	args := []string{"align", "-g", "4,6,2", "-e", "0.2", "--mode", "approx", "--band", "64", "--lambda", "9"}
	approx := gpu.Options{Penalties: penalties, MaxError: gpu.ErrorBound{Fraction: 0.2}, Approx: &align.Approx{Band: 64, Lambda: 9}}

	gpus := []*fakeGPU{{free: free}, {free: free / 2}}
	if got := runOn(t, systemOf(gpus...), pair, args...); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for i, f := range gpus {
		if approx.Device = i; !reflect.DeepEqual(f.opts, approx) || f.second != nil {
			t.Errorf("GPU %d: opened with %+v, want %+v, once", i, f.opts, approx)
		}
	}

	gpus = []*fakeGPU{{free: free}, {free: free / 2}}
	if got := runOn(t, systemOf(gpus...), pair, append(args, "--recall")...); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	exact := approx
	exact.Approx, exact.ScoreOnly = nil, true
	for i, f := range gpus {
		if f.second == nil {
			t.Fatalf("GPU %d: opened once", i)
		}
		memory := f.opts.Memory
		if sum := memory + f.second.opts.Memory; memory != f.second.opts.Memory || sum > int64(f.free) || sum < int64(f.free)/2 {
			t.Errorf("GPU %d: memory of %d and %d bytes, %d are free", i, memory, f.second.opts.Memory, f.free)
		}
		for _, open := range []struct{ got, want gpu.Options }{{f.opts, approx}, {f.second.opts, exact}} {
			open.want.Device, open.want.Memory = i, memory
			if !reflect.DeepEqual(open.got, open.want) {
				t.Errorf("GPU %d: opened with %+v, want %+v", i, open.got, open.want)
			}
		}
		if f.closed != 1 || f.second.closed != 1 {
			t.Errorf("GPU %d: closed %d and %d times", i, f.closed, f.second.closed)
		}
	}
}

// A GPU without room for the band leaves the pairs to the CPU, which aligns them
// in the same mode.
func TestNoRoomForTheBand(t *testing.T) {
	input := gappy(t, 50)
	f := &fakeGPU{noRoom: true}
	got, r := recallRun(t, systemOf(f), input, narrow...)
	want := runOn(t, noGPUs, input, append([]string{"align", "--mode", "approx"}, narrow...)...)
	if got.code != exitOK || got.stdout != want.stdout {
		t.Errorf("exit code %d, or not the results of the CPU\n%s", got.code, got.stderr)
	}
	if !strings.Contains(got.stderr, ": 50 pairs (50 not enough GPU memory); recall ") {
		t.Errorf("summary %q", got.stderr)
	}
	cpu, rescued := r.Engines.CPU, r.Engines.GPU[0].Rescued
	if cpu.Methods.Approx == 0 || cpu.Methods.Approx+cpu.GaveUp != 50 || rescued.Memory != 50 {
		t.Errorf("on the CPU %+v, rescued %+v", cpu, rescued)
	}
}

// Pairs with an error, in the run or in the exact alignment beside it, are not
// compared; only the former are failures.
func TestRecallOfFailedPairs(t *testing.T) {
	input := gappy(t, 40)
	f := &fakeGPU{spoil: func(f *fakeGPU, b *align.Batch) {
		at := 4 // of the approximate results
		if f.opts.Approx == nil {
			at = 7
		}
		b.Results[at].Err = errors.New("gave up")
	}}
	got, r := recallRun(t, systemOf(f), input, narrow...)
	if got.code != exitFailed {
		t.Errorf("exit code %d, want %d", got.code, exitFailed)
	}
	rows := strings.SplitAfter(got.stdout, "\n")
	if rows[4] != "5\t5\t*\t*\n" || strings.Contains(rows[7], "*") {
		t.Errorf("rows %q and %q", rows[4], rows[7])
	}
	rows[7] = "8\t8\t*\t*\n" // not to be compared either
	want := expectedRecall(t, input, strings.Join(rows, ""))
	if want.Pairs != 38 || r.Failed != 1 {
		t.Errorf("%d pairs to compare, %d failed", want.Pairs, r.Failed)
	}
	expectRecall(t, *r.Approx.Recall, want)
}

// A score below the optimum ends the run, after the results before.
func TestApproxBelowExact(t *testing.T) {
	input := strings.Repeat(">ACGTACGT\n<ACGTACGT\n", 9)
	f := &fakeGPU{spoil: func(f *fakeGPU, b *align.Batch) {
		if f.opts.Approx == nil && b.First == 5 {
			b.Results[0].Score++
		}
	}}
	got, r := recallRun(t, systemOf(f), input, "-b", "1")
	const want = "internal error: pair 5: the approximate score 0 is below the exact one, 1"
	if got.code != exitFailed || r.ExitCode != exitFailed || r.Error != want || strings.Count(got.stdout, "\n") != 4 {
		t.Errorf("exit code %d, in the report %d, %q; output %q", got.code, r.ExitCode, r.Error, got.stdout)
	}
	expectMessage(t, got.stderr, want)
}

// Where a GPU has no room for both engines, it says so and what is done.
func TestRecallWithoutRoom(t *testing.T) {
	full := func(system gpuSystem) gpuSystem {
		open, opened := system.open, 0
		system.open = func(o gpu.Options, other aligner) (gpuEngine, error) {
			if opened++; opened > 1 {
				return nil, errMemory
			}
			return open(o, other)
		}
		return system
	}
	input := gappy(t, 20)
	f := &fakeGPU{name: "NVIDIA H200"}
	got, r := recallRun(t, full(systemOf(f)), input, narrow...)
	if got.code != exitOK || r.Approx.Recall.Pairs != 20 || f.closed != 1 {
		t.Errorf("exit code %d, %d pairs compared, closed %d times", got.code, r.Approx.Recall.Pairs, f.closed)
	}
	if !strings.Contains(got.stderr, "\nwfagpu: --recall: aligning exactly on the CPU (") || !strings.Contains(got.stderr, "no GPU is used: "+errMemory.Error()) {
		t.Errorf("notices %q", got.stderr)
	}
	f = &fakeGPU{}
	demanded := runOn(t, full(systemOf(f)), input, "align", "--mode", "approx", "--recall", "--device", "gpu")
	if demanded.code != exitDevice || demanded.stdout != "" || f.closed != 1 {
		t.Errorf("%+v, closed %d times", demanded, f.closed)
	}
	expectMessage(t, demanded.stderr, errMemory.Error())
}

// A GPU whose memory cannot be told is not opened for two engines.
func TestRecallMemoryUnknown(t *testing.T) {
	unknown := errors.New("cuMemGetInfo: CUDA error 999")
	f := &fakeGPU{}
	system := systemOf(f)
	system.devices = func() ([]gpu.DeviceInfo, error) { return nil, unknown }
	got := runOn(t, system, pair, "align", "--mode", "approx", "--recall", "--device", "0")
	if got.code != exitDevice || f.own != nil {
		t.Errorf("exit code %d, opened %v", got.code, f.own != nil)
	}
	expectMessage(t, got.stderr, unknown.Error())
}
