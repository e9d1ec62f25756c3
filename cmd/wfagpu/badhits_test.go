package main

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestBadHits is the table of what can be wrong with hits, their reads and their
// reference.
func TestBadHits(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("messages are those of Linux")
	}
	const (
		hit     = "r1\t8\t0\t4\t+\tc1\t12\t2\t6\t4\t4\t60\ttp:A:P\n"
		hitLine = "r1\tc1\t0\t4=\n"
		reads   = "@r1 x\nGTACTTTT\n+\nIIIIIIII\n@r2\nACGT\n+\nIIII\n"
		ref     = ">c1\nACGTAC\nGTACGT\n>c2 y\nGGGG\n"
		index   = "c1\t12\t4\t6\t7\nc2\t4\t24\t4\t5\n"
	)
	base := map[string]string{"h.paf": hit, "r.fq": reads, "t.fa": ref, "t.fa.fai": index}
	with := func(names ...string) map[string]string {
		files := maps.Clone(base)
		for i := 0; i < len(names); i += 2 {
			files[names[i]] = names[i+1]
		}
		return files
	}
	args := []string{"align", "-p", "h.paf", "-q", "r.fq", "-t", "t.fa"}
	second := func(line string) map[string]string { return with("h.paf", hit+line) }
	const at = "h.paf:2: record 2: "
	for _, tc := range []badRun{
		{name: "a good run", files: base, args: args, stdout: hitLine},
		{name: "blank lines and CRLF", files: with("h.paf", "\r\n\n"+strings.ReplaceAll(hit, "\n", "\r\n")+"\n"), args: args, stdout: hitLine},
		{name: "no hit", files: with("h.paf", ""), args: args},
		{name: "a last line without an end", files: with("h.paf", strings.TrimSuffix(hit, "\n")), args: args, stdout: hitLine},
		{name: "a read without a place", files: second("r2\t4\t0\t0\t*\t*\t0\t0\t0\t0\t0\t0\n"), args: args, stdout: hitLine, stderr: "h.paf: 1 query without a place in a target"},
		{name: "two hits of a read, one secondary", files: second(strings.Replace(hit, "tp:A:P", "tp:A:S", 1)), args: args, stdout: hitLine + hitLine},
		{name: "a flank", files: base, args: append(args, "--flank", "9G"), code: 2, stderr: "9G letters are outside 0..2G"},
		{name: "a flank beyond the ends", files: base, args: append(args, "--flank", "100"), stdout: "r1\tc1\t14\t6D4=2D\n"},

		// The command line.
		{name: "no reads", files: base, args: []string{"align", "-p", "h.paf", "-t", "t.fa"}, code: 2, stderr: "--paf needs --query, the reads, and --target, the reference"},
		{name: "an operand", files: base, args: append(args, "h.paf"), code: 2, stderr: "--paf takes the reads with --query, and no operand"},
		{name: "a flank without hits", files: base, args: []string{"align", "-q", "r.fq", "-t", "t.fa", "--flank", "3"}, code: 2, stderr: "--flank belongs to --paf"},
		{name: "hits and names", files: base, args: append(args, "--pair-by", "name"), code: 2, stderr: "--paf says what the pairs are"},
		{name: "pairs by names", files: base, args: []string{"align", "--pair-by", "name", "h.paf"}, code: 2, stderr: "--pair-by name wants --query and --target"},
		{name: "standard input twice", files: base, args: []string{"align", "-p", "-", "-q", "-", "-t", "t.fa"}, code: 2, stderr: "standard input can be only one of the inputs"},
		{name: "an empty name", files: base, args: []string{"align", "-p", "", "-q", "r.fq", "-t", "t.fa"}, code: 2, stderr: "--paf wants the name of a file, and it is empty"},
		{name: "an empty name in a list", files: base, args: []string{"align", "-q", "r.fq,", "-t", "t.fa"}, code: 2, stderr: "the name of a file is empty"},
		{name: "an interleaved target", files: base, args: []string{"align", "--interleaved", "-q", "r.fq", "-t", "t.fa"}, code: 2, stderr: "--interleaved files have the targets: want no --target"},
		{name: "a shard of several files", files: base, args: []string{"align", "--shard", "1/2", "-q", "r.fq,r.fq", "-t", "t.fa"}, code: 2, stderr: "is one of 3 files: shards are cut from"},
		{name: "an output that is the index", files: base, args: append(slices.Clone(args), "-o", "t.fa.fai"), code: 2, stderr: "--output t.fa.fai would overwrite an input file"},
		{name: "a shard by name", files: base, args: []string{"align", "--shard", "1/2", "--pair-by", "name", "-q", "r.fq", "-t", "t.fa"}, code: 2, stderr: "r.fq is paired by name: shards are cut from one pairs file, or from two files in step"},
		{name: "an interleaved shard", files: base, args: []string{"align", "--shard", "1/2", "--interleaved", "r.fq"}, code: 2, stderr: "r.fq is interleaved: shards are cut from one pairs file"},
		{name: "a number of 0", files: base, args: []string{"align", "--first-number", "0", "r.fq"}, code: 2, stderr: "want a number from 1 to"},
		{name: "too high a number", files: base, args: []string{"align", "--first-number", "9223372036854775807", "r.fq"}, code: 2, stderr: "want a number from 1 to 4611686018427387903"},

		// Hits.
		{name: "too few columns", files: second("r1\t8\t0\n"), args: args, code: 3, stderr: at + "3 columns: want 12, as in PAF", stdout: hitLine},
		{name: "cut in a line", files: with("h.paf", hit+hit[:20]), args: args, code: 3, stderr: at + "9 columns: want 12, as in PAF", stdout: hitLine},
		{name: "no number", files: second(strings.Replace(hit, "\t4\t+", "\tx\t+", 1)), args: args, code: 3, stderr: at + `column 4: "x" is no number from 0 on`, stdout: hitLine},
		{name: "outside the read", files: second(strings.Replace(hit, "\t4\t+", "\t9\t+", 1)), args: args, code: 3, stderr: at + "0 to 9 is no part of a query of 8 letters", stdout: hitLine},
		{name: "outside the target", files: second(strings.Replace(hit, "\t6\t4", "\t13\t4", 1)), args: args, code: 3, stderr: at + "2 to 13 is no part of a target of 12 letters", stdout: hitLine},
		{name: "a strand", files: second(strings.Replace(hit, "+", "1", 1)), args: args, code: 3, stderr: at + `column 5: "1" is no strand`, stdout: hitLine},
		{name: "SAM", files: with("h.paf", "@HD\tVN:1.6\n"), args: args, code: 3, stderr: "h.paf:1: record 1: found SAM: want PAF"},
		{name: "reads as hits", files: with("h.paf", reads), args: args, code: 3, stderr: "h.paf:1: record 1: found a line that starts with '@', as of sequences: want PAF"},
		{name: "hits as reads", files: with("r.fq", hit), args: args, code: 3, stderr: "r.fq:1: record 1: found PAF"},
		{name: "no such file", files: base, args: []string{"align", "-p", "x.paf", "-q", "r.fq", "-t", "t.fa"}, code: 3, stderr: "open x.paf: no such file or directory"},

		// Reads.
		{name: "a read that is missing", files: second(strings.Replace(hit, "r1", "r3", 1)), args: args, code: 3, stderr: at + `the query "r3" is not in r.fq`, stdout: hitLine},
		{name: "no reads at all", files: with("r.fq", ""), args: args, code: 3, stderr: `h.paf:1: record 1: the query "r1" is not in r.fq`},
		{name: "a read that is missing in a pipe", files: second(strings.Replace(hit, "r1", "r3", 1)), stdin: reads, args: []string{"align", "-p", "h.paf", "-q", "-", "-t", "t.fa"},
			code: 3, stderr: at + `the query "r3" is not in stdin behind the queries of the hits before: write stdin to a file`, stdout: hitLine},
		{name: "another order", files: with("h.paf", strings.Replace(hit, "r1\t8", "r2\t4", 1)+hit), args: args, stdout: "r2\tc1\t8\t4X\n" + hitLine, stderr: `the hits are not in the order of r.fq: queries are found by name from "r1" on`},
		{name: "another length", files: with("r.fq", strings.Replace(reads, "GTACTTTT\n+\nI", "GTACTTT\n+\n", 1)), args: args, code: 3, stderr: `h.paf:1: record 1: the query "r1" has 8 letters by its hit, and 7 as record 1 of r.fq`},
		{name: "a sequence that is not there", files: with("r.fq", strings.Replace(reads, "GTACTTTT\n+\nIIIIIIII", "*\n+\nI", 1)), args: args, code: 3, stderr: `the query "r1" has 8 letters by its hit, and 1 as record 1 of r.fq`},
		{name: "a read twice in a row", files: with("r.fq", "@r1\nGTACTTTT\n+\nIIIIIIII\n"+reads), args: args, code: 3, stderr: `h.paf:1: record 1: the query "r1": two records in a row have that name, record 1 of r.fq and the next one`},
		{name: "a read twice", files: with("r.fq", reads+"@r1\nGTACTTTT\n+\nIIIIIIII\n", "h.paf", strings.Replace(hit, "r1\t8", "r2\t4", 1)+hit+strings.Replace(hit, "r1\t8", "r2\t4", 1)+hit), args: args,
			code: 3, stderr: `h.paf:4: record 4: the query "r1": two records have that name: record 1 of r.fq, and record 3 of r.fq`, stdout: "r2\tc1\t8\t4X\n" + hitLine + "r2\tc1\t8\t4X\n"},
		{name: "reads that are cut", files: with("r.fq", reads[:len(reads)-3], "h.paf", hit+strings.Replace(hit, "r1\t8", "r2\t4", 1)), args: args, code: 3, stderr: "r.fq:8: record 2: found 2 quality values for 4 letters", stdout: hitLine},

		// The reference.
		{name: "a target that is missing", files: second(strings.Replace(hit, "c1", "c3", 1)), args: args, code: 3, stderr: at + `t.fa: sequence "c3": there is no sequence of that name in its index t.fa.fai`, stdout: hitLine},
		{name: "a target of another length", files: second(strings.Replace(hit, "\t12\t", "\t13\t", 1)), args: args, code: 3, stderr: at + `the target "c1" has 13 letters by its hit, and 12 in t.fa`, stdout: hitLine},
		{name: "a target twice", files: with("t.fa", ref+ref, "t.fa.fai", index+"c1\t12\t33\t6\t7\n"), args: args, code: 3, stderr: `h.paf:1: record 1: t.fa: sequence "c1": two sequences have that name`},
		{name: "a target in two files", files: base, args: append(args, "-t", "t.fa"), code: 3, stderr: `t.fa: sequence "c1": t.fa has one of that name, too`},
		{name: "a reference that has changed", files: with("t.fa", ">c1 longer\nACGTAC\nGTACGT\n>c2 y\nGGGG\n"), args: args, code: 3, stderr: `h.paf:1: record 1: t.fa: sequence "c1": the file differs from its index t.fa.fai: remove the index, or make it anew with samtools faidx`},
		{name: "a reference with other names", files: with("t.fa", strings.Replace(ref, "c1", "d1", 1)), args: args, code: 3, stderr: "the file differs from its index t.fa.fai"},
		{name: "a reference with more letters", files: with("t.fa", strings.Replace(ref, "GTACGT", "GTACGTA", 1)), args: args, code: 3, stderr: "the file differs from its index t.fa.fai"},
		{name: "a reference in other lines", files: with("t.fa", strings.Replace(ref, "ACGTAC\nGTACGT", "ACGT\nACGTACGT", 1)), args: args, code: 3, stderr: "the file differs from its index t.fa.fai"},
		{name: "a reference that is cut", files: with("t.fa", ref[:15]), args: args, code: 3, stderr: "t.fa.fai:1: it ends behind byte 15, the end of the text"},
		{name: "an index beyond all files", files: with("t.fa.fai", "c1\t12\t9223372036854775807\t6\t7\n"), args: args, code: 3, stderr: "t.fa.fai:1: it ends behind byte 29, the end of the text"},
		{name: "an index of another file", files: with("t.fa.fai", "x\t12\t3\t12\t13\n"), args: args, code: 3, stderr: `t.fa: sequence "c1": there is no sequence of that name in its index t.fa.fai`},
		{name: "an empty index", files: with("t.fa.fai", ""), args: args, code: 3, stderr: "there is no sequence of that name in its index t.fa.fai"},
		{name: "an index of reads", files: with("t.fa.fai", "c1\t12\t4\t6\t7\t9\n"), args: args, code: 3, stderr: "t.fa.fai:1: this is an index of FASTQ: want one of FASTA"},
		{name: "a damaged index", files: with("t.fa.fai", index+"c3\t-4\t1\t1\t1\n"), args: args, code: 3, stderr: "t.fa.fai:3: its numbers are of no sequence"},
		{name: "an index that is cut", files: with("t.fa.fai", index[:6]), args: args, code: 3, stderr: "t.fa.fai:1: 3 columns: want 5, as samtools faidx writes"},
		{name: "a reference that is no text", files: with("t.fa", "ACGT\x00"), args: args, code: 3, stderr: "t.fa:1: record 1: found binary data"},
		{name: "a byte that is no letter", files: with("t.fa", strings.Replace(ref, "GTAC\nG", "GTA-\nG", 1)), args: args, code: 3, stderr: `h.paf:1: record 1: t.fa: sequence "c1": '-' is not a sequence letter`},
	} {
		t.Run(strings.ReplaceAll(tc.name, "/", "_"), tc.try)
	}
}
