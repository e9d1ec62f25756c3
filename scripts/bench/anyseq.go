package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"wfagpu/align"
)

// anyseqConfig has the options of `bench anyseq`.
type anyseqConfig struct {
	device  string
	seconds float64
	rounds  int
	cells   float64 // of the matrices of a row, once
	parts   string
	w       io.Writer
}

// The scheme of the AnySeq/GPU paper, section 4.1: a match is worth 2, a mismatch costs
// 1, a gap of length l costs l, or 2 + l.
var anyseqGaps = []anyseqGap{
	{"linear", align.Penalties{Mismatch: 1, GapOpen: 0, GapExtend: 1}},
	{"affine", align.Penalties{Mismatch: 1, GapOpen: 2, GapExtend: 1}},
}

type anyseqGap struct {
	name      string
	penalties align.Penalties
}

const anyseqMatch = 2

var anyseqSpans = []struct {
	name string
	span align.Span
}{{"global", align.Global}, {"semi-global", align.EndsFree}, {"local", align.Local}}

// runAnyseq measures the sets of the tables and figures of the AnySeq/GPU paper (Müller et
// al., AnySeq/GPU: a novel approach for faster sequence alignment on GPUs, ICS 2022) and prints
// the published figures beside. The reads are unrelated, as the paper's, which aligns all reads
// of a set with each other. Rates are cells of the whole matrix a second.
func runAnyseq(ctx context.Context, args []string) error {
	c := &anyseqConfig{w: os.Stdout}
	f := flag.NewFlagSet("anyseq", flag.ContinueOnError)
	f.StringVar(&c.device, "device", "0", "numbers of the GPUs, such as 0,1; or cpu")
	f.Float64Var(&c.seconds, "seconds", 0.5, "time of each round of a row, which takes all of its pairs once at least")
	f.IntVar(&c.rounds, "rounds", 3, "rounds, of which the median is shown")
	f.Float64Var(&c.cells, "cells", 4e11, "cells of the matrices of all pairs of a row")
	f.StringVar(&c.parts, "parts", "figure3,figure4,table2,table1", "what to measure")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	for _, part := range strings.Split(c.parts, ",") {
		run, ok := map[string]func(context.Context) error{
			"table1": c.table1, "table2": c.table2, "figure3": c.figure3, "figure4": c.figure4,
		}[part]
		if !ok {
			return fmt.Errorf("no part is named %q", part)
		}
		if err := run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}

// anyseqRow is what is measured: pairs of unrelated sequences of two lengths.
type anyseqRow struct {
	pattern, text int
	span          align.Span
	gap           anyseqGap
	scoreOnly     bool
}

// pairs makes unrelated pairs in batches.
func (c *anyseqConfig) pairs(r anyseqRow) []*align.Batch {
	random := rand.New(rand.NewPCG(7, uint64(r.pattern)))
	read := func(n int) []byte {
		s := make([]byte, n)
		for i := range s {
			s[i] = "ACGT"[random.IntN(4)]
		}
		return s
	}
	count := max(int(c.cells/(float64(r.pattern)*float64(r.text))), 1)
	// The reads of the paper's sets; all of a set meet all of another.
	patterns, texts := make([][]byte, min(count, 3536)), make([][]byte, min(count, 3536))
	if r.text > 10*r.pattern {
		texts = texts[:1] // a genome
	}
	for i := range patterns {
		patterns[i] = read(r.pattern)
	}
	for i := range texts {
		texts[i] = read(r.text)
	}
	each := max(1, min(count, gpuBatch/(r.pattern+r.text)))
	var batches []*align.Batch
	for i := 0; i < count; {
		b := &align.Batch{First: int64(i) + 1}
		for ; i < count && len(b.Pairs) < each; i++ {
			b.Pairs = append(b.Pairs, align.Pair{Pattern: patterns[i%len(patterns)], Text: texts[(i/len(patterns)+i)%len(texts)]})
		}
		batches = append(batches, b)
	}
	return batches
}

// rate returns the cells a second, in units of 1e9, the median of some rounds.
func (c *anyseqConfig) rate(ctx context.Context, r anyseqRow) (float64, error) {
	o := align.Options{
		Penalties: r.gap.penalties, Match: anyseqMatch, Span: r.span,
		Free:      align.Free{PatternBegin: align.FreeAll, PatternEnd: align.FreeAll, TextBegin: align.FreeAll, TextEnd: align.FreeAll},
		ScoreOnly: r.scoreOnly,
	}
	if r.span != align.EndsFree {
		o.Free = align.Free{}
	}
	e, err := openOn(ctx, c.device, o)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	batches := c.pairs(r)
	if _, err := runFor(ctx, e, batches, 0); err != nil { // makes the allocations
		return 0, err
	}
	for _, b := range batches {
		for i := range b.Results {
			if err := b.Results[i].Err; err != nil {
				return 0, err
			}
		}
	}
	var rates []float64
	for range c.rounds {
		pairs, err := runFor(ctx, e, batches, c.seconds)
		if err != nil {
			return 0, err
		}
		rates = append(rates, pairs*float64(r.pattern)*float64(r.text)/1e9)
	}
	slices.Sort(rates)
	s := countsOf(e.Stats())
	if c.device != "cpu" && s.finished == 0 {
		return 0, errors.New("the GPU has aligned no pair")
	}
	noteFallback(fmt.Sprintf("%d x %d", r.pattern, r.text), s)
	return rates[len(rates)/2], nil
}

// heading prints a title and the heads of a table.
func (c *anyseqConfig) heading(title string, heads ...string) {
	fmt.Fprintf(c.w, "\n%s\n\n", title)
	line(c.w, heads)
	fmt.Fprintf(c.w, "|%s\n", strings.Repeat("---|", len(heads)))
}

// ours is this program's name in a row.
func (c *anyseqConfig) ours() string {
	if c.device == "cpu" {
		return "wfagpu, CPU"
	}
	return "wfagpu, this GPU"
}

func gcups(v float64) string { return fmt.Sprintf("%.4g", v) }
