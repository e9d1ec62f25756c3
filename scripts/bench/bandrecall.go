package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wfagpu/align"
)

// runRecall measures all sets of a directory at the automatic band.
func (m *bandmap) runRecall(ctx context.Context, dir string) error {
	files, err := dataFiles(dir)
	if err != nil {
		return err
	}
	var text strings.Builder
	m.measuredOn(&text)
	fmt.Fprintf(&text, `
The band is automatic. "Exactly" are pairs that are aligned exactly, whole or in pieces: those
shorter than 512 bases, long ones of few errors, those with long gaps, and those that drift from the widest band.

`)
	heads := []string{"set", "pairs", "mean length", "recall, %", "excess, %", "exactly, %",
		"exact, µs a pair", "approximate, µs a pair", "times as fast"}
	line(&text, heads)
	fmt.Fprintf(&text, "|%s\n", strings.Repeat("---|", len(heads)))
	tsv, err := os.Create(filepath.Join(m.out, "recall.tsv"))
	if err != nil {
		return err
	}
	defer tsv.Close()
	fmt.Fprintln(tsv, "set\tpenalties\tpairs\tmean_length\trecall_pct\texcess_pct\taligned_exactly_pct\tleft_to_cpu_pct\texact_ms_per_pair\tms_per_pair")
	left := 0.0
	err = m.eachFile(files, func(s approxSet) error {
		fmt.Fprintf(os.Stderr, "bench: %s: %d pairs\n", s.title, len(s.pairs))
		w := m.workload(s.pairs)
		exact, err := m.exact(ctx, w)
		if err != nil {
			return err
		}
		c, err := m.cell(ctx, align.Approx{}, w)
		if err != nil {
			return err
		}
		length := meanLength(s.pairs)
		left = max(left, c.left)
		line(&text, []string{
			s.title, grouping(len(s.pairs)), grouping(length), percent(c.recall), percent(c.excess), percent(c.exactly),
			figures(1000 * exact), figures(1000 * c.ms), figures(exact / c.ms),
		})
		_, err = fmt.Fprintf(tsv, "%s\t%v\t%d\t%d\t%.3f\t%.5f\t%.3f\t%.3f\t%.6g\t%.6g\n", s.title, m.penalties, len(s.pairs), length,
			c.recall, c.excess, c.exactly, c.left, exact, c.ms)
		return err
	})
	if err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(&text, "\nUp to %s %% of a set's pairs were CPU fallbacks.\n", percent(left))
	}
	return m.write("recall.md", text.String())
}

// meanLength is the mean length of the texts.
func meanLength(pairs []align.Pair) int {
	sum := 0
	for _, p := range pairs {
		sum += len(p.Text)
	}
	return sum / max(1, len(pairs))
}
