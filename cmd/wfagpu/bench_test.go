package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
	seqio "wfagpu/io"
)

const benchPairs = 200_000

// benchFile makes a file of pairs of 150 bases with 2 % errors.
func benchFile(b *testing.B) (pairs, result string) {
	b.Helper()
	dir := b.TempDir()
	pairs, result = filepath.Join(dir, "pairs.seq"), filepath.Join(dir, "result.tsv")
	var stderr bytes.Buffer
	args := []string{"generate", "-n", "200K", "-l", "150", "-e", "0.02", "-o", pairs}
	if code := run(b.Context(), args, streams{err: &stderr}); code != exitOK {
		b.Fatal(&stderr)
	}
	return pairs, result
}

func reportPairs(b *testing.B) {
	b.ReportMetric(benchPairs*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkAlign is the whole command, from a file to a file.
func BenchmarkAlign(b *testing.B) {
	pairs, result := benchFile(b)
	for b.Loop() {
		var stderr bytes.Buffer
		args := []string{"align", "--quiet", "-o", result, pairs}
		if code := run(b.Context(), args, streams{err: &stderr}); code != exitOK {
			b.Fatal(&stderr)
		}
	}
	reportPairs(b)
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

// BenchmarkInputOutput is the command without the alignment: the rate that no
// engine can go beyond.
func BenchmarkInputOutput(b *testing.B) {
	pairs, result := benchFile(b)
	engine := &idleEngine{}
	for _, run := range []struct {
		op cigar.Op
		n  int
	}{{cigar.Match, 48}, {cigar.Ins, 1}, {cigar.Match, 55}, {cigar.Mismatch, 1}, {cigar.Match, 45}} {
		engine.cigar = engine.cigar.Append(run.op, run.n)
	}
	opts := defaultAlignOptions()
	opts.inputs.Pairs, opts.output, opts.threads, opts.batchBases = pairs, result, 2, batchBases
	con := &console{err: &bytes.Buffer{}, quiet: true}
	for b.Loop() {
		src, err := seqio.Open(opts.inputs, nil, seqio.Limits{Bases: opts.batchBases, Pairs: maxBatchPairs})
		if err != nil {
			b.Fatal(err)
		}
		out, err := newResultWriter(&opts, nil)
		if err != nil {
			b.Fatal(err)
		}
		_, err = newPipeline(&opts, src, engine, 4, failures, out, con).run(b.Context())
		if err := out.finish(err); err != nil {
			b.Fatal(err)
		}
	}
	reportPairs(b)
}
