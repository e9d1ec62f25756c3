package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"wfagpu/cigar"
	"wfagpu/cmd/wfagpu/internal/page/pagetest"
	"wfagpu/gpu/hybrid/hybridtest"
)

// readPage is the page of --report.
func readPage(t *testing.T, path string) *pagetest.Page {
	t.Helper()
	return pagetest.Parse(t, []byte(readFile(t, path)))
}

// cell is a number of a table of a page, -1 if the row or the table is not there.
func cell(t *testing.T, p *pagetest.Page, table, row string) int64 {
	t.Helper()
	for _, cells := range p.Tables[table] {
		if cells[0] == row {
			n, err := strconv.ParseInt(strings.ReplaceAll(cells[1], ",", ""), 10, 64)
			if err != nil {
				t.Errorf("%s, %s: %v", table, row, err)
			}
			return n
		}
	}
	return -1
}

// The figures of a page are those of --stats, and of the lines of results, whatever the
// batches, the style of the CIGARs and the device.
func TestPageFigures(t *testing.T) {
	dir := t.TempDir()
	pairs := filepath.Join(dir, "pairs.seq")
	wfagpu(t, "generate", "-n", "700", "-l", "300", "-e", "0.05", "--n-rate", "0.001", "-o", pairs)
	plain := runOn(t, noGPUs, "", "align", "--quiet", pairs)
	columns := map[cigar.Op]int64{}
	gaps := map[cigar.Op]int64{}
	for line := range strings.Lines(plain.stdout) {
		c, err := cigar.Parse(strings.Fields(line)[3])
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range c {
			columns[e.Op()] += int64(e.Len())
			gaps[e.Op()]++
		}
	}
	for name, args := range map[string][]string{
		"default": {"--header"},
		"batches": {"-b", "1K", "-j", "2", "--host-memory", "1M"},
		"classic": {"--cigar-style", "classic"},
		"check":   {"--check"},
		"GPUs":    {"--device", "gpu", "-b", "10K"},
	} {
		t.Run(name, func(t *testing.T) {
			machine := noGPUs
			if name == "GPUs" {
				machine = hybridtest.NewMachine(&hybridtest.GPU{Name: "A"}, &hybridtest.GPU{Name: "<B>"})
			}
			file, stats := filepath.Join(t.TempDir(), "page.html"), filepath.Join(t.TempDir(), "stats.json")
			args := append([]string{"align", "--report", file, "--stats", stats, pairs}, args...)
			if got := runOn(t, machine, "", args...); got.code != exitOK {
				t.Fatal(got.stderr)
			}
			p, s := readPage(t, file), readReport(t, stats)
			if s.Pairs != 700 || cell(t, p, "What became of the pairs", "with a score") != s.Pairs || p.Figures["Pairs"] != "700" ||
				p.Figures["Limited by"] != s.Time.Limit || p.Title != "pairs.seq" {
				t.Errorf("%d pairs, limited by %s; the page says %q, %v", s.Pairs, s.Time.Limit, p.Figures, p.Tables["What became of the pairs"])
			}
			for row, op := range map[string]cigar.Op{
				"match (=)": cigar.Match, "mismatch (X)": cigar.Mismatch,
				"insertion (I), in the query alone": cigar.Ins, "deletion (D), in the target alone": cigar.Del,
			} {
				if got := cell(t, p, "Columns of all alignments", row); got != columns[op] || got == 0 {
					t.Errorf("%s: %d columns, want %d", row, got, columns[op])
				}
			}
			for title, op := range map[string]cigar.Op{
				"Insertions: bases of the query alone": cigar.Ins, "Deletions: bases of the target alone": cigar.Del,
			} {
				var sum int64
				for _, row := range p.Tables[title] {
					sum += cell(t, p, title, row[0])
				}
				if sum != gaps[op] {
					t.Errorf("%s: %d, want %d", title, sum, gaps[op])
				}
			}
			cpu := cell(t, p, "Pairs of every device", fmt.Sprintf("CPU, %s, %s", s.Engines.CPU.Level, count(int64(s.Engines.CPU.Threads), "thread")))
			if cpu != s.Engines.CPU.Pairs {
				t.Errorf("%d pairs of the CPU, want %d; %v", cpu, s.Engines.CPU.Pairs, p.Tables["Pairs of every device"])
			}
			for i, g := range s.Engines.GPU {
				if got := cell(t, p, "Pairs of every device", fmt.Sprintf("GPU %d, %s", i, g.Name)); got != g.Pairs {
					t.Errorf("%d pairs of GPU %d, want %d; %v", got, i, g.Pairs, p.Tables["Pairs of every device"])
				}
			}
			if len(s.Engines.GPU) != len(machine.GPUs) {
				t.Errorf("%d GPUs", len(s.Engines.GPU))
			}
		})
	}
}

