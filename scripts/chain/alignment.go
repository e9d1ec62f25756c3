package main

import (
	"fmt"

	"wfagpu/io/formattest"
)

// alignment is a read against a sequence of the reference. Positions in the read are those of
// its letters in the direction of the reference.
type alignment struct {
	name      string
	sequence  string
	reverse   bool
	secondary bool
	other     bool // supplementary
	q, t      int  // where it begins
	ops       []formattest.Op
	read      string // in the direction of the reference
	reference string // the whole sequence
}

// Flags of SAM.
const (
	flagSecondary     = 0x100
	flagSupplementary = 0x800
)

// unclipped separates a CIGAR from the letters that clips of either kind leave out before and
// behind it.
func unclipped(ops []formattest.Op) (before int, inner []formattest.Op, after int) {
	clip := func(op formattest.Op) bool { return op.Letter == 'S' || op.Letter == 'H' }
	for len(ops) > 0 && clip(ops[0]) {
		before += ops[0].Length
		ops = ops[1:]
	}
	for len(ops) > 0 && clip(ops[len(ops)-1]) {
		after += ops[len(ops)-1].Length
		ops = ops[:len(ops)-1]
	}
	return before, ops, after
}

// fromSAM is the alignment of a mapped record, whose clips of either kind count.
func (s *sample) fromSAM(r *formattest.Record) (*alignment, error) {
	ops, err := formattest.ParseCIGAR(r.CIGAR)
	if err != nil {
		return nil, err
	}
	a := &alignment{
		name: r.Name, sequence: r.Target, reverse: r.Reverse(), t: r.Pos - 1,
		secondary: r.Flag&flagSecondary != 0, other: r.Flag&flagSupplementary != 0,
	}
	var after int
	a.q, a.ops, after = unclipped(ops)
	if err := s.find(a); err != nil {
		return nil, err
	}
	if q, _ := a.end(); q+after != len(a.read) {
		return nil, fmt.Errorf("%s: %s consumes %d of %d letters", a.name, r.CIGAR, q+after, len(a.read))
	}
	return a, nil
}

// fromPAF is the alignment of a line with the tag cg.
func (s *sample) fromPAF(r *formattest.PAF) (*alignment, error) {
	ops, err := formattest.ParseCIGAR(r.Tags["cg:Z"])
	if err != nil {
		return nil, err
	}
	a := &alignment{
		name: r.Query, sequence: r.Target, reverse: r.Reverse, ops: ops,
		secondary: secondary(r), q: r.QueryStart, t: r.TargetStart,
	}
	to := r.QueryEnd
	if r.Reverse {
		a.q, to = r.QueryLength-r.QueryEnd, r.QueryLength-r.QueryStart
	}
	if err := s.find(a); err != nil {
		return nil, err
	}
	if q, t := a.end(); q != to || t != r.TargetEnd || r.QueryLength != len(a.read) || r.TargetLength != len(a.reference) {
		return nil, fmt.Errorf("%s: the CIGAR ends at %d and %d, and the line at %d and %d", a.name, q, t, to, r.TargetEnd)
	}
	return a, nil
}

// find gives an alignment its sequences, which it may not leave.
func (s *sample) find(a *alignment) error {
	i, known := s.number[a.name]
	if !known {
		return fmt.Errorf("%s: no read has this name", a.name)
	}
	a.read = s.reads[i].letters
	if a.reverse {
		a.read = formattest.Reverse(a.read)
	}
	if a.reference, known = s.genome[a.sequence]; !known {
		return fmt.Errorf("%s: the reference has no sequence %s", a.name, a.sequence)
	}
	for _, op := range a.ops {
		if op.Letter != 'M' && op.Letter != '=' && op.Letter != 'X' && op.Letter != 'I' && op.Letter != 'D' {
			return fmt.Errorf("%s: operation %c", a.name, op.Letter)
		}
	}
	if q, t := a.end(); q > len(a.read) || t > len(a.reference) {
		return fmt.Errorf("%s: it ends at %d of %d and %d of %d letters", a.name, q, len(a.read), t, len(a.reference))
	}
	return nil
}

// end is where it ends in the read and in the reference.
func (a *alignment) end() (q, t int) {
	q, t = a.q, a.t
	for _, op := range a.ops {
		if op.Letter != 'D' {
			q += op.Length
		}
		if op.Letter != 'I' {
			t += op.Length
		}
	}
	return q, t
}

// score replays the alignment. It tells whether all letters in it are among ACGT.
func (a *alignment) score(s scheme) (score int, plain bool) {
	q, t := a.q, a.t
	plain = true
	bases := func(letters string) {
		for i := range len(letters) {
			plain = plain && isBase(letters[i])
		}
	}
	for _, op := range a.ops {
		switch op.Letter {
		case 'I':
			bases(a.read[q : q+op.Length])
			score -= s.gap(op.Length)
			q += op.Length
		case 'D':
			bases(a.reference[t : t+op.Length])
			score -= s.gap(op.Length)
			t += op.Length
		default:
			for i := range op.Length {
				n, both := s.column(a.read[q+i], a.reference[t+i])
				score += n
				plain = plain && both
			}
			q += op.Length
			t += op.Length
		}
	}
	return score, plain
}
