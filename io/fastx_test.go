package seqio

import (
	"errors"
	"strings"
	"testing"
)

func TestReadFastx(t *testing.T) {
	const targets = ">t1\nAGT\n>t2\nTTT\n"
	want := []pair{{"q1", "ACGT", "t1", "AGT"}, {"q2", "TT", "t2", "TTT"}}
	queries := []struct{ name, text string }{
		{"FASTA", ">q1\nACGT\n>q2\nTT\n"},
		{"FASTQ", "@q1\nACGT\n+\nIIII\n@q2\nTT\n+\nII\n"},
		{"no final newline", ">q1\nACGT\n>q2\nTT"},
		{"FASTQ, no final newline", "@q1\nACGT\n+\nIIII\n@q2\nTT\n+\nII"},
		{"wrapped", ">q1\nAC\nG\nT\n>q2\nT\nT\n"},
		{"CRLF, wrapped", ">q1 x\r\nAC\r\nGT\r\n>q2\r\nTT\r\n"},
		{"FASTQ, CRLF", "@q1\r\nACGT\r\n+\r\nIIII\r\n@q2\r\nTT\r\n+\r\nII\r\n"},
		{"blank lines", "\n\n>q1\n\nAC\n\nGT\n\n\n>q2\nTT\n\n\n"},
		{"FASTQ, blank lines between records", "\r\n@q1\nACGT\n+\nIIII\n\n\n@q2\nTT\n+\nII\n\n"},
		{"descriptions", ">q1 the first\nACGT\n>q2\tlength=2 >x\nTT\n"},
		{"CRs at the end of a header", ">q1 x\r\r\nACGT\n>q2\r\r\r\nTT\n"},
		{"blank before the name", "> q1 x\nACGT\n>\tq2\nTT\n"},
		{"FASTQ with the name repeated", "@q1 x\nACGT\n+q1 x\nIIII\n@q2\nTT\n+q2\nII\n"},
		{"FASTQ, wrapped", "@q1\nAC\nGT\n+\nI\nII\nI\n@q2\nTT\n+\nII\n"},
		{"quality that looks like a header", "@q1\nACGT\n+\n@+>I\n@q2\nTT\n+\n@@\n"},
		{"wrapped quality that looks like a header", "@q1\nAC\nGT\n+\n@q\n@2\n@q2\nT\nT\n+\n+\n@\n"},
		{"byte order mark", "\xef\xbb\xbf>q1\nACGT\n>q2\nTT\n"},
		{"gzip", compress(t, ">q1\nACGT\n>q2\nTT\n")},
		{"gzip members cut a record", compress(t, "@q1\nAC", "GT\n+\nII", "II\n@", "q2\nTT\n+\nII")},
	}
	for _, tc := range queries {
		for _, lim := range []Limits{{}, {Bases: 1}, {Pairs: 1}} {
			got, err := readFiles(t, lim, tc.text, targets)
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			equalPairs(t, tc.name, got, want)
		}
	}
}

func TestReadFastxLimits(t *testing.T) {
	long := strings.Repeat("ACGTTGCA", 1<<17)
	quality := strings.Repeat("@", len(long))
	tests := []struct {
		name, query, target string
		want                []pair
	}{
		{"nothing", "", "", nil},
		{"blank lines only", "\n\r\n", "\n", nil},
		{"empty records", ">a\n>b\n\n>c", ">x\nA\n>y\n\n>z\n", []pair{{"a", "", "x", "A"}, {"b", "", "y", ""}, {"c", "", "z", ""}}},
		{"empty FASTQ records", "@a\n\n+\n\n@b\n+\n@c\nA\n+\nI\n", ">x\n>y\n>z\n", []pair{{"a", "", "x", ""}, {"b", "", "y", ""}, {"c", "A", "z", ""}}},
		{"case and codes are kept", ">a\nacgtNn*\n", "@x\nRYkmU\n+\nIIIII\n", []pair{{"a", "acgtNn*", "x", "RYkmU"}}},
		{"records longer than any buffer", "@a\n" + long + "\n+\n" + quality + "\n@b\nA\n+\nI\n", ">x\n" + long[:70000] + "\n" + long[70000:] + "\n>y\nC\n",
			[]pair{{"a", long, "x", long}, {"b", "A", "y", "C"}}},
	}
	for _, tc := range tests {
		got, err := readFiles(t, Limits{}, tc.query, tc.target)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if len(tc.query) > 1<<20 {
			if len(got) != 2 || got[0] != tc.want[0] || got[1] != tc.want[1] {
				t.Errorf("%s: the pairs differ", tc.name)
			}
			continue
		}
		equalPairs(t, tc.name, got, tc.want)
	}
}