// Pairs without a score or an alignment are told apart.
func TestPageWithoutAlignments(t *testing.T) {
	dir := t.TempDir()
	pairs, file, stats := filepath.Join(dir, "pairs.seq"), filepath.Join(dir, "page.html"), filepath.Join(dir, "stats.json")
	wfagpu(t, "generate", "-n", "300", "-l", "200", "-e", "0.05", "-o", pairs)
	got := runOn(t, noGPUs, "", "align", "--quiet", "--score-only", "--max-distance", "30", "--report", file, "--stats", stats, pairs)
	p, s := readPage(t, file), readReport(t, stats)
	if got.code != exitOK || s.Beyond == 0 || s.Beyond == s.Pairs {
		t.Fatalf("%+v, %d of %d beyond", got, s.Beyond, s.Pairs)
	}
	if n := cell(t, p, "What became of the pairs", "score above 30 (--max-distance)"); n != s.Beyond {
		t.Errorf("%d pairs beyond, want %d", n, s.Beyond)
	}
	if n := cell(t, p, "What became of the pairs", "with a score"); n != s.Pairs-s.Beyond {
		t.Errorf("%d pairs with a score, want %d", n, s.Pairs-s.Beyond)
	}
	if _, known := p.Figures["Identity"]; known || !strings.Contains(readFile(t, file), "Identities are not known: with --score-only") {
		t.Errorf("figures %q", p.Figures)
	}
	if len(p.Charts) != 4 { // scores, two of lengths, time
		t.Errorf("charts %q", p.Charts)
	}
	if got := runOn(t, noGPUs, "", "align", "--quiet", "--report", file, "-"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if p := readPage(t, file); p.Figures["Pairs"] != "0" || p.Title != "standard input" {
		t.Errorf("%+v", p)
	}
}

func TestPageRecall(t *testing.T) {
	dir := t.TempDir()
	file, stats := filepath.Join(dir, "page.html"), filepath.Join(dir, "stats.json")
	got := runOn(t, noGPUs, "", "align", "--quiet", "--mode", "approx", "--band", "9", "--recall", "-o", filepath.Join(dir, "out"),
		"--report", file, "--stats", stats, filepath.Join(datasets(t), "long.seq"))
	if got.code != exitOK {
		t.Fatal(got.stderr)
	}
	p, r := readPage(t, file), readReport(t, stats).Approx.Recall
	if r.Optimal == r.Pairs {
		t.Fatalf("all %d scores are optimal", r.Pairs)
	}
	var sum int64
	const title = "Excess of the scores that are not optimal"
	for _, row := range p.Tables[title] {
		sum += cell(t, p, title, row[0])
	}
	if sum != r.Pairs-r.Optimal || p.Figures["Recall"] == "" {
		t.Errorf("%d pairs are not optimal, want %d; figures %q", sum, r.Pairs-r.Optimal, p.Figures)
	}
}

// Names and the command line are shown as they are, without control characters.
func TestPageNames(t *testing.T) {
	dir := t.TempDir()
	input := filepath.Join(dir, "<b>\x1b[31m\"'&\n\xff.seq")
	if err := os.WriteFile(input, []byte(pair), 0o666); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(dir, "page.html")
	if got := runOn(t, noGPUs, "", "align", "--quiet", "--report", file, input); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	p := readPage(t, file)
	if want := `<b>\x1b[31m"'&\x0a\xff.seq`; p.Title != want {
		t.Errorf("title %q, want %q", p.Title, want)
	}
	for _, want := range []string{"wfagpu align --quiet --report ", `<b>\x1b[31m`, `\n`, `\xff`} {
		if !strings.Contains(p.Command, want) {
			t.Errorf("command %q lacks %q", p.Command, want)
		}
	}
	for _, r := range p.Command {
		if r < ' ' {
			t.Errorf("command %q", p.Command)
		}
	}
	if got := commandLine([]string{"align", "a b.seq", "it's", "-g", "2,3,1", ""}); got != `wfagpu align 'a b.seq' "it's" -g 2,3,1 ''` {
		t.Errorf("command %s", got)
	}
}

// A run that ends early has a page of what it has written.
func TestPageOfFailedRuns(t *testing.T) {
	dir := t.TempDir()
	bad, file, stats := filepath.Join(dir, "bad.seq"), filepath.Join(dir, "page.html"), filepath.Join(dir, "stats.json")
	writeFiles(t, map[string]string{bad: pair + "<nonsense>\n"})
	got := runOn(t, noGPUs, "", "align", "--quiet", "--report", file, bad)
	p := readPage(t, file)
	if got.code != exitInput || p.Figures["Pairs"] != "1" || len(p.Alerts) != 1 || !strings.Contains(p.Alerts[0], "exit code 3: "+bad+":3: record 2: ") {
		t.Errorf("%+v, %q", got, p)
	}

	out := filepath.Join(dir, "out.tsv")
	cmd, stderr := startFed(t, out, "align", "-b", "20K", "-o", out, "--report", file, "--stats", stats, "-")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	expectExit(t, cmd, 130)
	p = readPage(t, file)
	lines := int64(strings.Count(readFile(t, out), "\n"))
	if n := cell(t, p, "What became of the pairs", "with a score"); n != lines || n != readReport(t, stats).Pairs || n == 0 {
		t.Errorf("%d pairs on the page, %d lines", n, lines)
	}
	if len(p.Alerts) != 1 || !strings.Contains(p.Alerts[0], "exit code 130: stopped by signal: interrupt") {
		t.Errorf("alerts %q, stderr %s", p.Alerts, stderr)
	}

	// A run that does not start has none.
	none := filepath.Join(dir, "none.html")
	if got := runOn(t, noGPUs, "", "align", "--quiet", "--report", none, filepath.Join(dir, "missing.seq")); got.code != exitInput {
		t.Errorf("%+v", got)
	}
	expectFiles(t, dir, "bad.seq", "out.tsv", "page.html", "stats.json")
}

// The page is written like the statistics: whole or not at all, and into no other file of
// the run.
func TestPageFile(t *testing.T) {
	for _, tc := range []struct {
		script string
		code   int
		stderr string
	}{
		{"wfagpu align --quiet good.seq --report ''", 2, "--report wants the name of a file, and it is empty"},
		{"wfagpu align --quiet good.seq --report -", 2, "want the name of a file, not -"},
		{"wfagpu align --quiet good.seq --report none/page.html", 2, "--report: none/page.html: there is no directory none"},
		{"wfagpu align --quiet good.seq --report good.seq", 2, "--report good.seq would overwrite an input file"},
		{"wfagpu align --quiet good.seq --report old.html --stats ./old.html", 2, "--stats and --report name the same file old.html"},
		{"wfagpu align --quiet good.seq --report old.html -o old.html", 2, "--output and --report name the same file old.html"},
		{"wfagpu align --quiet good.seq --report old.html --log-file old.html", 2, "--report and --log-file name the same file old.html"},
		{"ulimit -f 0; wfagpu align --quiet good.seq --report old.html > /dev/null", 1, "--report: "},
		{"wfagpu align --quiet good.seq --report /dev/full > /dev/null", 1, "--report: write /dev/full: no space left on device"},
	} {
		t.Run(tc.script, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, map[string]string{filepath.Join(dir, "good.seq"): pair, filepath.Join(dir, "old.html"): "old\n"})
			code, stderr := shell(t, dir, tc.script)
			if code != tc.code || strings.Count(stderr, "error: ") != 1 {
				t.Errorf("exit code %d, want %d; %s", code, tc.code, stderr)
			}
			expectMessage(t, stderr, tc.stderr)
			expectContent(t, filepath.Join(dir, "good.seq"), pair)
			expectContent(t, filepath.Join(dir, "old.html"), "old\n")
			expectFiles(t, dir, "good.seq", "old.html")
		})
	}
}

// The statistics of a run whose page could not be written say so, and an error before
// it has precedence.
func TestPageFailureInStats(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, map[string]string{filepath.Join(dir, "bad.seq"): pair + "nonsense\n", filepath.Join(dir, "good.seq"): pair})
	for input, want := range map[string]int{"good.seq": exitFailed, "bad.seq": exitInput} {
		code, stderr := shell(t, dir, "wfagpu align --quiet --report /dev/full --stats stats.json -o /dev/null "+input)
		var s report
		if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, "stats.json"))), &s); err != nil {
			t.Fatal(err)
		}
		if code != want || s.ExitCode != want || s.Error == "" || !strings.Contains(stderr, "--report: write /dev/full") {
			t.Errorf("%s: exit code %d, in the statistics %d, %q; %s", input, code, s.ExitCode, s.Error, stderr)
		}
	}
}
