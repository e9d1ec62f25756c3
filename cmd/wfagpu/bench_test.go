package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest/cputime"
	"wfagpu/cigar"
	"wfagpu/gpu/hybrid"
	seqio "wfagpu/io"
)

// benchFile makes a file of n pairs of 150 bases with errors errors per base.
func benchFile(b *testing.B, n int, errors string) (pairs, result string) {
	b.Helper()
	dir := b.TempDir()
	pairs, result = filepath.Join(dir, "pairs.seq"), filepath.Join(dir, "result.tsv")
	var stderr bytes.Buffer
	args := []string{"generate", "-n", strconv.Itoa(n), "-l", "150", "-e", errors, "-o", pairs}
	if code := run(b.Context(), args, streams{err: &stderr}); code != exitOK {
		b.Fatal(&stderr)
	}
	return pairs, result
}

func reportPairs(b *testing.B, n int) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkAlign is the whole command, from a file to a file. cpu-ns/pair is what all threads
// take together.
func BenchmarkAlign(b *testing.B) {
	const n = 200_000
	pairs, result := benchFile(b, n, "0.02")
	for _, format := range formatNames {
		b.Run(format, func(b *testing.B) {
			before := cpuTime(b)
			for b.Loop() {
				var stderr bytes.Buffer
				args := []string{"align", "--quiet", "-O", format, "-o", result, pairs}
				if code := run(b.Context(), args, streams{err: &stderr}); code != exitOK {
					b.Fatal(&stderr)
				}
			}
			reportCPUTime(b, before, n)
		})
	}
}

// reportCPUTime reports the pairs per second, and the processors' time of each pair.
func reportCPUTime(b *testing.B, before time.Duration, n int) {
	b.ReportMetric(float64((cpuTime(b)-before).Nanoseconds())/float64(n*b.N), "cpu-ns/pair")
	reportPairs(b, n)
}

// idleEngine gives every pair the same alignment, at no cost.
type idleEngine struct{ cigar cigar.CIGAR }

func (e *idleEngine) AlignBatch(_ context.Context, b *align.Batch) error {
	b.PrepareResults()
	for i := range b.Results {
		r := &b.Results[i]
		r.Score, r.CIGAR = 12, append(r.CIGAR, e.cigar...)
	}
	return nil
}

// cpuTime is what the process has taken so far, in the system, too.
func cpuTime(b *testing.B) time.Duration {
	took, err := cputime.Process()
	if err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkInputOutput is the command without the alignment: the rate that no
// engine can go beyond. cpu-ns/pair is what all threads take together, the idle
// engine's copies of its CIGAR included.
func BenchmarkInputOutput(b *testing.B) {
	const n = 2_000_000 // enough for what a run does once not to count
	pairs, result := benchFile(b, n, "0.05")
	engine := &idleEngine{}
	for _, run := range []struct {
		op cigar.Op
		n  int
	}{
		{cigar.Match, 23}, {cigar.Mismatch, 1}, {cigar.Match, 4}, {cigar.Mismatch, 3}, {cigar.Match, 52}, {cigar.Ins, 1}, {cigar.Match, 3},
		{cigar.Mismatch, 1}, {cigar.Match, 25}, {cigar.Del, 1}, {cigar.Match, 20}, {cigar.Mismatch, 1}, {cigar.Match, 18},
	} {
		engine.cigar = engine.cigar.Append(run.op, run.n)
	}
	con := &console{err: &bytes.Buffer{}, quiet: true}
	for name, inputs := range benchInputs(b, pairs) {
		for _, format := range formatNames {
			b.Run(name+"/"+format, func(b *testing.B) {
				opts := defaultAlignOptions()
				opts.inputs, opts.format, opts.output = inputs, format, result
				opts.inputs.Qualities = format == "sam"
				opts.threads, opts.batchBases, opts.hostBytes = 2, hybrid.DefaultBatchBases, 200<<20
				opts.setBatchOnCPU()
				before := cpuTime(b)
				benchInputOutput(b, &opts, engine, con)
				reportCPUTime(b, before, n)
			})
		}
	}
}

// benchInputs are a pairs file and, with the same pairs, two files of FASTQ and one with both in turn.
func benchInputs(b *testing.B, pairs string) map[string]seqio.Inputs {
	b.Helper()
	dir := filepath.Dir(pairs)
	in, err := os.Open(pairs)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var paths []string
	var files []*bufio.Writer
	for _, name := range []string{"q.fq", "t.fq", "turns.fq"} {
		paths = append(paths, filepath.Join(dir, name))
		f, err := os.Create(paths[len(paths)-1])
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		files = append(files, bufio.NewWriterSize(f, 1<<20))
	}
	values := strings.Repeat("I", 1000)
	lines := bufio.NewScanner(in)
	for n := 2; lines.Scan(); n++ {
		for _, f := range []*bufio.Writer{files[n%2], files[2]} {
			letters := lines.Bytes()[1:]
			fmt.Fprintf(f, "@read.%d\n%s\n+\n%s\n", n/2, letters, values[:len(letters)])
		}
	}
	for _, f := range files {
		if err := f.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	return map[string]seqio.Inputs{
		"seq":   {Pairs: []string{pairs}},
		"fastq": {Query: paths[:1], Target: paths[1:2]},
		"turns": {Query: paths[2:], Interleaved: true},
	}
}

// benchInputOutput runs the command's pipeline.
func benchInputOutput(b *testing.B, opts *alignOptions, engine aligner, con *console) {
	for b.Loop() {
		src, err := seqio.Open(opts.inputs, nil, seqio.Limits{Bases: opts.batchBases, Pairs: maxBatchPairs})
		if err != nil {
			b.Fatal(err)
		}
		out, err := newResultWriter(b.Context(), opts, nil)
		if err != nil {
			b.Fatal(err)
		}
		format, err := newResultFormat(b.Context(), opts, nil, con)
		if err != nil {
			b.Fatal(err)
		}
		out.ready, out.header = format.ready, format.header
		_, err = newPipeline(opts, src, engine, failures, format, out, con).run(b.Context())
		if err := out.finish(err); err != nil {
			b.Fatal(err)
		}
	}
}
