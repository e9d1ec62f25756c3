package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wfagpu/io/formattest"
)

// chain is reads and a reference in files, with the tools of a pipeline around them.
type chain struct {
	dir    string
	preset string
	ref    map[string]string
	reads  map[string]string
}

// newChain writes the files. It skips the test where a tool is missing.
func newChain(t *testing.T, preset string, ref, reads [][2]string) *chain {
	t.Helper()
	c := &chain{dir: t.TempDir(), preset: preset, ref: map[string]string{}, reads: map[string]string{}}
	for _, tool := range []string{"minimap2", "samtools", "bcftools"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	var fasta, fastq strings.Builder
	for _, r := range ref {
		c.ref[r[0]] = r[1]
		fmt.Fprintf(&fasta, ">%s of a test\n", r[0])
		for part := range slices.Chunk([]byte(r[1]), 60) {
			fmt.Fprintf(&fasta, "%s\n", part)
		}
	}
	for _, r := range reads {
		c.reads[r[0]] = r[1]
		fmt.Fprintf(&fastq, "@%s\n%s\n+\n%s\n", r[0], r[1], strings.Repeat("5", len(r[1])))
	}
	writeFiles(t, map[string]string{filepath.Join(c.dir, "ref.fa"): fasta.String(), filepath.Join(c.dir, "reads.fq"): fastq.String()})
	return c
}

// tool runs a program in the chain's directory and returns its output.
func (c *chain) tool(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = c.dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v, %s", args, err, &stderr)
	}
	return string(out)
}

// align pipes the mapper's hits into the aligner and returns its output.
func (c *chain) align(t *testing.T, name string, args ...string) string {
	t.Helper()
	mapper := exec.Command("minimap2", "-x", c.preset, "ref.fa", "reads.fq")
	mapper.Dir = c.dir
	hits, err := mapper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mapper.Start(); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	opts := defaultAlignOptions()
	opts.engine.System = noGPUs
	at := func(name string) string { return filepath.Join(c.dir, name) }
	code := runWith(t.Context(), opts, append([]string{"align", "--check", "-p", "-", "-q", at("reads.fq"), "-t", at("ref.fa"), "-o", at(name)}, args...),
		streams{hits, io.Discard, &stderr})
	if err := mapper.Wait(); err != nil || code != exitOK {
		t.Fatalf("minimap2: %v; wfagpu: exit code %d, %s", err, code, &stderr)
	}
	return readFile(t, at(name))
}

// sam aligns the hits and reads the records.
func (c *chain) sam(t *testing.T) *formattest.SAM {
	t.Helper()
	s, err := formattest.ParseSAM(c.align(t, "out.sam", "-O", "sam", "--md"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verify replays every record, and compares its place with the mapper's own alignment.
func (c *chain) verify(t *testing.T, s *formattest.SAM) {
	t.Helper()
	if want := strings.Count(c.tool(t, "minimap2", "-x", c.preset, "ref.fa", "reads.fq"), "\n"); len(s.Records) != want || want == 0 {
		t.Errorf("%d records of %d hits", len(s.Records), want)
	}
	type span struct{ begin, end int }
	places := map[string]span{}
	for _, r := range s.Records {
		read := c.reads[r.Name]
		_, begin, end, err := r.Replay(read, c.ref[r.Target], defaultCosts)
		if err != nil {
			t.Fatalf("%s, flag %d, %s:%d, %s: %v", r.Name, r.Flag, r.Target, r.Pos, r.CIGAR, err)
		}
		if r.Reverse() {
			read = formattest.Reverse(read)
		}
		if r.Seq != read || r.Qualities != strings.Repeat("5", len(read)) {
			t.Fatalf("%s: the sequence or its qualities are not those of the read", r.Name)
		}
		if r.Flag&^16 == 0 {
			places[fmt.Sprint(r.Name, r.Target, r.Flag)] = span{begin, end}
		}
	}
	mapped, err := formattest.ParseSAM(c.tool(t, "minimap2", "-ax", c.preset, "ref.fa", "reads.fq"))
	if err != nil {
		t.Fatal(err)
	}
	same, all := 0, 0
	for _, r := range mapped.Records {
		if r.Flag&^16 != 0 {
			continue
		}
		all++
		ops, err := formattest.ParseCIGAR(r.CIGAR)
		if err != nil {
			t.Fatal(err)
		}
		end := r.Pos - 1
		for _, op := range ops {
			if strings.ContainsRune("M=XDN", rune(op.Letter)) {
				end += op.Length
			}
		}
		if p, ok := places[fmt.Sprint(r.Name, r.Target, r.Flag)]; ok && p.begin < end && r.Pos-1 < p.end {
			same++
		}
	}
	if all == 0 || same < all-all/50 {
		t.Errorf("%d of %d reads are where minimap2 -ca aligns them", same, all)
	}
	c.tool(t, "samtools", "quickcheck", "-v", "out.sam")
	c.tool(t, "samtools", "sort", "-o", "out.bam", "out.sam")
	c.tool(t, "samtools", "index", "out.bam")
}

// Variants of simulated reads come out of a chain of mapper, aligner and caller.
func TestMapperChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	letters := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ACGT"[rng.IntN(4)]
		}
		return b
	}
	change := func(b byte) byte { return "CGTA"[strings.IndexByte("ACGT", b)] }
	var ref, reads [][2]string
	var want []string
	for c := range 2 {
		chr := letters(20_000)
		ref = append(ref, [2]string{fmt.Sprint("chr", c+1), string(chr)})
		for at := 500 + rng.IntN(300); at < len(chr)-500; at += 600 + rng.IntN(500) {
			want = append(want, fmt.Sprintf("chr%d\t%d\t%c\t%c", c+1, at+1, chr[at], change(chr[at])))
			chr[at] = change(chr[at])
		}
		for n := 0; n < 25*len(chr); {
			from := rng.IntN(len(chr) - 400)
			read := bytes.Clone(chr[from:min(len(chr), from+400+rng.IntN(2000))])
			for range len(read) / 100 {
				i := rng.IntN(len(read))
				read[i] = change(read[i])
			}
			text := string(read)
			if rng.IntN(2) == 0 {
				text = formattest.Reverse(text)
			}
			reads = append(reads, [2]string{fmt.Sprint("r", len(reads)), text})
			n += len(read)
		}
		reads = append(reads, [2]string{fmt.Sprint("noise", c), string(letters(500))})
	}
	c := newChain(t, "map-ont", ref, reads)
	c.verify(t, c.sam(t))
	c.tool(t, "bcftools", "mpileup", "-f", "ref.fa", "-o", "pileup.vcf", "out.bam")
	var got []string
	for line := range strings.Lines(c.tool(t, "bcftools", "call", "-mv", "--ploidy", "1", "-Ov", "pileup.vcf")) {
		if f := strings.Split(line, "\t"); line[0] != '#' {
			got = append(got, strings.Join([]string{f[0], f[1], f[3], f[4]}, "\t"))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("called\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
