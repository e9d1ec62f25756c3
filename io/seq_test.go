package seqio

import (
	"strings"
	"testing"
)

func TestReadSeq(t *testing.T) {
	ab := []pair{{query: "ACGT", target: "AGT"}, {query: "TT", target: "TTT"}}
	long := strings.Repeat("ACGTTGCA", 1<<17) // 1 MiB, longer than any buffer starts
	tests := []struct {
		name, text string
		want       []pair
	}{
		{"plain", ">ACGT\n<AGT\n>TT\n<TTT\n", ab},
		{"no final newline", ">ACGT\n<AGT\n>TT\n<TTT", ab},
		{"CRLF", ">ACGT\r\n<AGT\r\n>TT\r\n<TTT\r\n", ab},
		{"CRLF, no final newline", ">ACGT\r\n<AGT\r\n>TT\r\n<TTT", ab},
		{"CRLF, final CR alone", ">ACGT\r\n<AGT\r\n>TT\r\n<TTT\r", ab},
		{"blank lines anywhere", "\n\r\n>ACGT\n\n<AGT\n\n\n>TT\n<TTT\n\n\r\n", ab},
		{"byte order mark", "\xef\xbb\xbf>ACGT\n<AGT\n>TT\n<TTT\n", ab},
		{"nothing", "", nil},
		{"only blank lines", "\n\r\n\n", nil},
		{"case and codes are kept", ">acgtNn*\n<RYkmU\n", []pair{{query: "acgtNn*", target: "RYkmU"}}},
		{"empty query", ">\n<ACGT\n", []pair{{target: "ACGT"}}},
		{"empty target at the end", ">ACGT\n<", []pair{{query: "ACGT"}}},
		{"both empty", ">\n<\n>\r\n<\r\n", []pair{{}, {}}},
		{"lines longer than the buffer", ">" + long + "\n<" + long + "A\n>A\n<C\n", []pair{{query: long, target: long + "A"}, {query: "A", target: "C"}}},
		{"gzip", compress(t, ">ACGT\n<AGT\n>TT\n<TTT\n"), ab},
		{"gzip members cut a line", compress(t, ">AC", "GT\n<AGT\n>TT", "", "\n<TTT"), ab},
		{"gzip of nothing", compress(t, ""), nil},
	}
	for _, tc := range tests {
		for _, lim := range []Limits{{}, {Bases: 1}, {Pairs: 1}, {Bases: 12, Pairs: 7}} {
			got, err := readFiles(t, lim, tc.text)
			if err != nil {
				t.Errorf("%s, %+v: %v", tc.name, lim, err)
			}
			if len(tc.text) > 1<<20 {
				if len(got) != len(tc.want) || got[0] != tc.want[0] || got[1] != tc.want[1] {
					t.Errorf("%s, %+v: the pairs differ", tc.name, lim)
				}
				continue
			}
			equalPairs(t, tc.name, got, tc.want)
		}
	}
}