func TestFastxErrors(t *testing.T) {
	const anyHeader = "want a FASTA header, which starts with '>', or a FASTQ header, with '@'"
	const loneCR = `want lines that end in LF or CRLF, not in CR alone; tr '\r' '\n' converts them`
	tests := []struct {
		name, query string
		pairs       int
		want        string
	}{
		{"a pairs file", ">ACGT\n<ACG\n", 0, "query:2: record 1: found a line <TARGET in a FASTA file: .seq is read as a pairs file"},
		{"no header", "ACGT\n>a\nAC\n", 0, "query:1: record 1: found a line that starts with 'A': " + anyHeader},
		{"blank before the header", "\n >a\nAC\n", 0, "query:2: record 1: found a line that starts with byte 0x20: " + anyHeader},
		{"BAM", compress(t, "BAM\x01\x00"), 0, "query:1: record 1: found BAM: want text, plain or compressed once with gzip, zstd, bzip2 or xz"},
		{"SAM", "@HD\tVN:1.6\n", 0, "query:1: record 1: found SAM: want pairs, FASTA or FASTQ; samtools fasta or fastq converts"},
		{"CR alone ends the lines", ">a\rACGT\r>b\rAC\r", 0, "query:1: record 1: header position 3: byte 0x0d is followed by more: " + loneCR},
		{"CR alone ends a line", ">a\nA\n>b\rC\n>c\nA\n", 1, "query:3: record 2: header position 3: byte 0x0d is followed by more: " + loneCR},
		{"CR alone ends the lines of FASTQ", "@a x\rACGT\r+\rIIII\r", 0, "query:1: record 1: header position 5: byte 0x0d is followed by more: " + loneCR},
		{"CR alone within a sequence", ">a\nAC\rGT\r\n", 0, "query:2: record 1: sequence line position 3: byte 0x0d is not a sequence letter: " + loneCR},
		{"zero byte in a header", ">a\n" + strings.Repeat("A", 70000) + "\n>b c\x00\nC\n", 1, "query:3: record 2: header position 5: byte 0x00 is no text"},
		{"no name", ">a\nA\n> \nC\n", 1, "query:3: record 2: the header has no name"},
		{"FASTQ, no name", "@\nA\n+\nI\n", 0, "query:1: record 1: the header has no name"},
		{"letter", ">a\nA\n>b\nAC\n\nC1T\n", 1, "query:6: record 2: sequence line position 2: '1' is not a sequence letter"},
		{"header mark within", ">a\nA\n>b\nA>C\n", 1, "query:4: record 2: sequence line position 2: '>' is not a sequence letter"},
		{"FASTQ record in FASTA", ">a\nA\n@b\nC\n+\nI\n", 0, "query:3: record 1: found a FASTQ header in a FASTA file"},
		{"FASTA record in FASTQ", "@a\nA\n+\nI\n>b\nC\n", 1, "query:5: record 2: found a line that starts with '>': want a header that starts with '@'"},
		{"letter in FASTQ", "@a\nA\n+\nI\n@b\nA.\n+\nII\n", 1, "query:6: record 2: sequence line position 2: '.' is not a sequence letter"},
		{"short quality", "@a\nA\n+\nI\n@b\nACGT\n+\nII\n@c\nA\n+\nI\n", 1, "query:8: record 2: found 2 quality values for 4 letters"},
		{"short quality that the next name would fill", "@a\nACGT\n+\nII\n@b\nAC\n+\nII\n", 0, "query:4: record 1: found 2 quality values for 4 letters"},
		{"short quality with CRLF", "@a\nA\n+\nI\n@b\nACGT\n+\nIII\r\n", 1, "query:8: record 2: found 3 quality values for 4 letters"},
		{"long quality", "@a\nAC\n+\nIII\n@b\nA\n+\nI\n", 0, "query:4: record 1: found 3 quality values for 2 letters"},
		{"no quality", "@a\nAC\n+\n\n@b\nA\n+\nI\n", 0, "query:4: record 1: found 0 quality values for 2 letters"},
		{"long wrapped quality", "@a\nA\nC\n+\nI\nII\n", 0, "query:6: record 1: found 3 quality values for 2 letters"},
		{"no plus", "@a\nACGT\nIIII\n@b\nA\n+\nI\n", 0, "query:4: record 1: found the next header: want a line that starts with '+'"},
		{"no plus at all", "@a\nACGT\n@b\nACGT\n", 0, "query:3: record 1: found the next header: want a line that starts with '+'"},
		{"one line too many", "@a\nA\n+\nI\nI\n", 1, "query:5: record 2: found a line that starts with 'I': want a header that starts with '@'"},
		{"cut within the header", "@a\nA\n+\nI\n@b", 1, "query:5: record 2: the file ends within the record: its line that starts with '+' is missing"},
		{"cut within the sequence", "@a\nA\n+\nI\n@b\nAC", 1, "query:6: record 2: the file ends within the record: its line that starts with '+' is missing"},
		{"cut before the quality", "@a\nA\n+\nI\n@b\nAC\n+\n", 1, "query:7: record 2: the file ends within the record: it has 0 quality values for 2 letters"},
		{"cut within the quality", "@a\nA\n+\nI\n@b\nAC\n+\nI", 1, "query:8: record 2: found 1 quality value for 2 letters"},
		{"cut within the wrapped quality", "@b\nA\nC\n+\nI\n", 0, "query:5: record 1: the file ends within the record: it has 1 quality value for 2 letters"},
	}
	const targets = ">t1\nA\n>t2\nC\n>t3\nG\n"
	for _, tc := range tests {
		for _, lim := range []Limits{{}, {Bases: 1}, {Pairs: 1}} {
			got, err := readFiles(t, lim, tc.query, targets)
			if msg := message(t, err); msg != tc.want || len(got) != tc.pairs {
				t.Errorf("%s: %d pairs and %q\nwant %d and %q", tc.name, len(got), msg, tc.pairs, tc.want)
			}
		}
	}
}

