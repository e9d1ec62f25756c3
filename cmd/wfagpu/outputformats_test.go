package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// TestPAF: names, places, tags; a pair beyond the cutoff has no line, and one without columns
// neither.
func TestPAF(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"q.fq": readsFastq, "t.fa": targetsFa, "p.seq": ">ACGTACGTAC\n<ACGTAAC\n>\n<\n>AC\n<\n"})
	const (
		r1 = "r1\t10\t0\t10\t+\tt1\t7\t0\t7\t7\t10\t255\tNM:i:3\tAS:i:-6\tde:f:0.1250\tcg:Z:5=3I2="
		r2 = "r2\t4\t0\t4\t+\tt2\t4\t0\t4\t3\t4\t255\tNM:i:1\tAS:i:-2\tde:f:0.2500\tcg:Z:1=1X2="
		r3 = "r3\t5\t0\t5\t+\tt1\t7\t0\t7\t3\t7\t255\tNM:i:4\tAS:i:-9\tde:f:0.5000\tcg:Z:3=2D2X"
	)
	for _, tc := range []struct{ args, want string }{
		{"-q q.fq -t t.fa", r1 + "\n" + r2 + "\n" + r3 + "\n"},
		{"-q q.fq -t t.fa --cs", r1 + "\tcs:Z::5+cgt:2\n" + r2 + "\tcs:Z::1*gc:2\n" + r3 + "\tcs:Z::3-ta*an*ct\n"},
		{"-q q.fq -t t.fa --max-distance 5", r2 + "\n"},
		{"-q q.fq -t t.fa --min-identity 70%", r1 + "\n" + r2 + "\n"},
		{"--cigar-style classic p.seq", "1\t10\t0\t10\t+\t1\t7\t0\t7\t7\t10\t255\tNM:i:3\tAS:i:-6\tde:f:0.1250\tcg:Z:5M3I2M\n" +
			"3\t2\t0\t2\t+\t3\t0\t0\t0\t0\t2\t255\tNM:i:2\tAS:i:-5\tde:f:1.0000\tcg:Z:2I\n"},
	} {
		got := runOn(t, noGPUs, "", append([]string{"align", "--check", "-O", "paf"}, strings.Fields(tc.args)...)...)
		if got.code != exitOK || got.stdout != tc.want {
			t.Errorf("%s: exit code %d, %s\n got %q\nwant %q", tc.args, got.code, got.stderr, got.stdout, tc.want)
		}
	}
	writeFiles(t, map[string]string{"star.seq": ">ACGT\n<ACGT\n>MK*\n<MK\n"})
	got := runOn(t, noGPUs, "", "align", "-O", "paf", "--cs", "star.seq")
	if got.code != exitInput || strings.Count(got.stdout, "\n") != 1 || !strings.Contains(got.stderr, "star.seq:3: record 2: the letter '*' has no place in a cs tag") {
		t.Errorf("a star: exit code %d, %q, %s", got.code, got.stdout, got.stderr)
	}
}

// TestColumns: --columns in any order, --coordinates, and the header of both.
func TestColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"q.fq": readsFastq, "t.fa": targetsFa, "p.seq": ">ACGTACGTAC\n<ACGTAAC\n>\n<\n"})
	all := columnNames()
	for _, tc := range []struct{ args, want string }{
		{"-q q.fq -t t.fa --coordinates", "query_name\ttarget_name\tscore\tcigar\tquery_start\tquery_end\ttarget_start\ttarget_end\n" +
			"r1\tt1\t6\t5=3I2=\t0\t10\t0\t7\nr2\tt2\t2\t1=1X2=\t0\t4\t0\t4\nr3\tt1\t9\t3=2D2X\t0\t5\t0\t7\n"},
		{"-q q.fq -t t.fa --coordinates --score-only", "query_name\ttarget_name\tscore\tquery_start\tquery_end\ttarget_start\ttarget_end\n" +
			"r1\tt1\t6\t0\t10\t0\t7\nr2\tt2\t2\t0\t4\t0\t4\nr3\tt1\t9\t0\t5\t0\t7\n"},
		{"-q q.fq -t t.fa --columns score,query_name", "score\tquery_name\n6\tr1\n2\tr2\n9\tr3\n"},
		{"-q q.fq -t t.fa --columns score,strand,target_length --score-only", "score\tstrand\ttarget_length\n6\t+\t7\n2\t+\t4\n9\t+\t7\n"},
		{"p.seq --columns " + strings.ReplaceAll(all, " ", ""), strings.ReplaceAll(all, ", ", "\t") + "\n" +
			"1\t1\t10\t7\t0\t10\t0\t7\t+\t6\t0.700000\t7\t0\t1\t3\t5=3I2=\t:5+cgt:2\n" +
			"2\t2\t0\t0\t0\t0\t0\t0\t+\t0\t*\t0\t0\t0\t0\t*\t*\n"},
		{"p.seq --max-distance 1 --columns query_name,query_length,query_end,strand,score,identity,gaps,cigar,cs",
			"query_name\tquery_length\tquery_end\tstrand\tscore\tidentity\tgaps\tcigar\tcs\n1\t10\t*\t+\t-1\t*\t*\t*\t*\n2\t0\t0\t+\t0\t*\t0\t*\t*\n"},
	} {
		got := runOn(t, noGPUs, "", append([]string{"align", "--header"}, strings.Fields(tc.args)...)...)
		if got.code != exitOK || got.stdout != tc.want {
			t.Errorf("%s: exit code %d, %s\n got %q\nwant %q", tc.args, got.code, got.stderr, got.stdout, tc.want)
		}
	}
}