func TestSeqErrors(t *testing.T) {
	const usage = "want a line >QUERY, then a line <TARGET (FASTA and FASTQ are read as a query and a target file)"
	tests := []struct {
		name, text string
		pairs      int
		want       string
	}{
		{"target first", "<ACGT\n>A\n", 0, "pairs:1: record 1: found a line <TARGET without its line >QUERY"},
		{"neither mark", "\n\nACGT\n", 0, "pairs:3: record 1: found a line that starts with 'A': want a line >QUERY, then a line <TARGET"},
		{"FASTA", ">r1 x\nACGT\n>r2\nAC\n", 0, "pairs:2: record 1: found a FASTA sequence in a pairs file: " + usage},
		{"FASTQ", "@r1\nACGT\n+\nIIII\n", 0, "pairs:1: record 1: found a FASTQ header in a pairs file: " + usage},
		{"two queries", ">A\n<C\n\n>A\n>C\n", 1, "pairs:5: record 2: found a second line >QUERY: want a line <TARGET after the first"},
		{"two targets", ">A\n<C\n<A\n", 1, "pairs:3: record 2: found a line <TARGET without its line >QUERY"},
		{"a line of its own", ">A\n<C\n>A\nC\n", 1, "pairs:4: record 2: found a line that starts with 'C': want a line <TARGET after the line >QUERY"},
		{"cut after the query", ">A\n<C\n>ACGT\n", 1, "pairs:3: record 2: the file ends after a line >QUERY: its line <TARGET is missing"},
		{"cut within the query", ">A\n<C\n>AC\n\n", 1, "pairs:3: record 2: the file ends after a line >QUERY: its line <TARGET is missing"},
		{"digit", ">A\n<C\n>AC1T\n<ACGT\n", 1, "pairs:3: record 2: query position 3: '1' is not a sequence letter"},
		{"gap", ">A\n<C\n\n>ACT\n<ACG-\n", 1, "pairs:5: record 2: target position 4: '-' is not a sequence letter"},
		{"blank", ">A C\n<ACG\n", 0, "pairs:1: record 1: query position 2: byte 0x20 is not a sequence letter"},
		{"blank at the end", ">AC\n<ACG \n", 0, "pairs:2: record 1: target position 4: byte 0x20 is not a sequence letter"},
		{"CR within", ">A\rC\n<ACG\n", 0, "pairs:1: record 1: query position 2: byte 0x0d is not a sequence letter: want lines that end in LF or CRLF, not in CR alone; tr '\\r' '\\n' converts them"},
		{"high byte", ">A\xc3C\n<ACG\n", 0, "pairs:1: record 1: query position 2: byte 0xc3 is not a sequence letter"},
		{"BAM", compress(t, "BAM\x01\x00\x00"), 0, "pairs:1: record 1: found BAM: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"gzip twice", compress(t, compress(t, ">A\n<C\n")), 0, "pairs:1: record 1: found data compressed with gzip: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"xz", "\xfd7zXZ\x00\x00", 0, "pairs:1: record 1: the xz data is cut short: unexpected EOF"},
		{"xz within its first bytes", "\xfd7zXZ", 0, "pairs:1: record 1: the xz data is cut short: unexpected EOF"},
		{"bzip2 within its first bytes", "BZh9", 0, "pairs:1: record 1: the bzip2 data is cut short: unexpected EOF"},
		{"bzip2 before its block", "BZh91AY&S", 0, "pairs:1: record 1: the bzip2 data is cut short: unexpected EOF"},
		{"zip without files", "PK\x05\x06\x00", 0, "pairs:1: record 1: found a zip archive: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", 0, "pairs:1: record 1: found a 7z archive: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"compress", "\x1f\x9d\x90>", 0, "pairs:1: record 1: found data compressed with compress: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"lz4", "\x04\x22\x4d\x18d@", 0, "pairs:1: record 1: found data compressed with lz4: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"tar in gzip", compress(t, "p.seq"+strings.Repeat("\x00", 252)+"ustar\x0000"), 0, "pairs:1: record 1: found a tar archive: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"BCF in gzip", compress(t, "BCF\x02\x02"), 0, "pairs:1: record 1: found BCF: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"2bit", "\x43\x27\x41\x1a\x00", 0, "pairs:1: record 1: found 2bit: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"POD5", "\x8bPOD\r\n\x1a\n", 0, "pairs:1: record 1: found POD5: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"VCF", "##fileformat=VCFv4.2\n#CHROM\tPOS\n", 0, "pairs:1: record 1: found VCF: want pairs, FASTA or FASTQ"},
		{"GFF", "##gff-version 3\n", 0, "pairs:1: record 1: found GFF: want pairs, FASTA or FASTQ"},
		{"PAF", "r1\t4\t0\t4\t-\tchr1\t9\t0\t4\t4\t4\t60\n", 0, "pairs:1: record 1: found PAF: want pairs, FASTA or FASTQ"},
		{"no PAF: a strand of another kind", "r1\t4\t0\t4\t*\tchr1\t9\t0\t4\t4\t4\t60\n", 0, "pairs:1: record 1: found a line that starts with 'r': want a line >QUERY, then a line <TARGET"},
		{"no PAF: a word for a number", "r1\t4\t0\t4\t+\tchr1\tx\t0\t4\t4\t4\t60\n", 0, "pairs:1: record 1: found a line that starts with 'r': want a line >QUERY, then a line <TARGET"},
		{"HTML", "<!DOCTYPE html>\n<html>\n", 0, "pairs:1: record 1: found HTML, perhaps the error page of a download: want pairs, FASTA or FASTQ"},
		{"HTML in capitals", "<HTML><HEAD>\n", 0, "pairs:1: record 1: found HTML, perhaps the error page of a download: want pairs, FASTA or FASTQ"},
		{"UTF-16", "\xff\xfe>\x00A\x00", 0, "pairs:1: record 1: found UTF-16 text: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"UTF-16 without a mark", ">\x00A\x00\n\x00", 0, "pairs:1: record 1: found binary data: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"binary", "\x7fELF\x02\x01\x01\x00", 0, "pairs:1: record 1: found binary data: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
	}
	for _, tc := range tests {
		for _, lim := range []Limits{{}, {Bases: 1}, {Pairs: 1}} {
			got, err := readFiles(t, lim, tc.text)
			if msg := message(t, err); msg != tc.want || len(got) != tc.pairs {
				t.Errorf("%s: %d pairs and %q\nwant %d and %q", tc.name, len(got), msg, tc.pairs, tc.want)
			}
		}
	}
}

// Lines of a pairs file may have names, each of its own.
func TestSeqNames(t *testing.T) {
	text := ">AC\tr1\n<CG\tchr1\r\n>\tempty\n<\n>A\n<\tt\n>acgt\n<ACGT\n"
	want := []pair{{"r1", "AC", "chr1", "CG"}, {"empty", "", "", ""}, {"", "A", "t", ""}, {"", "acgt", "", "ACGT"}}
	got, err := readFiles(t, Limits{}, text)
	equalPairs(t, "names", got, want)
	if err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		">AC\t\n<CG\n":    "pairs:1: record 1: query position 3: a tab without a name behind it",
		">AC\n<CG\t\n":    "pairs:2: record 1: target position 3: a tab without a name behind it",
		">AC\ta b\n<CG\n": "pairs:1: record 1: the name of the query, position 2: byte 0x20 may not stand in a name, which is one word",
		">AC\n<CG\t>b\n":  `pairs:2: record 1: the name of the target, position 1: '>' may not stand in a name, which is one word`,
		">A-\tb\n<CG\n":   `pairs:1: record 1: query position 2: '-' is not a sequence letter`,
	} {
		if _, err := readFiles(t, Limits{}, text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
