package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reads and targets of these tests.
const (
	readsFastq = "@r1 first\nACGTACGTAC\n+\n@AAAAAAAA!\n@r2\nACGT\n+\nIIII\n@r3\nacgNt\n+\n~~~~~\n"
	targetsFa  = ">t1 x\nACGTAAC\n>t2\nAGGT\n>t1\nACGTAAC\n"
)

// noCommand replaces the command line in a header, which names files.
func noCommand(text string) string {
	before, rest, found := strings.Cut(text, "\tCL:")
	if !found {
		return text
	}
	_, after, _ := strings.Cut(rest, "\n")
	return before + "\tCL:\n" + after
}

// TestSAM: names, qualities, one @SQ for each target name, tags.
func TestSAM(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"q.fq": readsFastq, "t.fa": targetsFa, "p.seq": ">ACGTACGTAC\n<ACGTAAC\n>\n<AC\n>AC\n<\n"})
	const head = "@HD\tVN:1.6\tSO:unknown\n"
	program := "@PG\tID:wfagpu\tPN:wfagpu\tVN:" + version + "\tCL:\n"
	for _, tc := range []struct{ args, want string }{
		{"-q q.fq -t t.fa --md", head + "@SQ\tSN:t1\tLN:7\n@SQ\tSN:t2\tLN:4\n" + program +
			"r1\t0\tt1\t1\t255\t5=3I2=\t*\t0\t0\tACGTACGTAC\t@AAAAAAAA!\tNM:i:3\tAS:i:-6\tMD:Z:7\n" +
			"r2\t0\tt2\t1\t255\t1=1X2=\t*\t0\t0\tACGT\tIIII\tNM:i:1\tAS:i:-2\tMD:Z:1G2\n" +
			"r3\t0\tt1\t1\t255\t3=2D2X\t*\t0\t0\tacgNt\t~~~~~\tNM:i:4\tAS:i:-9\tMD:Z:3^TA0A0C0\n"},
		{"--cigar-style classic p.seq", head + "@SQ\tSN:1\tLN:7\n@SQ\tSN:2\tLN:2\n" + program +
			"1\t0\t1\t1\t255\t5M3I2M\t*\t0\t0\tACGTACGTAC\t*\tNM:i:3\tAS:i:-6\n" +
			"2\t0\t2\t1\t255\t2D\t*\t0\t0\t*\t*\tNM:i:2\tAS:i:-5\n" +
			"3\t4\t*\t0\t0\t*\t*\t0\t0\tAC\t*\n"},
		{"--max-distance 5 p.seq", head + "@SQ\tSN:1\tLN:7\n@SQ\tSN:2\tLN:2\n" + program +
			"1\t4\t*\t0\t0\t*\t*\t0\t0\tACGTACGTAC\t*\n2\t0\t2\t1\t255\t2D\t*\t0\t0\t*\t*\tNM:i:2\tAS:i:-5\n3\t4\t*\t0\t0\t*\t*\t0\t0\tAC\t*\n"},
		{"--max-distance 5 --max-score 4 p.seq", head + "@SQ\tSN:1\tLN:7\n@SQ\tSN:2\tLN:2\n" + program},
	} {
		args := append([]string{"align", "--check", "-O", "sam"}, strings.Fields(tc.args)...)
		got := runOn(t, noGPUs, "", args...)
		if got.code != exitOK || noCommand(got.stdout) != tc.want {
			t.Errorf("%s: exit code %d, %s\n got %q\nwant %q", tc.args, got.code, got.stderr, got.stdout, tc.want)
		}
		if command := "\tCL:wfagpu " + strings.Join(args, " ") + "\n"; !strings.Contains(got.stdout, command) {
			t.Errorf("%s: no %q in %q", tc.args, command, got.stdout)
		}
	}
}

