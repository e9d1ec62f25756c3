package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align/simulate"
	"wfagpu/scripts/internal/sets"
)

func TestReadPAF(t *testing.T) {
	const paf = "r1\t100\t0\t90\t+\tchr1\t1000\t200\t290\t88\t90\t60\ttp:A:P\tAS:i:150\n" +
		"r1\t100\t10\t100\t-\tchr2\t1000\t300\t390\t90\t90\t60\ttp:A:P\tAS:i:170\n" +
		"r1\t100\t0\t100\t+\tchr3\t1000\t0\t100\t90\t90\t0\ttp:A:S\tAS:i:190\n" +
		"r2\t50\t0\t50\t+\tchr1\t1000\t0\t50\t50\t50\t0\ttp:A:S\tAS:i:100\n"
	hits, err := readPAF(strings.NewReader(paf))
	if err != nil {
		t.Fatal(err)
	}
	want := hit{length: 100, start: 10, end: 100, strand: '-', target: "chr2", targetLength: 1000, targetFrom: 300, targetTo: 390, score: 170}
	if len(hits) != 1 || hits["r1"] != want {
		t.Errorf("hits %+v, want r1 alone: %+v", hits, want)
	}
	const good = "r1\t100\t0\t90\t+\tc\t9\t2\t2\t8\t9\t6\n"
	for bad, want := range map[string]string{
		"":                                       "1 columns, want 12",
		"r1\t100":                                "2 columns, want 12",
		"@SQ\tSN:c\tLN:9":                        "3 columns, want 12",
		"r1\t1x\t0\t90\t+\tc\t9\t2\t2\t8\t9\t6":  `parsing "1x"`,
		"r1\t100\t0\t90\t?\tc\t9\t2\t2\t8\t9\t6": `strand "?"`,
		"r1\t100\t0\t90\t+\tc\t9\t2\t2\t8\t9\t6\tAS:i:x":          `parsing "x"`,
		"r1\t100\t-1\t90\t+\tc\t9\t2\t2\t8\t9\t6":                 "positions -1 to 90 are not in a read of 100 bases",
		"r1\t100\t91\t90\t+\tc\t9\t2\t2\t8\t9\t6":                 "positions 91 to 90 are not in a read of 100 bases",
		"r1\t100\t0\t101\t+\tc\t9\t2\t2\t8\t9\t6":                 "positions 0 to 101 are not in a read of 100 bases",
		"r1\t100\t0\t90\t+\tc\t9\t-2\t2\t8\t9\t6":                 "positions -2 to 2 are not in a target of 9 bases",
		"r1\t100\t0\t90\t+\tc\t9\t3\t2\t8\t9\t6":                  "positions 3 to 2 are not in a target of 9 bases",
		"r1\t100\t0\t90\t+\tc\t9\t2\t10\t8\t9\t6":                 "positions 2 to 10 are not in a target of 9 bases",
		"r1\t99999999999999999999\t0\t90\t+\tc\t9\t2\t2\t8\t9\t6": "value out of range",
	} {
		_, err := readPAF(strings.NewReader(good + bad + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "PAF, line 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want line 2: %s", bad, err, want)
		}
	}
}

func TestCut(t *testing.T) {
	reference := []byte("aaaaCCCCggggTTTTACGT")
	tests := []struct {
		name          string
		read          string
		h             hit
		aligned       bool
		query, target string
		at            int
	}{
		{"all of it", "CCCCGGGG", hit{start: 0, end: 8, strand: '+', targetFrom: 4, targetTo: 12}, false, "CCCCGGGG", "CCCCGGGG", 4},
		{"clipped at both ends", "tCCCGGGGca", hit{start: 1, end: 8, strand: '+', targetFrom: 5, targetTo: 12}, false, "TCCCGGGGCA", "CCCCGGGGTT", 4},
		{"clipped, the aligned part", "tCCCGGGGca", hit{start: 1, end: 8, strand: '+', targetFrom: 5, targetTo: 12}, true, "CCCGGGG", "CCCGGGG", 5},
		{"reverse strand", "AACCCCGGG", hit{start: 2, end: 9, strand: '-', targetFrom: 5, targetTo: 12}, false, "CCCGGGGTT", "CCCGGGGTT", 5},
		{"reverse strand, the aligned part", "NACCCCGGG", hit{start: 2, end: 9, strand: '-', targetFrom: 5, targetTo: 12}, true, "CCCGGGG", "CCCGGGG", 5},
		{"beyond the reference's begin", "GGGAAAA", hit{start: 3, end: 7, strand: '+', targetFrom: 0, targetTo: 4}, false, "GGGAAAA", "AAAA", 0},
		{"beyond its end", "ACGTCC", hit{start: 0, end: 4, strand: '+', targetFrom: 16, targetTo: 20}, false, "ACGTCC", "ACGT", 16},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			read := []byte(test.read)
			query, target, at := rule{aligned: test.aligned}.cut(test.h, read, reference)
			if string(query) != test.query || string(target) != test.target || at != test.at {
				t.Errorf("got %s, %s at %d; want %s, %s at %d", query, target, at, test.query, test.target, test.at)
			}
			if string(read) != test.read {
				t.Error("the read has changed")
			}
		})
	}
}

func TestKeeps(t *testing.T) {
	r := rule{minAligned: 50, minShare: 0.9}
	for _, test := range []struct {
		h    hit
		want bool
	}{
		{hit{length: 100, start: 0, end: 90}, true},
		{hit{length: 100, start: 0, end: 89}, false},
		{hit{length: 49, start: 0, end: 49}, false},
	} {
		if r.keeps(test.h) != test.want {
			t.Errorf("%+v kept: %v", test.h, !test.want)
		}
	}
}

// Reads cut from a random reference come back with the places they are from.
func TestWithMinimap2(t *testing.T) {
	if _, err := exec.LookPath("minimap2"); err != nil {
		t.Skip("minimap2 is not installed")
	}
	g, err := simulate.New(simulate.Options{Length: 50_000, Seed: 77})
	if err != nil {
		t.Fatal(err)
	}
	_, reference := g.Next()
	dir := t.TempDir()
	var fasta, fastq, want bytes.Buffer
	fasta.WriteString(">chr1 of a test\n")
	fasta.Write(reference)
	fasta.WriteString("\n")
	for i := range 20 {
		stretch := reference[1000+2000*i : 2000+2000*i]
		read := bytes.Clone(stretch)
		read[500] = complements[read[500]] // one mismatch
		want.WriteString(">" + string(read) + "\n<" + string(stretch) + "\n")
		if i%2 == 1 {
			reverseComplement(read)
		}
		fastq.WriteString("@read" + strconv.Itoa(i) + "\n" + string(read) + "\n+\n" + strings.Repeat("I", len(read)) + "\n")
	}
	files := map[string]string{}
	for name, text := range map[string]*bytes.Buffer{"ref.fa": &fasta, "reads.fq": &fastq, "want.seq": &want} {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out.seq.gz")
	var said bytes.Buffer
	err = run(t.Context(), []string{"-ref", files["ref.fa"], "-x", "map-hifi", "-threads", "1", "-o", out, "-compare", files["want.seq"], files["reads.fq"]}, io.Discard, &said)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "20 of the 20 pairs") {
		t.Errorf("it says %q", said.String())
	}
	if b, err := sets.Read(out, 0); err != nil || len(b.Pairs) != 20 {
		t.Errorf("the file has %d pairs, %v", len(b.Pairs), err)
	}
}
