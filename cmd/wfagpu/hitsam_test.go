package main

import (
	"strings"
	"testing"
)

// Reads with and without qualities, and hits of them: primary, secondary and split ones, on both
// strands.
var hitsOfTwoFiles = map[string]string{
	"a.fq": "@r1 x\nGTACTTTT\n+\nABCDEFGH\n@r2\nACGT\n+\nIJKL\n",
	"b.fa": ">r3\nGGGG\nAC\n>r4\nTT\n",
	"t.fa": ">c1\nACGTAC\nGTACGT\n>c2 y\nGGGG\n",
	"h.paf": "r1\t8\t0\t4\t+\tc1\t12\t2\t6\t4\t4\t60\ttp:A:P\n" +
		"r1\t8\t1\t4\t-\tc1\t12\t2\t5\t3\t3\t0\ttp:A:S\n" +
		"r2\t4\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n" +
		"r3\t6\t0\t4\t+\tc2\t4\t0\t4\t4\t4\t7\ttp:A:P\n" +
		"r3\t6\t4\t6\t+\tc1\t12\t0\t2\t2\t2\t8\ttp:A:P\n",
}

// TestHitsAsSAM: every hit is a record, in the hits' order: a query without qualities has '*',
// also among others that have some, and flags tell secondary hits and further parts.
func TestHitsAsSAM(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, hitsOfTwoFiles)
	const (
		r1 = "r1\t0\tc1\t3\t60\t4=4S\t*\t0\t0\tGTACTTTT\tABCDEFGH\tNM:i:0\tAS:i:0\n" +
			"r1\t272\tc1\t3\t0\t4S3=1S\t*\t0\t0\tAAAAGTAC\tHGFEDCBA\tNM:i:0\tAS:i:0\n"
		r3 = "r3\t0\tc2\t1\t7\t4=2S\t*\t0\t0\tGGGGAC\t*\tNM:i:0\tAS:i:0\n" +
			"r3\t2048\tc1\t1\t8\t4S2=\t*\t0\t0\tGGGGAC\t*\tNM:i:0\tAS:i:0\n"
		head = "@HD\tVN:1.6\tSO:unknown\n@SQ\tSN:c1\tLN:12\n@SQ\tSN:c2\tLN:4\n"
	)
	lines := strings.SplitAfter(hitsOfTwoFiles["h.paf"], "\n")
	for name, tc := range map[string]struct{ hits, want string }{
		"the order of the reads": {hitsOfTwoFiles["h.paf"], r1 + r3},
		"another order":          {lines[3] + lines[4] + lines[2] + lines[0] + lines[1], r3 + r1},
	} {
		writeFiles(t, map[string]string{"h.paf": tc.hits})
		got := runOn(t, noGPUs, "", "align", "--check", "-O", "sam", "-p", "h.paf", "-q", "a.fq,b.fa", "-t", "t.fa")
		before, records, _ := strings.Cut(got.stdout, "@PG")
		_, records, _ = strings.Cut(records, "\n")
		if got.code != exitOK || before != head || records != tc.want || !strings.Contains(got.stderr, "h.paf: 1 query without a place in a target") {
			t.Errorf("%s: exit code %d, %s\n got %q\nwant %q", name, got.code, got.stderr, got.stdout, head+tc.want)
		}
	}
}

// TestHitsThatSAMHasNot: what stands before is written. The pair is named by its line and its query, as
// not every record of PAF is one.
func TestHitsThatSAMHasNot(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, hitsOfTwoFiles)
	for _, tc := range []struct{ file, from, to, stderr string }{
		{"b.fa", "GGGG", "GG*G", `h.paf:4: pair 3, a hit of "r3": the query has the letter '*', which SAM has not`},
		{"a.fq", "ABCDEFGH", "ABC EFGH", `h.paf:1: record 1: the query "r1": position 4: byte 0x20 is no quality value`},
	} {
		text := hitsOfTwoFiles[tc.file]
		writeFiles(t, map[string]string{tc.file: strings.Replace(text, tc.from, tc.to, 1)})
		got := runOn(t, noGPUs, "", "align", "-O", "sam", "-p", "h.paf", "-q", "a.fq,b.fa", "-t", "t.fa")
		records := 0
		if strings.Contains(tc.stderr, "pair 3") {
			records = 2
		}
		if got.code != exitInput || !strings.Contains(got.stderr, tc.stderr) || strings.Count(got.stdout, "\tNM:i:") != records {
			t.Errorf("exit code %d, %s%s; want %s", got.code, got.stderr, got.stdout, tc.stderr)
		}
		writeFiles(t, map[string]string{tc.file: text})
	}
}