// TestSAMTargets: a pipe of targets needs a list of them, and the records' targets are on it.
func TestSAMTargets(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{
		"q.fq": readsFastq, "t.fa": targetsFa,
		"ref.fa":   ">other\nACGTACGTACGT\n>t1\nACG\nTAAC\n>t2\nAGGT\n",
		"ref.fai":  "t1\t7\t5\t4\t5\nt2\t4\t18\t4\t5\n",
		"ref.dict": "@HD\tVN:1.6\n@SQ\tSN:t2\tLN:4\tM5:x\n@SQ\tLN:7\tSN:t1\n@CO\tx\n",
		"short":    "t1\t7\n", "long": "t1\t7\nt2\t5\n", "no.fai": "t1\tx\t1\n", "no.fa": ">t1\nAC-\n", "empty": "",
		"others.fa":  ">t1\nACGTAAC\n>t2\nAGGT\n>t1\nACGTAAA\n",
		"lengths.fa": ">t1\nACGTAAC\n>t2\nAGGT\n>t1\nACGT\n",
		"twice.seq":  ">A\n<A\n>A\tq\n<A\tt\n\n>A\tr\n<AC\tt\n", "star.fa": ">t1\nA\n>*t\nA\n",
		"number.seq": ">A\tq\n<A\t2\n>A\n<AC\n", "later.seq": ">A\n<A\n>A\tq\n<A\t1\n",
		"h.paf": "r2\t4\t0\t1\t+\tt1\t1\t0\t1\t1\t1\t60\n",
	})
	want := wfagpu(t, "align", "--device", "cpu", "-q", "q.fq", "-t", "t.fa", "-O", "sam")
	records := func(text string) string { return text[strings.Index(text, "\nr1\t")+1:] }
	for _, list := range []string{"ref.fa", "ref.fai", "ref.dict"} {
		got := runOn(t, noGPUs, targetsFa, "align", "-q", "q.fq", "-t", "-", "-O", "sam", "--sam-targets", list)
		if got.code != exitOK || records(got.stdout) != records(want) || !strings.Contains(got.stdout, "@SQ\tSN:t1\tLN:7\n") {
			t.Errorf("%s: exit code %d, %s%s", list, got.code, got.stderr, got.stdout)
		}
	}
	for _, tc := range []struct {
		args         string
		code, lines  int // lines are records written
		stderr, hint string
	}{
		{"-q q.fq -t -", 2, 0, "--format sam: the header lists all targets, and they come from standard input or a pipe", "--sam-targets FILE"},
		{"-", 2, 0, "--format sam: the header lists all targets, and they come from standard input or a pipe", "--sam-targets FILE"},
		{"-q q.fq -t - --sam-targets short", 3, 1, `q.fq:5: record 2: target "t2" is not in short, from which the @SQ lines are`, "--format tsv"},
		{"-q q.fq -t - --sam-targets long", 3, 1, `q.fq:5: record 2: target "t2" has 4 letters, and 5 in long`, ""},
		{"- --sam-targets ref.fai", 3, 0, `stdin: pair 1, of the query "1": target "1" is not in ref.fai`, ""},
		{"-q q.fq -t - --sam-targets empty", 3, 0, `q.fq:1: record 1: target "t1" is not in empty`, ""},
		{"-q q.fq -t t.fa --sam-targets no.fai", 3, 0, "no.fai:1: record 1: want the name and the length of a sequence", ""},
		{"-q q.fq -t t.fa --sam-targets no.fa", 3, 0, "no.fa:2: record 1: sequence line position 3: '-' is not a sequence letter", ""},
		{"-q q.fq -t t.fa --sam-targets missing", 3, 0, "open missing: no such file or directory", ""},
		{"-q q.fq -t t.fa --sam-targets t.fa -o t.fa", 2, 0, "--output t.fa would overwrite an input file", ""},
		{"-q q.fq -t others.fa", 3, 0, `others.fa:5: record 3: target "t1" has other letters than before: SAM has one sequence of each name`, "--format paf"},
		{"-q q.fq -t lengths.fa", 3, 0, `lengths.fa:5: record 3: target "t1" has 4 letters here and 7 before`, "--format paf"},
		{"twice.seq", 3, 0, `twice.seq:6: record 3: target "t" has 2 letters here and 1 before`, "--format paf"},
		{"number.seq", 3, 0, `number.seq:3: record 2: the target name "2" is a number, and pairs without names have numbers`, "--format paf"},
		{"later.seq", 3, 0, `later.seq:3: record 2: the target name "1" is a number`, "--format paf"},
		{"-p h.paf -q q.fq -t star.fa", 3, 0, `star.fa: record 2: the target name "*t" starts with '*'`, ""},
	} {
		input := targetsFa
		if strings.HasPrefix(tc.args, "- ") {
			input = ">A\n<A\n"
		}
		got := runOn(t, noGPUs, input, append([]string{"align", "-O", "sam"}, strings.Fields(tc.args)...)...)
		if lines := strings.Count(got.stdout, "\tNM:i:"); got.code != tc.code || lines != tc.lines || !strings.Contains(got.stderr, tc.stderr) || !strings.Contains(got.stderr, tc.hint) ||
			tc.lines > 0 && !strings.Contains(got.stderr, count(int64(tc.lines), "pair")+", ") {
			t.Errorf("%s: exit code %d, %d records, want %d and %d\n%s", tc.args, got.code, lines, tc.code, tc.lines, got.stderr)
		}
	}
}

