package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"wfagpu/align"
	"wfagpu/scripts/internal/published"
	"wfagpu/scripts/internal/sets"
)

// trial is a set of pairs that every tool aligns.
type trial struct {
	title  string
	group  string // trials of a group share a table
	target int    // how many alignments the table gives the time of
	real   bool

	pairs []align.Pair // all of them, for GPUs
	// sample has the first pairs, which CPU tools align repeatedly and the recall
	// of every tool refers to. Its results are the optima.
	sample *align.Batch
	file   string // the sample as a .seq file

	maxLength, sumLength int // of the sample's texts
	maxScore             int
}

func (t *trial) meanLength() int { return t.sumLength / max(1, len(t.sample.Pairs)) }

// trialSize bounds a trial's pairs.
type trialSize struct {
	letters int     // of the sample, in both sequences
	seconds float64 // that the exact CPU engine may take for the sample
	gpu     bool    // whether many pairs are wanted
}

// simulated makes a trial of a simulated set.
func simulated(s sets.Set, size trialSize, target int) (*trial, error) {
	s.Count = max(8, size.letters/(2*s.Length)*49/50) // patterns may be longer than texts
	if size.gpu {
		s.Count = max(s.Count, gpuCounts[s.Length])
	}
	b, err := s.Batch()
	if err != nil {
		return nil, err
	}
	return &trial{
		title: s.String(), group: fmt.Sprintf("%d bases", s.Length), target: target, pairs: b.Pairs,
	}, nil
}

// fromFile makes a trial of a file of pairs.
func fromFile(file string) (*trial, error) {
	b, err := sets.Read(file, 0)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".seq")
	if len(b.Pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs", file)
	}
	return &trial{title: name, group: "real reads", target: realTarget(name), real: true, pairs: b.Pairs}, nil
}

// realTarget is the paper's number of alignments for sets of the same kind.
func realTarget(name string) int {
	if entries, err := published.Table1(); err == nil {
		for _, e := range entries {
			if e.Set == published.SetOf(name) {
				return e.Alignments
			}
		}
	}
	return 1_000_000
}

// choose takes the sample, finds its optima, and writes it to dir.
func (t *trial) choose(ctx context.Context, dir string, p align.Penalties, size trialSize) error {
	engine, err := align.New(align.Options{Penalties: p})
	if err != nil {
		return err
	}
	t.sample = &align.Batch{First: 1}
	start, letters := time.Now(), 0
	for at := 0; at < len(t.pairs) && letters < size.letters; {
		// A portion is enough for every thread to have some.
		part := &align.Batch{First: 1}
		for most := size.letters/16 + 1; at < len(t.pairs) && most > 0 && letters < size.letters; at++ {
			n := len(t.pairs[at].Pattern) + len(t.pairs[at].Text)
			part.Pairs = append(part.Pairs, t.pairs[at])
			most -= n
			letters += n
		}
		if err := engine.AlignBatch(ctx, part); err != nil {
			return err
		}
		t.sample.Pairs = append(t.sample.Pairs, part.Pairs...)
		t.sample.Results = append(t.sample.Results, part.Results...)
		if time.Since(start).Seconds() > size.seconds {
			break
		}
	}
	for i, r := range t.sample.Results {
		if r.Err != nil {
			return fmt.Errorf("pair %d: %w", i+1, r.Err)
		}
		n := len(t.sample.Pairs[i].Text)
		t.maxLength, t.sumLength = max(t.maxLength, n, len(t.sample.Pairs[i].Pattern)), t.sumLength+n
		t.maxScore = max(t.maxScore, r.Score)
	}
	if len(t.sample.Pairs) == 0 {
		return errors.New("no pairs")
	}
	t.file = filepath.Join(dir, "sample.seq")
	return sets.Write(t.file, t.sample.Pairs)
}