// TestHitsOfRNA: U of a read matches T, and is T in SAM. On the other strand it is A, and A is T, as mappers write; a
// record without an alignment has the read's direction.
func TestHitsOfRNA(t *testing.T) {
	t.Chdir(t.TempDir())
	const hits = "fw\t8\t0\t8\t+\tc1\t12\t2\t10\t8\t8\t60\nrv\t8\t0\t8\t-\tc1\t12\t2\t10\t8\t8\t60\nfar\t8\t0\t8\t-\tc1\t12\t2\t10\t0\t8\t3\n"
	writeFiles(t, map[string]string{
		"r.fq":  "@fw\nGUUCaAAU\n+\nABCDEFGH\n@rv\nAUUUGAAC\n+\nABCDEFGH\n@far\nUUAACCCA\n+\nABCDEFGH\n",
		"t.fa":  ">c1\nACGTTCAAATGG\n",
		"h.paf": hits,
	})
	for format, want := range map[string]string{
		"sam": "fw\t0\tc1\t3\t60\t8=\t*\t0\t0\tGTTCaAAT\tABCDEFGH\tNM:i:0\tAS:i:0\tMD:Z:8\n" +
			"rv\t16\tc1\t3\t60\t8=\t*\t0\t0\tGTTCAAAT\tHGFEDCBA\tNM:i:0\tAS:i:0\tMD:Z:8\n" +
			"far\t4\t*\t0\t0\t*\t*\t0\t0\tTTAACCCA\tABCDEFGH\n",
		"paf": "fw\t8\t0\t8\t+\tc1\t12\t2\t10\t8\t8\t60\tNM:i:0\tAS:i:0\tde:f:0.0000\tcg:Z:8=\n" +
			"rv\t8\t0\t8\t-\tc1\t12\t2\t10\t8\t8\t60\tNM:i:0\tAS:i:0\tde:f:0.0000\tcg:Z:8=\n",
		"tsv": "fw\tc1\t0\t8=\nrv\tc1\t0\t8=\nfar\tc1\t-1\t*\n",
	} {
		args := []string{"align", "--check", "--max-distance", "3", "-O", format, "-p", "h.paf", "-q", "r.fq", "-t", "t.fa"}
		if format == "sam" {
			args = append(args, "--md")
		}
		got := runOn(t, noGPUs, "", args...)
		if !strings.HasSuffix(got.stdout, want) || format != "sam" && got.stdout != want {
			t.Errorf("%s: exit code %d, %s\n got %q\nwant %q", format, got.code, got.stderr, got.stdout, want)
		}
	}
}

// TestFirstNumberInSAM: the lines @SQ have the numbers that the records have.
func TestFirstNumberInSAM(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"p.seq": ">ACGT\n<ACGT\n>A\n<A\n"})
	got := noCommand(wfagpu(t, "align", "--device", "cpu", "-O", "sam", "--first-number", "99", "p.seq"))
	for _, want := range []string{"@SQ\tSN:99\tLN:4\n@SQ\tSN:100\tLN:1\n@PG", "\n99\t0\t99\t", "\n100\t0\t100\t"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

// TestExtendHits: a read's letters beyond its hit are aligned, on the strand of the hit and up to the
// end of the target; an end with more of them stays clipped.
func TestExtendHits(t *testing.T) {
	t.Chdir(t.TempDir())
	const (
		left, middle, right = "GATTACAGAC", "CCTGAAGTTCCATGACGGTA", "TTGCACCATG"
		forward             = left + middle + right
	)
	writeFiles(t, map[string]string{
		// The third read hangs over the start of c2; the fourth one has other letters at its start.
		"r.fa": ">f\n" + forward + "\n>r\n" + reverseComplement(forward) + "\n>o\n" + forward + "\n>s\nACGTACGTACGTACGTACGTACGT" + middle + right + "\n",
		"t.fa": ">c1\nACCTTGCGCA" + forward[:33] + "AA" + forward[33:] + "CAGGTTCAAC\n>c2\n" + forward[5:] + "GGGG\n",
		"h.paf": "f\t40\t10\t30\t+\tc1\t62\t20\t40\t20\t20\t60\n" +
			"r\t40\t10\t30\t-\tc1\t62\t20\t40\t20\t20\t60\n" +
			"o\t40\t10\t30\t+\tc2\t39\t5\t25\t20\t20\t60\n" +
			"s\t54\t24\t44\t+\tc1\t62\t20\t40\t20\t20\t60\n",
	})
	for _, tc := range []struct{ flags, want string }{
		{"--extend-hits 12 --span ends-free", "f 11 33=2D7=, r 11 33=2D7=, o 1 5S35=, s 21 24S23=2D7="},
		{"--extend-hits 12 --span local --preset bwa", "f 11 33=7S, r 11 33=7S, o 1 5S35=, s 21 24S23=7S"},
		{"--extend-hits 9 --span ends-free", "f 21 10S20=10S, r 21 10S20=10S, o 6 10S20=10S, s 21 24S20=10S"},
		{"", "f 21 10S20=10S, r 21 10S20=10S, o 6 10S20=10S, s 21 24S20=10S"},
	} {
		args := append([]string{"align", "--check", "-O", "sam", "-p", "h.paf", "-q", "r.fa", "-t", "t.fa"}, strings.Fields(tc.flags)...)
		got := runOn(t, noGPUs, "", args...)
		var records []string
		for line := range strings.Lines(got.stdout) {
			if f := strings.Split(line, "\t"); line[0] != '@' {
				records = append(records, f[0]+" "+f[3]+" "+f[5])
			}
		}
		if text := strings.Join(records, ", "); got.code != exitOK || text != tc.want {
			t.Errorf("%s: exit code %d, %s\n got %s\nwant %s", tc.flags, got.code, got.stderr, text, tc.want)
		}
	}
	for flags, want := range map[string]string{
		"-p h.paf --extend-hits 5":                               "--extend-hits widens the target by more letters than the read has: --span global would align them all",
		"-p h.paf --extend-hits 5 --span extension --preset bwa": "--span extension would align them all",
		"--extend-hits 5 --span ends-free":                       "--extend-hits belongs to --paf",
	} {
		got := runOn(t, noGPUs, "", append([]string{"align", "-q", "r.fa", "-t", "t.fa"}, strings.Fields(flags)...)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: exit code %d, %s", flags, got.code, got.stderr)
		}
	}
}

// reverseComplement is the other strand of A, C, G and T.
func reverseComplement(s string) string {
	other := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		b.WriteByte(other[s[i]])
	}
	return b.String()
}