// TestSAMOfBadInput: the header has the targets before a fault, which is reported as for TSV, and
// the records before it are there.
func TestSAMOfBadInput(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{
		"q.fq": readsFastq, "t.fa": targetsFa + ">t4\nAC T\n", "p.seq": ">ACGT\n<ACGT\n>A-\n<A\n",
		"long.fa": ">r1\nA\n>" + strings.Repeat("n", 255) + "\nA\n", "two.fa": ">a\nA\n>b\nA\n",
		"values.fq": "@a\nA\n+\nI\n@b\nA\n+\n\x7f\n",
	})
	for _, tc := range []struct{ args, stderr string }{
		{"-q q.fq -t t.fa", "t.fa:8: record 4: sequence line position 3"},
		{"p.seq", "p.seq:3: record 2: query position 2"},
		{"-q long.fa -t two.fa", "long.fa:3: record 2: the query name has 255 bytes, and SAM takes 254"},
		{"-q values.fq -t two.fa", "values.fq:8: record 2: quality value 1: byte 0x7f is outside '!' to '~'"},
	} {
		for _, out := range []string{"out.sam", "out.sam.gz"} {
			got := runOn(t, noGPUs, "", append([]string{"align", "-O", "sam", "-o", out}, strings.Fields(tc.args)...)...)
			text := ""
			if out == "out.sam" {
				text = readFile(t, out)
				if !strings.HasPrefix(text, "@HD") || !strings.HasSuffix(text, "\n") || strings.Count(text, "\tNM:i:") == 0 {
					t.Errorf("%s: %q", tc.args, text)
				}
			}
			if got.code != exitInput || !strings.Contains(got.stderr, tc.stderr) || !strings.Contains(got.stderr, out+" has what was written before the error") {
				t.Errorf("%s: exit code %d, %s", tc.args, got.code, got.stderr)
			}
			if err := os.Remove(out); err != nil {
				t.Error(err)
			}
		}
	}
	// Nothing is written before a fault in the first pair.
	writeFiles(t, map[string]string{"first.seq": ">A-\n<A\n"})
	if got := runOn(t, noGPUs, "", "align", "-O", "sam", "-o", "out.sam", "first.seq"); got.code != exitInput {
		t.Errorf("exit code %d", got.code)
	}
	if _, err := os.Stat("out.sam"); err == nil {
		t.Error("an output without a record is there")
	}
	// An empty input has the header of no targets.
	writeFiles(t, map[string]string{"none.seq": ""})
	if got := wfagpu(t, "align", "--device", "cpu", "-O", "sam", "none.seq"); !strings.HasPrefix(got, "@HD\tVN:1.6\tSO:unknown\n@PG\t") || strings.Count(got, "\n") != 2 {
		t.Errorf("of no pairs: %q", got)
	}
}

// TestShardsOfFormats: the outputs of all parts in order are the output of one run, but for the
// command line in the header of SAM, which part 1 has.
func TestShardsOfFormats(t *testing.T) {
	for name, input := range generated(t) {
		for _, format := range []string{"paf", "sam"} {
			align := func(flags ...string) string {
				return wfagpu(t, append(append([]string{"align", "--device", "cpu", "-O", format}, flags...), input...)...)
			}
			want := noCommand(align())
			if strings.Count(want, "NM:i:") != 200 {
				t.Fatalf("%s, %s: the whole run has %q", name, format, want)
			}
			var got strings.Builder
			for k := 1; k <= 7; k++ {
				got.WriteString(align("--shard", fmt.Sprintf("%d/7", k)))
			}
			if noCommand(got.String()) != want {
				t.Errorf("%s, %s: the outputs differ from that of one run", name, format)
			}
		}
	}
}

// TestCompressedFormats: outputs in .gz and .zst hold the same text.
func TestCompressedFormats(t *testing.T) {
	dir := t.TempDir()
	pairs := filepath.Join(dir, "p.seq")
	wfagpu(t, "generate", "-n", "3000", "-l", "100", "-o", pairs)
	for _, format := range []string{"paf", "sam"} {
		want := noCommand(wfagpu(t, "align", "--device", "cpu", "-O", format, pairs))
		for _, ext := range []string{".gz", ".zst"} {
			out := filepath.Join(dir, "out."+format+ext)
			wfagpu(t, "align", "--device", "cpu", "-O", format, "-o", out, pairs)
			if text, cut := unpacked(t, out); cut || noCommand(text) != want {
				t.Errorf("%s%s: %d bytes, want %d, cut %v", format, ext, len(text), len(want), cut)
			}
		}
	}
}