// TestFilters: pairs that fail are left out and counted, and what equals a bound is kept.
func TestFilters(t *testing.T) {
	t.Chdir(t.TempDir())
	// Scores 0, 2, 6 and 9; identities 1, 3/4, 7/10 and 3/7; the last has none.
	writeFiles(t, map[string]string{"p.seq": ">A\n<A\n>ACGT\n<AGGT\n>ACGTACGTAC\n<ACGTAAC\n>acgNt\n<ACGTAAC\n>\n<\n"})
	for _, tc := range []struct {
		args, want string // names of the pairs
		filter     reportFilter
	}{
		{"--max-score 6", "1235", reportFilter{LeftOut: 1}},
		{"--max-score 5", "125", reportFilter{LeftOut: 2}},
		{"--max-score 0", "15", reportFilter{LeftOut: 3}},
		{"--max-score 6 --max-distance 5", "125", reportFilter{LeftOut: 2}},
		{"--max-score 6 --score-only", "1235", reportFilter{LeftOut: 1}},
		{"--min-identity 0.75", "12", reportFilter{MinIdentity: 0.75, LeftOut: 3}},
		{"--min-identity 75.0000001%", "1", reportFilter{MinIdentity: 0.750000001, LeftOut: 4}},
		{"--min-identity 70%", "123", reportFilter{MinIdentity: 0.7, LeftOut: 2}},
		{"--min-identity .428571429", "123", reportFilter{MinIdentity: 0.428571429, LeftOut: 2}},
		{"--min-identity 0.428571428", "1234", reportFilter{MinIdentity: 0.428571428, LeftOut: 1}},
		{"--min-identity 0.42857142857142855", "1234", reportFilter{MinIdentity: 0.428571428, LeftOut: 1}},
		{"--min-identity 42.857142857142855%", "1234", reportFilter{MinIdentity: 0.428571428, LeftOut: 1}},
		{"--min-identity 1", "1", reportFilter{MinIdentity: 1, LeftOut: 4}},
		{"--min-identity 70% --max-score 2", "12", reportFilter{MinIdentity: 0.7, LeftOut: 3}},
	} {
		got := runOn(t, noGPUs, "", append([]string{"align", "--check", "--stats", "s.json", "p.seq"}, strings.Fields(tc.args)...)...)
		names := ""
		for line := range strings.Lines(got.stdout) {
			names += line[:1]
		}
		if got.code != exitOK || names != tc.want || !strings.Contains(got.stderr, "; "+count(tc.filter.LeftOut, "pair")+" left out") || !strings.Contains(got.stderr, "5 pairs, ") {
			t.Errorf("%s: exit code %d, pairs %s, want %s; %s", tc.args, got.code, names, tc.want, got.stderr)
		}
		var r report
		if err := json.Unmarshal([]byte(readFile(t, "s.json")), &r); err != nil {
			t.Fatal(err)
		}
		if r.Filter == nil || r.Filter.LeftOut != tc.filter.LeftOut || r.Filter.MinIdentity != tc.filter.MinIdentity || (r.Filter.MaxScore != nil) != strings.Contains(tc.args, "--max-score") || r.Pairs != 5 {
			t.Errorf("%s: --stats has %+v of %d pairs", tc.args, r.Filter, r.Pairs)
		}
	}
	got := runOn(t, noGPUs, "", "align", "--stats", "s.json", "p.seq")
	if strings.Contains(got.stderr, "left out") || strings.Contains(readFile(t, "s.json"), "left_out") {
		t.Errorf("without a filter: %s", got.stderr)
	}
}

