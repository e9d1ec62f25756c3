package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"wfagpu/io/formattest"
)

// looseReads makes pairs of a read with letters of its own at both ends and a target in which the
// rest lies somewhere, the file of reads with qualities.
func looseReads(t *testing.T, dir string, n int) (reads, targets []string, args []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 17))
	letters := func(n int) string {
		s := make([]byte, n)
		for i := range s {
			s[i] = "ACGT"[rng.IntN(4)]
		}
		return string(s)
	}
	var fastq, fasta strings.Builder
	for i := range n {
		core := letters(60 + rng.IntN(60))
		changed := []byte(core)
		changed[20] = "CATG"[strings.IndexByte("ACGT", changed[20])]
		read := letters(rng.IntN(25)) + string(changed[:40]) + letters(rng.IntN(3)) + string(changed[40+rng.IntN(3):]) + letters(rng.IntN(25))
		target := letters(rng.IntN(40)) + core + letters(rng.IntN(40))
		reads, targets = append(reads, read), append(targets, target)
		fmt.Fprintf(&fastq, "@r%d\n%s\n+\n%s\n", i, read, strings.Repeat("I", len(read)))
		fmt.Fprintf(&fasta, ">t%d\n%s\n", i, target)
	}
	q, f := filepath.Join(dir, "q.fq"), filepath.Join(dir, "t.fa")
	writeFiles(t, map[string]string{q: fastq.String(), f: fasta.String()})
	return reads, targets, []string{"--check-names", "off", "-q", q, "-t", f}
}

// TestFormatsOfSpans: places, clips and similarities of local and ends-free alignments, which samtools
// takes.
func TestFormatsOfSpans(t *testing.T) {
	dir := t.TempDir()
	reads, targets, input := looseReads(t, dir, 200)
	for name, span := range map[string]string{
		"local": "--span local --match 2 -g 4,4,2", "extension": "--span extension --match 2 -g 4,4,2",
		"ends-free": "--span ends-free -g 2,3,1", "ends-free similarity": "--span ends-free --free all,all,all,all --match 1 -g 4,6,1",
	} {
		penalties := formattest.Penalties{Mismatch: 4, Open: 4, Extend: 2}
		match := 2
		switch name {
		case "ends-free":
			penalties, match = defaultCosts, 0
		case "ends-free similarity":
			penalties, match = formattest.Penalties{Mismatch: 4, Open: 6, Extend: 1}, 1
		}
		args := append(append([]string{"align", "--device", "cpu", "--check"}, strings.Fields(span)...), input...)
		path := filepath.Join(dir, "out.sam")
		wfagpu(t, append(args, "--md", "-O", "sam", "-o", path)...)
		s, err := formattest.ParseSAM(readFile(t, path))
		if err != nil {
			t.Fatal(err)
		}
		clipped, fasta := 0, strings.Builder{}
		lines := strings.Split(wfagpu(t, append(args, "--cs", "-O", "paf")...), "\n")
		for i, r := range s.Records {
			fmt.Fprintf(&fasta, ">t%d\n%s\n", i, targets[i])
			if !r.Mapped() { // of an extension that does not begin
				lines = append([]string{""}, lines...)
				continue
			}
			c, begin, end, err := r.Replay(reads[i], targets[i], penalties)
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, r, err)
			}
			p, err := formattest.ParsePAF(lines[i])
			if err != nil {
				t.Fatalf("%s: %q: %v", name, lines[i], err)
			}
			if _, err := p.Replay(reads[i], targets[i], penalties); err != nil || p.TargetStart != begin || p.TargetEnd != end || p.Tags["AS:i"] != r.Tags["AS:i"] {
				t.Fatalf("%s: %s: %v, SAM is at %d to %d, %v", name, lines[i], err, begin, end, r.Tags)
			}
			if want := strconv.Itoa(match*c.Matches - c.Penalty); r.Tags["AS:i"] != want {
				t.Fatalf("%s: %+v: want AS %s", name, r, want)
			}
			if strings.Contains(r.CIGAR, "S") {
				clipped++
			}
		}
		if len(s.Records) != len(reads) || (clipped > 0) != (name != "ends-free") {
			t.Errorf("%s: %d records, %d of them clipped", name, len(s.Records), clipped)
		}
		t.Run(name, func(t *testing.T) { sameAsSamtools(t, path, fasta.String()) })
	}
}
