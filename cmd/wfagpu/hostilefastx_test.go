package main

import (
	"strings"
	"testing"
)

// TestHostileFastx: each text is the query file, of a target file with two records.
func TestHostileFastx(t *testing.T) {
	const (
		good, line = ">a\nACGT\n", "a\ta\t0\t4=\n" // a record that is right, and its result
		fastq      = "@a\nACGT\n+\nIIII\n"
		cr         = "byte 0x0d is followed by more: " + loneCR
	)
	for _, tc := range []struct{ name, text, stderr, stdout string }{
		{"cut in the header mark", good + ">", "q:3: record 2: the header has no name", line},
		{"no name", good + "> \nACGT\n", "q:3: record 2: the header has no name", line},
		{"no name, white space of all kinds", good + "> \t\v\f\nACGT\n", "q:3: record 2: the header has no name", line},
		{"one file of records, the other of pairs", good + ">b\n<ACGT\n", "q:4: record 2: found a line <TARGET in a FASTA file: .seq is read as a pairs file", line},
		{"a gap", good + ">b\nAC-T\n", "q:4: record 2: sequence line position 3: '-' is not a sequence letter", line},
		{"numbered lines, as of GenBank", good + ">b\n1 acgt\n", "q:4: record 2: sequence line position 1: '1' is not a sequence letter", line},
		{"blanks in a sequence", good + ">b\nACGT ACGT\n", "q:4: record 2: sequence line position 5: byte 0x20 is not a sequence letter", line},
		{"a tab at the end", good + ">b\nACGT\t\n", "q:4: record 2: sequence line position 5: byte 0x09 is not a sequence letter", line},
		{"a comment in a record", good + ">b\n;by hand\nACGT\n", "q:4: record 2: sequence line position 1: ';' is not a sequence letter", line},
		{"a comment first", ";by hand\n" + good, "q:1: record 1: found a line that starts with ';': want a FASTA header", ""},
		{"a sequence first", "ACGT\n" + good, "q:1: record 1: found a line that starts with 'A': want a FASTA header", ""},
		{"a NUL in a sequence, far on", strings.Repeat("\n", 600) + good + ">b\nAC\x00T\n", "q:604: record 2: sequence line position 3: byte 0x00 is not a sequence letter", line},
		{"UTF-8 in a sequence", good + ">b\nACGÄ\n", "q:4: record 2: sequence line position 4: byte 0xc3 is not a sequence letter", line},
		{"CR alone", ">a\rACGT\r>b\rACGT\r", "q:1: record 1: header position 3: " + cr, ""},
		{"CR alone from the second record on", good + ">b\rACGT\n", "q:3: record 2: header position 3: " + cr, line},
		{"CR alone in a sequence", good + ">b\nAC\rGT\n", "q:4: record 2: sequence line position 3: byte 0x0d is not a sequence letter: " + loneCR, line},
		{"FASTQ behind FASTA", good + "@b\nACGT\n+\nIIII\n", "q:3: record 1: found a FASTQ header in a FASTA file", ""},
		{"FASTA behind FASTQ", fastq + ">b\nACGT\n", "q:5: record 2: found a line that starts with '>': want a header that starts with '@'", line},
		{"pairs", pair, "q:2: record 1: found a line <TARGET in a FASTA file: .seq is read as a pairs file", ""},
		{"SAM", "@HD\tVN:1.6\n@SQ\tSN:c\tLN:9\n", "q:1: record 1: found SAM: want pairs, FASTA or FASTQ", ""},
		{"BAM", gz("BAM\x01\x00\x00\x00\x00"), "q:1: record 1: found BAM: " + notText, ""},
		{"VCF in gzip", gz("##fileformat=VCFv4.2\n"), "q:1: record 1: found VCF: want pairs, FASTA or FASTQ", ""},
		{"an error page", "<html>\n", "q:1: record 1: found HTML", ""},
		{"nothing", "", "q ends after 0 records, t has more: record 1, line 1", ""},
		{"blank lines alone", "\n\r\n", "q ends after 0 records, t has more: record 1, line 1", ""},
		{"nothing in gzip", gz(""), "q ends after 0 records, t has more: record 1, line 1", ""},
		{"one record, blank lines", good + "\n\n\n", "q ends after 1 record, t has more: record 2, line 3", line},
		{"a third record without letters", good + ">b\nACGT\n>c", "t ends after 2 records, q has more: record 3, line 5", line + "b\tb\t0\t4=\n"},

		{"FASTQ cut in the header mark", fastq + "@", "q:5: record 2: the header has no name", line},
		{"FASTQ cut in the header", fastq + "@b", "q:5: record 2: the file ends within the record: its line that starts with '+' is missing", line},
		{"FASTQ cut in the sequence", fastq + "@b\nAC", "q:6: record 2: the file ends within the record: its line that starts with '+' is missing", line},
		{"FASTQ cut after the sequence", fastq + "@b\nACGT\n", "q:6: record 2: the file ends within the record: its line that starts with '+' is missing", line},
		{"FASTQ cut after the plus", fastq + "@b\nACGT\n+", "q:7: record 2: the file ends within the record: it has 0 quality values for 4 letters", line},
		{"FASTQ cut in the quality", fastq + "@b\nACGT\n+\nII", "q:8: record 2: found 2 quality values for 4 letters", line},
		{"FASTQ cut before one value", fastq + "@b\nACGT\n+\nIII", "q:8: record 2: found 3 quality values for 4 letters", line},
		{"one value for one letter too many", fastq + "@b\nA\n+\nII\n", "q:8: record 2: found 2 quality values for 1 letter", line},
		{"a blank at the end of the quality", fastq + "@b\nACGT\n+\nIIII \n", "q:8: record 2: found 5 quality values for 4 letters", line},
		{"a blank line for the quality", fastq + "@b\nACGT\n+\n\n@c\nA\n+\nI\n", "q:8: record 2: found 0 quality values for 4 letters", line},
		{"no plus", fastq + "@b\nACGT\nIIII\n", "q:7: record 2: the file ends within the record: its line that starts with '+' is missing", line},
		{"a minus for the plus", fastq + "@b\nACGT\n-\nIIII\n", "q:7: record 2: sequence line position 1: '-' is not a sequence letter", line},
		{"the quality before the plus", fastq + "@b\nACGT\nI#II\n+\n", "q:7: record 2: sequence line position 2: '#' is not a sequence letter", line},
		{"a line of the record lost", fastq + "@b\n+\nIIII\n@c\nACGT\n+\nIIII\n", "q:7: record 3: found a line that starts with 'I': want a header that starts with '@'", line + "b\tb\t7\t4D\n"},
		{"a quality line lost", fastq + "@b\nACGT\n+\n@c\nACGT\n+\nIIII\n", "q:8: record 2: found 2 quality values for 4 letters", line},
		{"quality that begins like a record", fastq + "@b\nACGT\n+\n@c\nA\n", "q:8: record 2: found 2 quality values for 4 letters", line},
		{"wrapped quality too long", fastq + "@b\nAC\nGT\n+\nII\nIII\n", "q:10: record 2: found 5 quality values for 4 letters", line},
		{"wrapped quality cut", fastq + "@b\nAC\nGT\n+\nII\n", "q:9: record 2: the file ends within the record: it has 2 quality values for 4 letters", line},
		{"FASTQ with CR alone", "@a\rACGT\r+\rIIII\r", "q:1: record 1: header position 3: " + cr, ""},
		{"FASTQ with a letter of RNA structure", fastq + "@b\nAC(T\n+\nIIII\n", "q:6: record 2: sequence line position 3: '(' is not a sequence letter", line},
	} {
		run := badRun{
			files: map[string]string{"q": tc.text, "t": ">a\nACGT\n>b\nACGT\n"}, args: []string{"align", "-q", "q", "-t", "t"},
			code: exitInput, stderr: tc.stderr, stdout: tc.stdout,
		}
		t.Run(tc.name, run.try)

		// The same from standard input, and compressed, in batches of one pair.
		run.files = map[string]string{"t": run.files["t"]}
		run.stdin, run.args = tc.text, []string{"align", "-q", "-", "-t", "t", "-b", "1"}
		if !strings.HasPrefix(tc.text, "\x1f\x8b") {
			run.stdin = gz(tc.text)
		}
		run.stderr = strings.Replace(tc.stderr, "q", "stdin", 1)
		if strings.HasPrefix(tc.stderr, "t ends") {
			run.stderr = strings.Replace(tc.stderr, " q ", " stdin ", 1)
		}
		t.Run(tc.name+", standard input", run.try)
	}
}

