package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"wfagpu/align"
	"wfagpu/io/formattest"
)

// faults are what is wrong with the files of a set.
type faults struct {
	n    int
	some []string
}

// shownFaults is the number of faults that are shown for each set.
const shownFaults = 5

func (f *faults) add(format string, args ...any) {
	if f.n++; f.n <= shownFaults {
		f.some = append(f.some, fmt.Sprintf(format, args...))
	}
}

// source is where a record is from: whole sequences, and what its alignment covers of them.
type source struct {
	query, target string // the query as it was read
	whole         bool   // the alignment covers the part, and lies in it otherwise
	part          *formattest.PAF
	score         func(formattest.Counts, []formattest.Op) int
}

// penalty is the score of a pair under the penalties of the program, which are the default.
func penalty(c formattest.Counts, _ []formattest.Op) int { return -c.Penalty }

// similarity is the score under minimap2's numbers, but with every letter equal to itself.
func (s scheme) similarity(c formattest.Counts, ops []formattest.Op) int {
	n := c.Matches*s.match - c.Mismatches*s.mismatch
	for _, op := range ops {
		if op.Letter == 'I' || op.Letter == 'D' {
			n -= s.gap(op.Length)
		}
	}
	return n
}

var defaultCosts = formattest.Penalties{
	Mismatch: align.DefaultPenalties.Mismatch, Open: align.DefaultPenalties.GapOpen, Extend: align.DefaultPenalties.GapExtend,
}

// replaySAM replays records, one of each source.
func (f *faults) replaySAM(name string, records []*formattest.Record, sources []source) {
	if len(records) != len(sources) {
		f.add("%s: %d records, want %d", name, len(records), len(sources))
		return
	}
	for i, r := range records {
		if err := sources[i].record(r); err != nil {
			f.add("%s: record %d, %s: %v", name, i+1, r.Name, err)
		}
	}
}

// record replays a record of SAM.
func (s *source) record(r *formattest.Record) error {
	p := s.part
	if !r.Mapped() && !s.whole {
		return nil
	}
	if r.Name != p.Query || r.Target != p.Target || r.Reverse() != p.Reverse || (r.Flag&flagSecondary != 0) != secondary(p) || r.MapQ != p.MapQ {
		return fmt.Errorf("it is on %s, flag %d, quality %d", r.Target, r.Flag, r.MapQ)
	}
	c, begin, end, err := r.Replay(s.query, s.target, defaultCosts)
	if err != nil {
		return err
	}
	ops, err := formattest.ParseCIGAR(r.CIGAR)
	if err != nil {
		return err
	}
	before, inner, after := unclipped(ops)
	if p.Reverse {
		before, after = after, before
	}
	if err := s.covers(before, len(s.query)-after, begin, end); err != nil {
		return err
	}
	if want := s.score(c, inner); r.Tags["AS:i"] != strconv.Itoa(want) {
		return fmt.Errorf("AS is %s, want %d", r.Tags["AS:i"], want)
	}
	return nil
}

// secondary reports whether the mapper takes a hit for one of several: of a read, or of an inversion.
func secondary(h *formattest.PAF) bool { return h.Tags["tp:A"] == "S" || h.Tags["tp:A"] == "i" }

// covers compares the place of an alignment with that of the source.
func (s *source) covers(q, qEnd, t, tEnd int) error {
	p := s.part
	same := q == p.QueryStart && qEnd == p.QueryEnd && t == p.TargetStart && tEnd == p.TargetEnd
	inside := q >= p.QueryStart && qEnd <= p.QueryEnd && t >= p.TargetStart && tEnd <= p.TargetEnd
	if !same && (s.whole || !inside) {
		return fmt.Errorf("it covers %d to %d and %d to %d, the hit %d to %d and %d to %d",
			q, qEnd, t, tEnd, p.QueryStart, p.QueryEnd, p.TargetStart, p.TargetEnd)
	}
	return nil
}

// replayPAF replays lines, one of each source, and compares them with the records of SAM.
func (f *faults) replayPAF(name string, lines []*formattest.PAF, records []*formattest.Record, sources []source) {
	if len(lines) != len(sources) || len(lines) != len(records) {
		f.add("%s: %d lines, want %d", name, len(lines), len(sources))
		return
	}
	for i, r := range lines {
		if err := sources[i].line(r, records[i]); err != nil {
			f.add("%s: line %d, %s: %v", name, i+1, r.Query, err)
		}
	}
}

// line replays a line of PAF, whose CIGAR is that of the record without its clips.
func (s *source) line(r *formattest.PAF, same *formattest.Record) error {
	p := s.part
	if r.Query != p.Query || r.Target != p.Target || r.Reverse != p.Reverse {
		return fmt.Errorf("it is on %s", r.Target)
	}
	if _, err := r.Replay(s.query, s.target, defaultCosts); err != nil {
		return err
	}
	if err := s.covers(r.QueryStart, r.QueryEnd, r.TargetStart, r.TargetEnd); err != nil {
		return err
	}
	ops, err := formattest.ParseCIGAR(same.CIGAR)
	if err != nil {
		return err
	}
	own, err := formattest.ParseCIGAR(r.Tags["cg:Z"])
	if err != nil {
		return err
	}
	if _, inner, _ := unclipped(ops); !slices.Equal(own, inner) || r.Tags["AS:i"] != same.Tags["AS:i"] {
		return errors.New("cg or AS is not that of SAM")
	}
	return nil
}
