package main

import (
	"runtime"
	"strings"
	"testing"
)

// The tables of the files hostile*_test.go continue that of TestBadInput, for input
// that somebody has made to break the command, or that a broken program has made.

const (
	noQuery  = "want a line >QUERY, then a line <TARGET"
	noTarget = "want a line <TARGET after the line >QUERY"
	loneCR   = "want lines that end in LF or CRLF, not in CR alone"
	notText  = "want text, plain or compressed once with gzip, zstd, bzip2 or xz"
)

// TestHostilePairs: each text follows a pair that is right, which is aligned, unless the
// first bytes refuse the file.
func TestHostilePairs(t *testing.T) {
	for _, tc := range []struct{ name, text, stderr string }{
		{"a line of blanks", "   \n", "bad.seq:3: record 2: found a line that starts with byte 0x20: " + noQuery},
		{"a tab", "\t\n", "bad.seq:3: record 2: found a line that starts with byte 0x09: " + noQuery},
		{"a comment", "# more\n" + pair, "bad.seq:3: record 2: found a line that starts with '#': " + noQuery},
		{"a comment of old FASTA", ";more\n" + pair, "bad.seq:3: record 2: found a line that starts with ';': " + noQuery},
		{"a byte order mark in the middle", "\xef\xbb\xbf" + pair, "bad.seq:3: record 2: found a line that starts with byte 0xef: " + noQuery},
		{"the end of a DOS file", "\x1a", "bad.seq:3: record 2: found a line that starts with byte 0x1a: " + noQuery},
		{"a blank before the query", " " + pair, "bad.seq:3: record 2: found a line that starts with byte 0x20: " + noQuery},
		{"a blank before the target", ">ACGT\n <ACGT\n", "bad.seq:4: record 2: found a line that starts with byte 0x20: " + noTarget},
		{"a CR before the target", ">ACGT\n\r<ACGT\n", "bad.seq:4: record 2: found a line that starts with byte 0x0d: " + noTarget},
		{"two CRs", ">ACGT\r\r\n<ACGT\n", "bad.seq:3: record 2: query position 5: byte 0x0d is not a sequence letter: " + loneCR},
		{"CR alone between the lines", ">ACGT\r<ACGT\n", "bad.seq:3: record 2: query position 5: byte 0x0d is not a sequence letter: " + loneCR},
		{"CR alone between pairs", ">ACGT\n<ACGT\r>ACGT\n<ACGT\n", "bad.seq:4: record 2: target position 5: byte 0x0d is not a sequence letter: " + loneCR},
		{"both on one line", ">ACGT<ACGT\n", "bad.seq:3: record 2: query position 5: '<' is not a sequence letter"},
		{"both on one line, and more", ">ACGT<ACGT\n" + pair, "bad.seq:4: record 2: found a second line >QUERY"},
		{"a query mark twice", ">>ACGT\n<ACGT\n", "bad.seq:3: record 2: query position 1: '>' is not a sequence letter"},
		{"a target mark twice", ">ACGT\n<<ACGT\n", "bad.seq:4: record 2: target position 1: '<' is not a sequence letter"},
		{"a blank at the end of a query", ">ACGT \n<ACGT\n", "bad.seq:3: record 2: query position 5: byte 0x20 is not a sequence letter"},
		{"a dot", ">AC.T\n<ACGT\n", "bad.seq:3: record 2: query position 3: '.' is not a sequence letter"},
		{"a question mark", ">ACGT\n<AC?T\n", "bad.seq:4: record 2: target position 3: '?' is not a sequence letter"},
		{"quotes", ">\"ACGT\"\n<ACGT\n", "bad.seq:3: record 2: query position 1: '\"' is not a sequence letter"},
		{"an escape sequence", ">AC\x1b[31mGT\n<ACGT\n", "bad.seq:3: record 2: query position 3: byte 0x1b is not a sequence letter"},
		{"DEL", ">ACGT\n<ACG\x7f\n", "bad.seq:4: record 2: target position 4: byte 0x7f is not a sequence letter"},
		{"wide letters", ">ＡＣ\n<AC\n", "bad.seq:3: record 2: query position 1: byte 0xef is not a sequence letter"},
		{"the byte after Z", ">ACZ[\n<A\n", "bad.seq:3: record 2: query position 4: '[' is not a sequence letter"},
		{"the byte before a", ">AC`\n<A\n", "bad.seq:3: record 2: query position 3: '`' is not a sequence letter"},
		{"a wrapped query", ">ACGT\nACGT\n<ACGT\n", "bad.seq:4: record 2: found a line that starts with 'A': " + noTarget},
		{"a wrapped target", ">ACGT\n<ACGT\nACGT\n", "bad.seq:5: record 3: found a line that starts with 'A': " + noQuery},
		{"names", ">read 1\n<chr1\n", "bad.seq:3: record 2: query position 5: byte 0x20 is not a sequence letter"},
		{"cut within the target mark", ">ACGT\n", "bad.seq:3: record 2: the file ends after a line >QUERY"},
		{"cut after the query mark", ">", "bad.seq:3: record 2: the file ends after a line >QUERY"},
		{"blank lines, then half a pair", "\n\r\n\n>ACGT\n\n\n", "bad.seq:6: record 2: the file ends after a line >QUERY"},
		{"a long line of something else", strings.Repeat("x", 1<<20) + "\n", "bad.seq:3: record 2: found a line that starts with 'x': " + noQuery},
		{"the bad letter of a long line", ">" + strings.Repeat("ACGT", 1<<18) + "1\n<ACGT\n", "bad.seq:3: record 2: query position 1048577: '1' is not a sequence letter"},
		{"NULs beyond the first bytes", strings.Repeat("\n", 600) + "\x00\x00\n", "bad.seq:603: record 2: found a line that starts with byte 0x00: " + noQuery},
		{"a diff", "<<<<<<< HEAD\n", "bad.seq:3: record 2: found a line <TARGET without its line >QUERY"},
		{"gzip behind plain text", strings.Repeat("\n", 600) + gz(pair), "bad.seq:603: record 2: found a line that starts with byte 0x1f: " + noQuery},
	} {
		run := badRun{
			files: map[string]string{"bad.seq": pair + tc.text}, args: []string{"align", "bad.seq"},
			code: exitInput, stderr: tc.stderr, stdout: pairLine,
		}
		if strings.HasPrefix(tc.stderr, "bad.seq:5: record 3: ") {
			run.stdout += "2\t2\t0\t4=\n"
		}
		t.Run(tc.name, run.try)

		// The same on standard input.
		run.files, run.stdin, run.args = nil, pair+tc.text, []string{"align", "-b", "8"}
		run.stderr = strings.Replace(tc.stderr, "bad.seq", "stdin", 1)
		t.Run(tc.name+", standard input", run.try)
	}
}