func TestUneven(t *testing.T) {
	const two, three = ">a\nA\n>b\nC\n", "@x\nA\n+\nI\n@y\nC\n+\nI\n@z\nG\n+\nI\n"
	tests := []struct {
		name, query, target string
		pairs               int
		want                string
	}{
		{"more targets", two, three, 2, "query ends after 2 records, target has more: record 3, line 9"},
		{"more queries", three, two, 2, "target ends after 2 records, query has more: record 3, line 9"},
		{"no queries", "", two, 0, "query ends after 0 records, target has more: record 1, line 1"},
		{"more wrapped queries", "\n>a\nA\nC\n\n>b\nC\n\n>c\nA\nC\n>d\nA\n", two, 2, "target ends after 2 records, query has more: record 3, line 9"},
		{"no targets", two, "\n", 0, "target ends after 0 records, query has more: record 1, line 1"},
	}
	for _, tc := range tests {
		got, err := readFiles(t, Limits{}, tc.query, tc.target)
		uneven, ok := errors.AsType[*UnevenError](err)
		if !ok || uneven.Pairs != int64(tc.pairs) || len(got) != tc.pairs {
			t.Errorf("%s: %d pairs, %v", tc.name, len(got), err)
			continue
		}
		uneven.ShortFile, uneven.LongFile = message(t, errors.New(uneven.ShortFile)), message(t, errors.New(uneven.LongFile))
		if uneven.Error() != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, uneven, tc.want)
		}
	}
}
