package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/recall"
	"wfagpu/scripts/internal/sets"
)

// The whole of `bench paper` with no peers, on simulated and on given pairs.
func TestPaper(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../..") // where scripts/chart is found
	given := sets.Set{Options: simulate.Options{Length: 60, ErrorRate: 0.1, Seed: 5}, Count: 30}
	batch, err := given.Batch()
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "illumina_150_given.seq")
	if err := sets.Write(data, batch.Pairs); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("before\n<!-- begin x -->\nold\n<!-- end x -->\nafter\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err = runPaper(t.Context(), []string{
		"-dir", filepath.Join(dir, "build"), "-tools", "-", "-gpu", "off", "-sets", "150 bp 5", "-data", data,
		"-seconds", "0.001", "-check", "0.01", "-rounds", "1", "-letters", "20000", "-threads", "2",
		"-page", page, "-section", "x", "-command", "this test",
	})
	if err != nil {
		t.Fatal(err)
	}
	results, err := os.ReadFile(filepath.Join(dir, "build", "paper", "results.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(results), "\n"), "\n")
	// Two sets, two numbers of threads, four modes.
	if want := 1 + 2*2*4; len(lines) != want {
		t.Errorf("%d lines of results, want %d:\n%s", len(lines), want, results)
	}
	columns := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) != len(columns) {
			t.Fatalf("%d fields, %d columns: %q", len(fields), len(columns), line)
		}
		at := map[string]string{}
		for i, name := range columns {
			at[name] = fields[i]
		}
		if at["invalid"] != "0" || at["failure"] != "" || at["mode"] == "exact" && at["recall_pct"] != "100.000" {
			t.Errorf("result %v", at)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"before\n", "after\n", "    this test\n", "150 bp 5 %", "illumina_150_given", "100,000,000", "plots/x-real.svg", "WFA-GPU"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if strings.Contains(string(text), "old") {
		t.Error("the section keeps what it had")
	}
	if _, err := os.Stat(filepath.Join(dir, "plots", "x-simulated.svg")); err != nil {
		t.Error(err)
	}
}

func TestReplaceSection(t *testing.T) {
	page := "a\n<!-- begin one -->\n1\n<!-- end one -->\nb\n<!-- begin two -->\n2\n<!-- end two -->\n"
	got, err := replaceSection(page, "two", "new\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "a\n<!-- begin one -->\n1\n<!-- end one -->\nb\n<!-- begin two -->\n\nnew\n\n<!-- end two -->\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := replaceSection(page, "three", "new"); err == nil {
		t.Error("a section that is not there is replaced")
	}
}

func TestRecallCell(t *testing.T) {
	tests := []struct {
		tally recall.Tally
		want  string
	}{
		{recall.Tally{Checked: 5000, Optimal: 5000}, "100"},
		{recall.Tally{Checked: 5000, Optimal: 4999}, "99.9"},
		{recall.Tally{Checked: 4, Optimal: 4}, "100 (4)"},
		{recall.Tally{Checked: 200, Optimal: 100, Invalid: 3}, "50.0, 3 invalid"},
		{recall.Tally{}, "n/c"},
	}
	for _, test := range tests {
		if got := recallCell(&row{tally: test.tally}); got != test.want {
			t.Errorf("%+v is %q, want %q", test.tally, got, test.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{0: "n/a", 0.01234: "0.0123", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234567: "1,234,567"} {
		if got := figures(v); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 100: "100", 99.99: "99.9", 0.004: "<0.01", 0.456: "0.46"} {
		if got := percent(v); got != want {
			t.Errorf("%g %% is %q, want %q", v, got, want)
		}
	}
}

// A sample is the first pairs, no more letters than allowed, with its optima.
func TestChoose(t *testing.T) {
	size := trialSize{letters: 5000, seconds: 10}
	tr, err := simulated(sets.Set{Options: simulate.Options{Length: 100, ErrorRate: 0.05, Seed: 1}}, size, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.choose(t.Context(), t.TempDir(), align.DefaultPenalties, size); err != nil {
		t.Fatal(err)
	}
	if n := len(tr.sample.Pairs); n != len(tr.pairs) || n != 24 || len(tr.sample.Results) != n {
		t.Errorf("a sample of %d pairs with %d results, of %d pairs", n, len(tr.sample.Results), len(tr.pairs))
	}
	if tr.maxScore <= 0 || tr.meanLength() != 100 {
		t.Errorf("maximal score %d, mean length %d", tr.maxScore, tr.meanLength())
	}
	file, err := sets.Read(tr.file, 0)
	if err != nil || len(file.Pairs) != len(tr.sample.Pairs) {
		t.Errorf("the file has %d pairs, %v", len(file.Pairs), err)
	}
}

// A fault of this program ends the run, one of a peer does not.
func TestFaults(t *testing.T) {
	bad := func(ours bool, m mode, tally recall.Tally) error {
		r := &row{tool: "x", ours: ours, mode: m}
		r.check = func(context.Context) (recall.Tally, error) { return tally, nil }
		return run(t.Context(), []*row{r}, 0)
	}
	some := recall.Tally{Checked: 10, Optimal: 9}
	invalid := recall.Tally{Checked: 10, Optimal: 9, Invalid: 1}
	if bad(true, exactCIGAR, some) == nil || bad(true, approxCIGAR, invalid) == nil {
		t.Error("this program's faults pass")
	}
	if err := errors.Join(bad(true, approxCIGAR, some), bad(false, exactCIGAR, some), bad(false, exactCIGAR, invalid)); err != nil {
		t.Error(err)
	}
}

// The tables of eWFA-GPU's paper: its sets, by edit distance, beside what it has published.
func TestEditPaper(t *testing.T) {
	dir := t.TempDir()
	run := func(more ...string) error {
		return runPaper(t.Context(), append([]string{
			"-of", "ewfa-gpu", "-dir", dir, "-tools", "-", "-gpu", "off", "-sets", "300 bp", "-no-plots",
			"-seconds", "0.001", "-check", "0.01", "-rounds", "1", "-letters", "20000", "-threads", "1",
		}, more...))
	}
	if err := run("-penalties", "2,3,1"); err == nil || !strings.Contains(err.Error(), "edit distance") {
		t.Errorf("other penalties: %v", err)
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	results, err := os.ReadFile(filepath.Join(dir, "ewfa", "results.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	// Three sets, two modes.
	if got, want := strings.Count(string(results), "\n"), 1+3*2; got != want {
		t.Errorf("%d lines of results, want %d:\n%s", got, want, results)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ewfa", "tables.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Penalties 1,0,1", "300 bp 2 %", "300 bp 10 %", "10,000,000", "| CPU | Edlib | 31 to 265 |", "up to 56.2"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the tables lack %q:\n%s", part, text)
		}
	}
}