// TestOddFastx: unusual, and right, perhaps with a notice.
func TestOddFastx(t *testing.T) {
	const ab, lines = ">a\nACGT\n>b\nACGT\n", "a\ta\t0\t4=\nb\tb\t0\t4=\n"
	long := strings.Repeat("n", 1<<20)
	for _, tc := range []struct{ name, query, target, notice, stdout string }{
		{"no final line end", strings.TrimSuffix(ab, "\n"), ab, "", lines},
		{"a byte order mark", "\xef\xbb\xbf" + ab, ab, "", lines},
		{"CRLF in one, LF in the other", strings.ReplaceAll(ab, "\n", "\r\n"), ab, "", lines},
		{"CRLF here and there", ">a\r\nAC\nGT\r\n>b\nACGT\r\n", ab, "", lines},
		{"blank lines", "\n\n>a\n\nAC\n\n\nGT\n\n>b\nACGT\n\n", ab, "", lines},
		{"one letter a line", ">a\nA\nC\nG\nT\n>b\nA\nC\nG\nT\n", ab, "", lines},
		{"the plus line names another record", "@a\nACGT\n+z\nIIII\n@b\nACGT\n+a\nIIII\n", ab, "", lines},
		{"quality that looks like a header", "@a\nACGT\n+\n@b/1\n@b\nACGT\n+\n+@>I\n", ab, "", lines},
		{"wrapped quality that looks like a record", "@a\nAC\nGT\n+\n@b\n+\n>\n@b\nACGT\n+\nIIII\n", ab, "", lines},
		{"quality of any bytes", "@a\nACGT\n+\n@\x01\xff~\n@b\nACGT\n+\n+@>I\n", ab, "", lines},
		{"blank lines between FASTQ records", "@a\nACGT\n+\nIIII\n\n\r\n@b\nACGT\n+\nIIII\n\n", ab, "", lines},
		{"suffixes", ">a/1\nACGT\n>b/2\nACGT\n", ">a/2\nACGT\n>b\nACGT\n", "", "a/1\ta/2\t0\t4=\nb/2\tb\t0\t4=\n"},
		{"other comments", ">a 1:N:0:ATCACG\nACGT\n>b\tx\nACGT\n", ">a 2:N:0:ATCACG\nACGT\n>b /2\nACGT\n", "", lines},
		{"a third suffix", ">a/3\nACGT\n>b\nACGT\n", ab, `t:1: record 1: the name "a" differs from "a/3" in q:1`, "a/3\ta\t0\t4=\nb\tb\t0\t4=\n"},
		{"two suffixes", ">a/1/1\nACGT\n>b\nACGT\n", ab, `the name "a" differs from "a/1/1"`, "a/1/1\ta\t0\t4=\nb\tb\t0\t4=\n"},
		{"a suffix alone", ">/1\nACGT\n>b\nACGT\n", ">/2\nACGT\n>b\nACGT\n", `the name "/2" differs from "/1"`, "/1\t/2\t0\t4=\nb\tb\t0\t4=\n"},
		{"names in another case", ">A\nACGT\n>b\nACGT\n", ab, `the name "a" differs from "A"`, "A\ta\t0\t4=\nb\tb\t0\t4=\n"},
		{"all names differ", ">x\nACGT\n>y\nACGT\n", ab, `t:1: record 1: the name "a" differs from "x" in q:1; later pairs are not compared`, "x\ta\t0\t4=\ny\tb\t0\t4=\n"},
		{"names that a terminal acts on", ">\x1b]0;x\x07\nACGT\n>b\nACGT\n", ab, `differs from "\x1b]0;x\a" in q:1`, "\x1b]0;x\x07\ta\t0\t4=\nb\tb\t0\t4=\n"},
		{"a name of a mebibyte", ">" + long + "\nACGT\n>b\nACGT\n", ab, `the name "a" differs from "` + long[:80] + `" in q:1`, long + "\ta\t0\t4=\nb\tb\t0\t4=\n"},
		{"a comment of a mebibyte", ">a " + long + "\nACGT\n>b\nACGT\n", ab, "", lines},
		{"no letters in one", ">a\n>b\nACGT\n", ab, "q: 1 of 2 records has no sequence; the first is record 1, line 1", "a\ta\t7\t4D\nb\tb\t0\t4=\n"},
		{"cut after a header", ">a\nACGT\n>b", ab, "q:3: record 2: the file ends after this header; it may be cut short", "a\ta\t0\t4=\nb\tb\t7\t4D\n"},
		{"nothing", "", "\n", "", ""},
		{"nothing and gzip of nothing", gz(""), "", "", ""},
		{"names twice", ">a\nACGT\n>a\nACGT\n", ">a\nACGT\n>a\nACGT\n", "", "a\ta\t0\t4=\na\ta\t0\t4=\n"},
	} {
		run := badRun{files: map[string]string{"q": tc.query, "t": tc.target}, args: []string{"align", "-q", "q", "-t", "t"}, stderr: tc.notice, stdout: tc.stdout}
		t.Run(tc.name, run.try)
	}
}
