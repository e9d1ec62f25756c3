package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

// realReads runs scripts/real-reads.sh on the CPU, with the program wrapped in a shell
// script if one is given, and returns its output and whether it succeeded.
func realReads(t *testing.T, wrapper string, parts ...string) (lines []string, ok bool) {
	t.Helper()
	t.Chdir("../..")
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	for program, source := range map[string]string{"wfagpu": "./cmd/wfagpu", "bench": "./scripts/bench"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, program), source).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	program := filepath.Join(dir, "wfagpu")
	if wrapper != "" {
		if err := os.Rename(program, program+".real"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, []byte("#!/usr/bin/env bash\nreal="+program+".real\n"+wrapper), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	data := filepath.Join(dir, "data")
	tmp := filepath.Join(dir, "tmp")
	for _, d := range []string{data, tmp} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := sets.Set{Options: simulate.Options{Length: 1500, ErrorRate: 0.1, Seed: 5}, Count: 20}
	batch, err := s.Batch()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first.seq", "second.seq"} {
		if err := sets.Write(filepath.Join(data, name), batch.Pairs); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gzip", filepath.Join(data, name)).CombinedOutput(); err != nil {
			t.Skipf("no gzip: %v %s", err, out)
		}
	}
	cmd := exec.Command("scripts/real-reads.sh", parts...)
	cmd.Env = append(os.Environ(), "BUILD="+dir, "WFAGPU_DATA="+data, "DEVICE=cpu", "TMPDIR="+tmp, "LOG="+filepath.Join(dir, "log"),
		"GPUFLAGS=-letters 30000 -seconds 0.001 -rounds 1",
		"WHOLEFLAGS=-seconds 0.1 -share 2 -scale 0.0002 -rounds 1 -sets first,second -limit 20s -bound --memory=1M")
	out, err := cmd.Output()
	if log, logErr := os.ReadFile(filepath.Join(dir, "log")); logErr != nil || string(log) != string(out) {
		t.Errorf("the log differs from the output: %v", logErr)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("the script leaves %v", left)
	}
	return strings.Split(string(out), "\n"), err == nil
}

// Every part runs and prints its results.
func TestRealReads(t *testing.T) {
	lines, ok := realReads(t, "")
	if !ok {
		t.Errorf("the script fails:\n%s", strings.Join(lines, "\n"))
	}
	got := map[string]bool{}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		switch {
		case f[0] == "RESULT" && len(f) == 8:
			got[strings.Join(f[1:4], "/")] = true
		case f[0] == "RESULT" || f[0] == "FAILED":
			t.Errorf("line %q", line)
		}
	}
	for _, want := range []string{
		"simulated/150 bp 5 %/rate, goal", "simulated/10000 bp 10 %/score-only rate",
		"sets/second/CIGAR / score only", "sets/first/of identical pairs", "sets-approx/first/score²",
		"commands/first/CPU / GPU", "commands/second/auto / the faster", "commands/first/--device cpu, score²",
		"batches/second/slowest / fastest", "batches/second/-b 256M", "mixed/mixed/class by class / interleaved", "mixed/mixed/200000 bp alone",
		"huge/one pair of 1 Mbp 2 %/CPU / GPU", "huge/16 pairs of 1 Mbp 1 %/--score-only --check", "huge/16 pairs of 1 Mbp 1 %/time",
		"small/six pairs/time of the GPU", "small/50k x 10 kbp/auto / the faster",
		"pair-of-processes/second/two at once / one after the other", "interrupt/after 3s/time until gone", "memory/memory/bounded / all of its memory",
	} {
		if !got[want] {
			t.Errorf("no result %s", want)
		}
	}
	// Which of the two limits a set depends on the rates of the run.
	if device, host := "sets/first/share of the device's limit", "sets/first/share of the host's limit"; got[device] == got[host] {
		t.Errorf("one of %q and %q is to be given", device, host)
	}
	if !strings.Contains(strings.Join(lines, "\n"), "\nskipped: 0 GPU\n") {
		t.Error("the part gpus is not skipped")
	}
}

// A program whose --device auto gives a wrong score, and that fails with -b 16M.
func TestRealReadsFindsErrors(t *testing.T) {
	lines, ok := realReads(t, `
[[ " $* " != *" -b 16M "* ]] || { echo "wfagpu: error: no 16M" >&2; exit 1; }
"$real" "$@" || exit
if [[ " $* " == *" --device auto "* ]]; then
	while [[ $1 != -o ]]; do shift; done
	sed -i '7s/=/X/' "$2"
fi
`, "small", "batches", "pair-of-processes")
	if ok {
		t.Error("the script succeeds")
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{
		"FAILED\tsmall\t5M x 150 bp, --device auto\t1 of 1000 lines differ from the CPU engine's, 0 of them in the score; the first is line 7\n",
		"FAILED\tbatches\tsecond, -b 16M\texit code 1: wfagpu: error: no 16M (align ",
		"RESULT\tsmall\t50k x 10 kbp\t--device cpu\t",
		"RESULT\tbatches\tsecond\t-b 64M\t",
		"RESULT\tpair-of-processes\tsecond\ttwo at once / one after the other\t",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	for _, wrong := range []string{"5M x 150 bp\tauto / the faster", "slowest / fastest"} {
		if strings.Contains(text, wrong) {
			t.Errorf("%s is given without one of its times", wrong)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