// TestFormatUsage: flags that cannot go together.
func TestFormatUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"p.seq": ">A\n<A\n"})
	const identity = "want none, a share such as 0.95, or percent such as 95%"
	for _, tc := range []struct{ args, stderr string }{
		{"-O paf --score-only", "--format paf needs alignments, and --score-only has none"},
		{"-O sam --score-only", "--format sam needs alignments, and --score-only has none"},
		{"--min-identity 0.5 --score-only", "--min-identity needs alignments, and --score-only has none"},
		{"--columns score,cs --score-only", "the column cs needs alignments, and --score-only has none"},
		{"--columns score --coordinates", "--columns names all columns, and --coordinates adds to the usual ones: give one of them"},
		{"--columns=", `there is no column ""`},
		{"--columns score,", `there is no column ""`},
		{"--columns Score", `there is no column "Score"`},
		{"--columns score,cigar,score", "column score is named twice"},
		{"-O paf --header", "--header belongs to --format tsv, and the output is paf"},
		{"-O sam --columns score", "--columns belongs to --format tsv, and the output is sam"},
		{"-O sam --coordinates", "--coordinates belongs to --format tsv, and the output is sam"},
		{"-O sam --cs", "--cs belongs to --format paf, and the output is sam"},
		{"--cs", "--columns has a column cs"},
		{"-O paf --md", "--md belongs to --format sam, and the output is paf"},
		{"--sam-targets p.seq", "--sam-targets belongs to --format sam, and the output is tsv"},
		{"-O sam --sam-targets=", "--sam-targets wants the name of a file, and it is empty"},
		{"-O PAF", `unknown --format "PAF": want tsv, paf or sam`},
		{"--max-score -1", "want none or a whole number from 0 to 2147483647"},
		{"--max-score 1.5", "want none or a whole number from 0 to 2147483647"},
		{"--min-identity 95", "95 is more than 1, the identity of equal sequences"},
		{"--min-identity 101%", "101% is more than 1, the identity of equal sequences"},
		{"--min-identity 1.000000001", "1.000000001 is more than 1"},
		{"--min-identity=", identity}, {"--min-identity x", identity}, {"--min-identity %", identity}, {"--min-identity -0.5", identity},
		{"--min-identity 1e-3", identity}, {"--min-identity 0.1.2", identity}, {"--min-identity .", identity},
	} {
		got := runOn(t, noGPUs, "", append([]string{"align", "p.seq"}, strings.Fields(tc.args)...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, tc.stderr) || got.stdout != "" {
			t.Errorf("%s: exit code %d, %s", tc.args, got.code, got.stderr)
		}
	}
}

// TestFailedPairs: a pair that no engine can align has a line in TSV, is unmapped in SAM, and fails
// no filter.
func TestFailedPairs(t *testing.T) {
	for format, want := range map[string]string{
		"tsv": "1\t1\t0\t4=\n2\t2\t*\t*\n3\t3\t0\t4=\n",
		"paf": "1\t4\t0\t4\t+\t1\t4\t0\t4\t4\t4\t255\tNM:i:0\tAS:i:0\tde:f:0.0000\tcg:Z:4=\n" +
			"3\t4\t0\t4\t+\t3\t4\t0\t4\t4\t4\t255\tNM:i:0\tAS:i:0\tde:f:0.0000\tcg:Z:4=\n",
		"sam": "1\t0\t1\t1\t255\t4=\t*\t0\t0\tACGT\t*\tNM:i:0\tAS:i:0\n" +
			"2\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n" +
			"3\t0\t3\t1\t255\t4=\t*\t0\t0\tACGT\t*\tNM:i:0\tAS:i:0\n",
	} {
		if got := formatFailure(t, filepath.Join(t.TempDir(), "p.seq"), format); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

// formatFailure formats three pairs, of which the second has failed, with a filter that all pass.
func formatFailure(t *testing.T, path, format string) string {
	t.Helper()
	opts := defaultAlignOptions()
	opts.format, opts.filter.minIdentity = format, identityUnit
	opts.inputs.Pairs = []string{path}
	writeFiles(t, map[string]string{path: strings.Repeat(">ACGT\n<ACGT\n", 3)})
	f, err := newResultFormat(t.Context(), &opts, nil, &console{quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{First: 1}
	for range 3 {
		b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGT"), Text: []byte("ACGT")})
	}
	b.PrepareResults()
	for i := range b.Results {
		b.Results[i].CIGAR = b.Results[i].CIGAR.Append(cigar.Match, 4)
	}
	b.Results[1].CIGAR, b.Results[1].Err = nil, errors.New("gave up")
	leave, left := opts.filter.mark(nil, b)
	if left != 0 {
		t.Errorf("%d pairs are left out", left)
	}
	text, err := f.append(nil, b, leave)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInterruptedPAF: an interrupt leaves whole lines.
func TestInterruptedPAF(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.paf")
	cmd, _ := startFed(t, out, "align", "-O", "paf", "-b", "20K", "-o", out, "-")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	expectExit(t, cmd, 130)
	text := readFile(t, out)
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\tcg:Z:20=\n") || strings.Count(line, "\t") != 15 {
			t.Fatalf("line %q", line)
		}
	}
}