// TestHostileFirstBytes: what no pair comes before.
func TestHostileFirstBytes(t *testing.T) {
	for _, tc := range []struct{ name, text, stderr string }{
		{"UTF-16", "\xff\xfe>\x00A\x00\n\x00", "found UTF-16 text: " + notText},
		{"UTF-16, the other order", "\xfe\xff\x00>\x00A", "found UTF-16 text: " + notText},
		{"UTF-32", "\x00\x00\xfe\xff\x00\x00\x00>", "found binary data: " + notText},
		{"two byte order marks", "\xef\xbb\xbf\xef\xbb\xbf" + pair, "found a line that starts with byte 0xef: " + noQuery},
		{"NULs alone", strings.Repeat("\x00", 4096), "found binary data: " + notText},
		{"gzip behind a pair", pair + gz(pair), "found binary data: " + notText},
		{"VCF", "##fileformat=VCFv4.3\n", "found VCF: want pairs, FASTA or FASTQ"},
		{"GFF", "##gff-version 3\nchr1\t.\tgene\t1\t9\t.\t+\t.\tID=g\n", "found GFF: want pairs, FASTA or FASTQ"},
		{"BED", "chr1\t0\t100\tx\t0\t+\n", "found a line that starts with 'c': " + noQuery},
		{"PAF", "r1\t4\t0\t4\t+\tchr1\t9\t0\t4\t4\t4\t60\ttp:A:P\n", "found PAF: want pairs, FASTA or FASTQ"},
		{"GFA", "H\tVN:Z:1.0\nS\t1\tACGT\n", "found a line that starts with 'H': " + noQuery},
		{"a table of pairs", "ACGT\tACGT\n", "found a line that starts with 'A': " + noQuery},
		{"GenBank", "LOCUS       X 4 bp\n", "found a line that starts with 'L': " + noQuery},
		{"JSON", "{\"query\": \"ACGT\"}\n", "found a line that starts with '{': " + noQuery},
		{"an error page", "<!DOCTYPE HTML>\n<html>404</html>\n", "found HTML, perhaps the error page of a download: want pairs, FASTA or FASTQ"},
		{"a program", "#!/bin/sh\n", "found a line that starts with '#': " + noQuery},
		{"SAM with CRLF", "@HD\tVN:1.6\r\n@SQ\tSN:c\tLN:9\r\n", "found SAM: want pairs, FASTA or FASTQ; samtools fasta or fastq converts"},
		{"SAM with a comment first", "@CO\tmade by hand\n", "found a FASTQ header in a pairs file"},
		{"tar", "bad.seq" + strings.Repeat("\x00", 250) + "ustar\x0000", "found a tar archive: " + notText},
		{"xz", "\xfd7zXZ\x00\x00\x04", "the xz data is cut short"},
		{"bzip2", "BZh91AY&SY", "the bzip2 data is cut short"},
		{"lz4", "\x04\x22\x4d\x18\x64\x40", "found data compressed with lz4: " + notText},
		{"compress", "\x1f\x9d\x90", "found data compressed with compress: " + notText},
		{"zip", "PK\x03\x04\x14\x00", "found a zip archive: " + notText},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", "found a 7z archive: " + notText},
		{"CRAM", "CRAM\x03\x00", "found CRAM: " + notText},
		{"POD5", "\x8bPOD\r\n\x1a\n", "found POD5: " + notText},
	} {
		run := badRun{
			files: map[string]string{"bad.seq": tc.text}, args: []string{"align", "-o", "out", "--header", "bad.seq"},
			code: exitInput, stderr: "bad.seq:1: record 1: " + tc.stderr,
		}
		t.Run(tc.name, run.try)
	}
}

