package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"wfagpu/io/formattest"
)

// chainSample is the most reads of a set, and about the most letters, that the chain has in a test.
const (
	chainSampleReads   = 400
	chainSampleLetters = 150_000
)

// realPreset is minimap2's preset for a set.
func realPreset(t *testing.T, set string) string {
	t.Helper()
	for prefix, preset := range map[string]string{"illumina": "sr", "pacbio_hifi": "map-hifi", "pacbio_clr": "map-pb", "ont": "map-ont"} {
		if strings.HasPrefix(set, prefix) {
			return preset
		}
	}
	t.Fatalf("%s is of no known kind", set)
	return ""
}

// realChain is the first reads of a set, every second one on the other strand, and a reference of
// all targets, with N where there is none.
func realChain(t *testing.T, path string) *chain {
	t.Helper()
	base := strings.TrimSuffix(path, ".seq.gz")
	queries, targets := realPairs(t, path)
	genomes := map[string][]byte{}
	var order []string
	for i, line := range strings.Split(strings.TrimSpace(gunzip(t, base+".info.tsv.gz")), "\n")[1:] {
		f := strings.Split(line, "\t")
		from, err := strconv.Atoi(f[7])
		if err != nil {
			t.Fatal(err)
		}
		g, known := genomes[f[6]]
		if !known {
			order = append(order, f[6])
		}
		for len(g) < from+len(targets[i]) {
			g = append(g, 'N')
		}
		copy(g[from:], targets[i])
		genomes[f[6]] = g
	}
	var ref, reads [][2]string
	for _, name := range order {
		ref = append(ref, [2]string{name, string(genomes[name])})
	}
	letters := 0
	for i, read := range queries {
		if letters += len(read); i == chainSampleReads || i > 0 && letters > chainSampleLetters {
			break
		}
		if i%2 == 1 {
			read = formattest.Reverse(read)
		}
		reads = append(reads, [2]string{"r" + strconv.Itoa(i), read})
	}
	return newChain(t, realPreset(t, filepath.Base(base)), ref, reads)
}

// The chain on real reads, and on a reference put together from what they are aligned to: every
// record and every line fits its sequences, under minimap2's penalties, too, and samtools computes
// the same NM and MD.
func TestRealMapperChain(t *testing.T) {
	for _, set := range realSets(t) {
		t.Run(strings.TrimSuffix(filepath.Base(set), ".seq.gz"), func(t *testing.T) {
			c := realChain(t, set)
			s := c.sam(t)
			c.verify(t, s)
			sameAsSamtools(t, filepath.Join(c.dir, "out.sam"), readFile(t, filepath.Join(c.dir, "ref.fa")))
			c.tool(t, "bcftools", "mpileup", "--no-BAQ", "-d", "20", "-f", "ref.fa", "-o", "pileup.vcf", "out.bam")
			c.verifyPAF(t, s, c.align(t, "out.paf", "-O", "paf", "--cs"))
			c.verifyPAF(t, nil, c.align(t, "preset.paf", "-O", "paf", "--cs", "--preset", c.preset))
		})
	}
}

var anyClip = regexp.MustCompile("[0-9]+[HS]")

// verifyPAF replays lines. Their CIGARs are those of records of SAM, if there are any.
func (c *chain) verifyPAF(t *testing.T, s *formattest.SAM, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if s != nil && len(lines) != len(s.Records) {
		t.Fatalf("%d lines of PAF, %d records of SAM", len(lines), len(s.Records))
	}
	for i, line := range lines {
		r, err := formattest.ParsePAF(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Replay(c.reads[r.Query], c.ref[r.Target], defaultCosts); err != nil {
			t.Fatalf("line %d: %s: %v", i+1, r.Query, err)
		}
		if s != nil && r.Tags["cg:Z"] != anyClip.ReplaceAllString(s.Records[i].CIGAR, "") {
			t.Fatalf("line %d: %s: cg is %s, and SAM has %s", i+1, r.Query, r.Tags["cg:Z"], s.Records[i].CIGAR)
		}
	}
}
