package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

// bandmapRun is `bench bandmap` with these flags on one small set of pairs, and
// returns the lines of a file that it writes, and the page.
func bandmapRun(t *testing.T, length int, file string, flags ...string) (lines []string, page string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir("../..") // where scripts/chart is found
	given := sets.Set{Options: simulate.Options{Length: length, ErrorRate: 0.1, Seed: 5}, Count: 10}
	data, err := given.File(dir)
	if err != nil {
		t.Fatal(err)
	}
	pageFile := filepath.Join(dir, "page.md")
	if err := os.WriteFile(pageFile, []byte("<!-- begin x -->\n<!-- end x -->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-dir", dir, "-out", filepath.Join(dir, "out"), "-simulated=false", "-device", "cpu", "-seconds", "0.0001", "-threads", "2",
		"-page", pageFile, "-section", "x"}
	for _, flag := range flags {
		args = append(args, strings.NewReplacer("FILE", data, "DIR", dir).Replace(flag))
	}
	if err := runBandmap(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out", file))
	if err != nil {
		t.Fatal(err)
	}
	shown, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range strings.Split(string(shown), "](")[1:] {
		link, _, _ = strings.Cut(link, ")")
		if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "out", strings.TrimPrefix(strings.TrimSuffix(link, "svg"), "plots/x-")+"png")); err != nil {
			t.Error(err)
		}
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), string(shown)
}

func TestBandmap(t *testing.T) {
	lines, page := bandmapRun(t, 100, "bandmap.tsv", "-data", "FILE")
	if want := 1 + len(bands)*len(lambdas); len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	fields := strings.Count(lines[0], "\t")
	for _, line := range lines {
		if strings.Count(line, "\t") != fields {
			t.Errorf("the line %q has not the columns of %q", line, lines[0])
		}
	}
	// Bands of 1,024 diagonals hold the whole matrix, and with the automatic band
	// pairs as short as these are aligned exactly.
	for _, row := range []string{"| 1024 |", "| auto |"} {
		if !strings.Contains(page, row+strings.Repeat(" 100 |", len(lambdas))) {
			t.Errorf("the recall of %q is not 100", row)
		}
	}
	if n := strings.Count(page, "]("); n != 2 {
		t.Errorf("%d pictures on the page, want two", n)
	}
}

func TestBandmapScores(t *testing.T) {
	bandmapRun(t, 600, "bandmap.tsv", "-data", "FILE", "-score-only", "-pairs", "3")
}

func TestBandmapRules(t *testing.T) {
	lines, page := bandmapRun(t, 300, "rules.tsv", "-data", "FILE", "-rules")
	if want := 1 + 2*(len(bands)-1); len(lines) != want {
		t.Errorf("%d lines, want %d", len(lines), want)
	}
	if !strings.Contains(page, "| 1024 | 100 | 100 | 0 | 0 | 0 | 0 |") {
		t.Errorf("bands over the whole matrix miss optima:\n%s", page)
	}
}

func TestBandmapRecallOf(t *testing.T) {
	lines, page := bandmapRun(t, 700, "recall.tsv", "-recall-of", "DIR", "-pairs", "4")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "pairs-700-") || !strings.Contains(page, " | 4 | 700 | 100 | 0 | 0 |") {
		t.Errorf("lines %q, page\n%s", lines, page)
	}
}

func TestBandmapFlags(t *testing.T) {
	for _, args := range [][]string{{"-device", "tpu"}, {"-rules", "-recall-of", "."}, {"more"}} {
		if err := runBandmap(t.Context(), append(args, "-dir", t.TempDir())); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