// TestOddPairs: unusual, and right.
func TestOddPairs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("messages are those of Unix")
	}
	for _, tc := range []struct{ name, text, stdout string }{
		{"nothing", "", ""},
		{"a byte order mark alone", "\xef\xbb\xbf", ""},
		{"line ends alone", "\r\n\n\r\n", ""},
		{"CR alone", "\r", ""},
		{"a CR at the end", ">ACGT\n<ACGA\r", pairLine},
		{"empty sequences", ">\n<", "1\t1\t0\t*\n"},
		{"an empty query", ">\n<ACGT\n", "1\t1\t7\t4D\n"},
		{"blank lines everywhere", "\n\n>ACGT\n\r\n\n<ACGA\n\n", pairLine},
		{"stop codons", ">ACG*\n<ACG*\n", "1\t1\t0\t4=\n"},
		{"every letter", ">ABCDEFGHIJKLMNOPQRSTUVWXYZ\n<abcdefghijklmnopqrstuvwxyz\n", "1\t1\t0\t26=\n"},
		{"an empty gzip member", gz("") + gz(pair) + gz(""), pairLine},
		{"nothing in gzip", gz(""), ""},
	} {
		run := badRun{files: map[string]string{"odd.seq": tc.text}, args: []string{"align", "odd.seq"}, stdout: tc.stdout}
		t.Run(tc.name, run.try)
	}
}
