package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file that may not grow stands for a full disk. What it held is kept, and the
// message says where the new results lie.
func TestFullDiskOverOldFile(t *testing.T) {
	for name, tc := range map[string]struct{ before, command, pattern string }{
		"align":    {"wfagpu generate -n 20000 > pairs.seq; ", "wfagpu align --quiet --device cpu -b 30K pairs.seq", "out.tsv.partial-*"},
		"gzip":     {"wfagpu generate -n 20000 > pairs.seq; ", "wfagpu align --quiet --device cpu -b 30K pairs.seq", "out.tsv.partial-*.gz"},
		"generate": {"", "wfagpu generate -n 20000", "out.tsv.partial-*"},
	} {
		t.Run(name, func(t *testing.T) {
			out := "out.tsv"
			if name == "gzip" {
				out += ".gz"
			}
			dir := t.TempDir()
			writeFiles(t, map[string]string{filepath.Join(dir, out): "old\n"})
			limit := "ulimit -f 100" // blocks of 512 or 1024 bytes
			if name == "generate" {
				limit = "ulimit -f 3000" // it writes pieces of 1 MB
			}
			code, stderr := shell(t, dir, tc.before+limit+"; "+tc.command+" -o "+out)
			if code != exitFailed || strings.Count(stderr, "\n") != 2 {
				t.Errorf("exit code %d, stderr %q", code, stderr)
			}
			expectMessage(t, stderr, "file too large")
			expectContent(t, filepath.Join(dir, out), "old\n")
			kept, err := filepath.Glob(filepath.Join(dir, tc.pattern))
			if err != nil || len(kept) != 1 {
				t.Fatalf("partial results: %q, %v", kept, err)
			}
			hint := "wfagpu: hint: " + out + " is unchanged; " + filepath.Base(kept[0]) + " has what was written before the error\n"
			if !strings.HasSuffix(stderr, hint) {
				t.Errorf("stderr %q, want %q", stderr, hint)
			}
			if text := readFile(t, kept[0]); name != "gzip" && (text == "" || !strings.HasSuffix(text, "\n")) {
				t.Errorf("the partial results end in half a line")
			}
		})
	}
}

// The message of a run that stops in the middle says where its results are.
func TestPartialResultsAreNamed(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.seq")
	out := filepath.Join(dir, "out.tsv")
	writeFiles(t, map[string]string{bad: pair + "nonsense\n", out: "old\n"})
	got := runOn(t, noGPUs, "", "align", "--quiet", "-o", out, bad)
	if got.code != exitInput || !strings.HasSuffix(got.stderr, "\nwfagpu: hint: "+out+" has what was written before the error\n") {
		t.Errorf("%+v", got)
	}
	expectContent(t, out, pairLine)
	expectFiles(t, dir, "bad.seq", "out.tsv")
	writeFiles(t, map[string]string{bad: "nonsense\n"})
	if got := runOn(t, noGPUs, "", "align", "--quiet", "-o", out, bad); got.code != exitInput || strings.Contains(got.stderr, "hint") {
		t.Errorf("%+v", got)
	}
	expectContent(t, out, pairLine)
}

// Statistics replace a file, and never half of it.
func TestStatsOverOldFile(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, map[string]string{filepath.Join(dir, "pairs.seq"): pair, filepath.Join(dir, "stats.json"): "old\n"})
	code, stderr := shell(t, dir, "ulimit -f 0; wfagpu align --quiet --stats stats.json pairs.seq >/dev/null")
	if code != exitFailed || !strings.Contains(stderr, "--stats: ") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	expectContent(t, filepath.Join(dir, "stats.json"), "old\n")
	expectFiles(t, dir, "pairs.seq", "stats.json")
}

// What the shell has made of the standard streams.
func TestRedirections(t *testing.T) {
	for _, tc := range []struct {
		script string
		code   int
		stderr string // "" for none
	}{
		{"wfagpu align --quiet good.seq -o out >&-; s=$?; rm out; exit $s", 0, ""},
		{"wfagpu generate -n 1 -q q -t t >&-; s=$?; rm q t; exit $s", 0, ""},
		{"wfagpu align --quiet good.seq > /dev/null", 0, ""},
		{"wfagpu align --quiet - -o good.seq < good.seq", 2, "--output good.seq would overwrite an input file"},
		{"wfagpu align --quiet -o good.seq < good.seq", 2, "--output good.seq would overwrite an input file"},
		{"wfagpu align --quiet -q - -t t --stats good.seq < good.seq", 2, "--stats good.seq would overwrite an input file"},
		{"wfagpu align --quiet - --log-file good.seq < good.seq", 2, "--log-file good.seq would overwrite an input file"},
		{"wfagpu align --quiet good.seq >> good.seq", 2, "standard output would overwrite an input file"},
		{"wfagpu align --quiet - < good.seq >> good.seq", 2, "standard output would overwrite an input file"},
		{"wfagpu align --quiet good.seq -o /dev/stdout >> good.seq", 2, "--output /dev/stdout would overwrite an input file"},
		{"mkfifo f; wfagpu align --quiet f -o f; s=$?; rm f; exit $s", 2, "--output f would overwrite an input file"},
		{"wfagpu align --quiet good.seq --stats s > s; x=$?; rm s; exit $x", 2, "standard output and --stats name the same file s"},
		{"wfagpu align --quiet good.seq -o /dev/null --stats /dev/null < /dev/null > /dev/null", 0, ""},
		{"wfagpu align --quiet good.seq -o ''", 2, "--output wants the name of a file, and it is empty"},
		{"wfagpu align --quiet good.seq --stats ''", 2, "--stats wants the name of a file, and it is empty"},
		{"wfagpu align --quiet good.seq --log-file=", 2, "--log-file wants the name of a file, and it is empty"},
		{"wfagpu generate -o ''", 2, "--output wants the name of a file, and it is empty"},
		{"wfagpu generate -q '' -t ''", 2, "--query wants the name of a file, and it is empty"},
	} {
		t.Run(tc.script, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, map[string]string{filepath.Join(dir, "good.seq"): pair})
			code, stderr := shell(t, dir, tc.script)
			if code != tc.code || tc.stderr == "" && stderr != "" {
				t.Errorf("exit code %d, want %d; %s", code, tc.code, stderr)
			}
			if tc.stderr != "" {
				expectMessage(t, stderr, tc.stderr)
			}
			expectContent(t, filepath.Join(dir, "good.seq"), pair)
			expectFiles(t, dir, "good.seq")
		})
	}
}

// A process that has one pipe as input and output would wait for itself.
func TestPipeToItself(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	cmd := exec.Command("wfagpu", "align", "--quiet", "-")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, w, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	expectExit(t, cmd, exitUsage)
	expectMessage(t, stderr.String(), "standard output would overwrite an input file")
}
