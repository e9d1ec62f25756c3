package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/hybrid"
	"wfagpu/gpu/hybrid/hybridtest"
)

// recallRun is a run with --recall on the GPUs of a machine, or else on the CPU,
// whose report is read back.
func recallRun(t *testing.T, machine hybrid.System, input string, args ...string) (outcome, report) {
	t.Helper()
	stats := filepath.Join(t.TempDir(), "stats.json")
	flags := []string{"align", "--mode", "approx", "--recall", "--stats", stats}
	if machine != noGPUs {
		flags = append(flags, "--device", "gpu")
	}
	got := runOn(t, machine, input, append(flags, args...)...)
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
			machine := noGPUs
			if tc.gpus > 0 {
				machine = hybridtest.NewMachine([]*hybridtest.GPU{{}, {}}[:tc.gpus]...)
			}
			args := append(append([]string{}, narrow...), tc.args...)
			got, r := recallRun(t, machine, input, args...)
			plain := runOn(t, machine, input, append([]string{"align", "--mode", "approx"}, args...)...)
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
