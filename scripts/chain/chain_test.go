package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/pgzip"

	"wfagpu/align/simulate"
	"wfagpu/io/formattest"
)

// writeGzip writes a compressed file.
func writeGzip(t *testing.T, file, text string) {
	t.Helper()
	var b bytes.Buffer
	w := pgzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The whole command on simulated sets: long reads without places, and short ones that overlap in
// a reference, with qualities.
func TestRun(t *testing.T) {
	for _, tool := range []string{"minimap2", "samtools", "bcftools", "awk", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	long, err := simulate.New(simulate.Options{Length: 2000, ErrorRate: 0.06, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	var pairs strings.Builder
	for range 40 {
		query, target := long.Next()
		fmt.Fprintf(&pairs, ">%s\n<%s\n", query, target)
	}
	writeGzip(t, filepath.Join(dir, "ont_made.seq.gz"), pairs.String())

	rng := rand.New(rand.NewPCG(3, 3))
	letters := make([]byte, 3000)
	for i := range letters {
		letters[i] = "ACGT"[rng.IntN(4)]
	}
	pairs.Reset()
	info, fastq := "ref\ttstart\n", ""
	for i := range 100 {
		at := rng.IntN(len(letters) - 150)
		target := letters[at : at+150]
		query := bytes.Clone(target)
		for range 4 {
			query[rng.IntN(len(query))] = "ACGTN"[rng.IntN(5)]
		}
		fmt.Fprintf(&pairs, ">%s\n<%s\n", query, target)
		info += fmt.Sprintf("genome:1-3000\t%d\n", at)
		fastq += fmt.Sprintf("@%d\n%s\n+\n%s\n", i, query, strings.Repeat("5", 149)+"A")
	}
	writeGzip(t, filepath.Join(dir, "illumina_made.seq.gz"), pairs.String())
	writeGzip(t, filepath.Join(dir, "illumina_made.info.tsv.gz"), info)
	writeGzip(t, filepath.Join(dir, "illumina_made.reads.fastq.gz"), fastq)

	t.Chdir("../..")
	program := filepath.Join(t.TempDir(), "wfagpu")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/wfagpu").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	o := options{data: dir, rounds: 1, threads: 1, longest: 5000, program: program}
	var stdout, stderr bytes.Buffer
	wrong, err := run(t.Context(), o, &stdout, &stderr)
	if err != nil || wrong {
		t.Fatalf("%v, wrong: %v, %s", err, wrong, &stderr)
	}
	for _, want := range []string{
		`(?m)^\| ont_made \| -x map-ont \| 40 \| 40 \| 40 \| 40 \|`, `(?m)^\| ont_made \|( \d+ / \d+ / 0 \|){3}$`,
		`(?m)^\| ont_made \| 40 \| 40 \| 0 \| [1-9]\d* \|$`, `(?m)^\| illumina_made \| 100 \| \d+ \| 0 \| [1-9]\d* \|$`,
	} {
		if !regexp.MustCompile(want).Match(stdout.Bytes()) {
			t.Errorf("the tables have no row %s:\n%s", want, &stdout)
		}
	}

	// A program that writes a wrong tag.
	o.program = program + "-wrong"
	script := "#!/bin/sh\n'" + program + "' \"$@\" | sed 's/NM:i:4/NM:i:5/'\n"
	if err := os.WriteFile(o.program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	o.only = "illumina"
	stderr.Reset()
	if wrong, err := run(t.Context(), o, io.Discard, &stderr); err != nil || !wrong || !strings.Contains(stderr.String(), "NM:i is 5, samtools calmd has 4") {
		t.Errorf("%v, wrong: %v, %s", err, wrong, &stderr)
	}
	// One that fails.
	o.program = filepath.Join(dir, "none")
	if _, err := run(t.Context(), o, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), o.program) {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestSample(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ont_x.seq.gz")
	writeGzip(t, file, ">ACGTT\n<ACGT\n>CCC\n<CCCC\n>GT\n<ACGT\n")
	s, err := newSample(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "ACGT" + strings.Repeat("N", spacer) + "CCCC"; len(s.order) != 1 || s.genome[s.order[0]] != want {
		t.Errorf("the reference is %v", s.genome)
	}
	if s.reads[0].letters != "ACGTT" || s.reads[1].letters != "GGG" || s.reads[2].letters != "GT" || s.readsFile() != "reads.fa" {
		t.Errorf("the reads are %v", s.reads)
	}
	writeGzip(t, filepath.Join(dir, "ont_x.info.tsv.gz"), "pair\tref\ttstart\n0\ta\t2\n1\tb\t0\n2\ta\t5\n")
	writeGzip(t, filepath.Join(dir, "ont_x.reads.fastq.gz"), "@0\nACGTT\n+\n12345\n@1\nCCC\n+\n123\n@2\nGT\n+\n12\n")
	if s, err = newSample(file); err != nil {
		t.Fatal(err)
	}
	if s.genome["a"] != "NNACGACGT" || s.genome["b"] != "CCCC" || s.reads[0].qualities != "12345" || s.reads[1].qualities != "321" {
		t.Errorf("the reference is %v, the reads are %v", s.genome, s.reads)
	}
	for name, text := range map[string]string{
		"ont_x.info.tsv.gz":    "pair\tref\ttstart\n0\ta\t2\n1\tb\n2\ta\t5\n",
		"ont_x.reads.fastq.gz": "@0\nACGTA\n+\n12345\n@1\nCCC\n+\n123\n@2\nGT\n+\n12\n",
	} {
		writeGzip(t, filepath.Join(dir, name), text)
		if _, err := newSample(file); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if formattest.Reverse(s.reads[1].letters) != "CCC" {
		t.Error("the second read is not reversed")
	}
}
