package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/cigar"
)

var update = flag.Bool("update", false, "rewrite the expected results in datasets/")

// wfagpu runs a command that must succeed and returns its standard output.
func wfagpu(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, streams{strings.NewReader(""), &stdout, &stderr}); code != exitOK {
		t.Fatalf("wfagpu %s: exit code %d\n%s", strings.Join(args, " "), code, &stderr)
	}
	return stdout.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The committed pairs give the committed results, on every code path and in
// both input formats.
func TestSamples(t *testing.T) {
	dir := datasets(t)
	for _, name := range []string{"small", "long"} {
		pairs := filepath.Join(dir, name+".seq")
		expected := filepath.Join(dir, name+".expected.tsv")
		got := wfagpu(t, "align", "--check", pairs)
		if *update {
			if err := os.WriteFile(expected, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want := readFile(t, expected)
		expectOptimal(t, name, readFile(t, pairs), want)
		if got != want {
			t.Errorf("%s: results differ from %s", name, expected)
		}
		for _, level := range align.Levels() {
			if wfagpu(t, "align", "--cpu-level", string(level), pairs) != want {
				t.Errorf("%s: code path %s gives other results", name, level)
			}
		}
	}
	fasta := wfagpu(t, "align", "-q", filepath.Join(dir, "small.query.fa"), "-t", filepath.Join(dir, "small.target.fa"))
	if fasta != readFile(t, filepath.Join(dir, "small.expected.tsv")) {
		t.Error("small.query.fa and small.target.fa give other results than small.seq")
	}
}

// expectOptimal checks result lines against an aligner that shares no code
// with the engine.
func expectOptimal(t *testing.T, name, pairs, results string) {
	t.Helper()
	p := align.DefaultPenalties
	lines := strings.Split(strings.TrimSuffix(pairs, "\n"), "\n")
	rows := strings.Split(strings.TrimSuffix(results, "\n"), "\n")
	if len(lines) != 2*len(rows) {
		t.Fatalf("%s: %d results for %d lines of pairs", name, len(rows), len(lines))
	}
	for i, row := range rows {
		query, target := []byte(lines[2*i][1:]), []byte(lines[2*i+1][1:])
		column := strings.Split(row, "\t")
		if len(column) != 4 || column[0] != strconv.Itoa(i+1) || column[1] != column[0] {
			t.Fatalf("%s: malformed row %q", name, row)
		}
		best, _ := aligntest.Gotoh(query, target, p)
		if column[2] != strconv.Itoa(best) {
			t.Errorf("%s: pair %d: score %s, the optimum is %d", name, i+1, column[2], best)
		}
		c, err := cigar.Parse(column[3])
		if err != nil {
			t.Errorf("%s: pair %d: %v", name, i+1, err)
			continue
		}
		if err := aligntest.Check(query, target, p, align.Result{Score: best, CIGAR: c}); err != nil {
			t.Errorf("%s: pair %d: %v", name, i+1, err)
		}
	}
}

// The samples are what generate gives, so that anybody can make more of them.
func TestSamplesAreGenerated(t *testing.T) {
	dir, made := datasets(t), t.TempDir()
	small := []string{"generate", "-n", "300", "-l", "150", "-e", "0.05", "--n-rate", "0.001", "--seed", "1"}
	at := func(name string) string { return filepath.Join(made, name) }
	wfagpu(t, append(small, "-o", at("small.seq"))...)
	wfagpu(t, append(small, "-q", at("small.query.fa"), "-t", at("small.target.fa"))...)
	wfagpu(t, "generate", "-n", "4", "-l", "2000", "-e", "0.1", "--model", "bursts", "--seed", "1", "-o", at("long.seq"))
	for _, name := range []string{"small.seq", "small.query.fa", "small.target.fa", "long.seq"} {
		if readFile(t, at(name)) != readFile(t, filepath.Join(dir, name)) {
			t.Errorf("%s differs from the committed file", name)
		}
	}
}
