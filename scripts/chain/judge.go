package main

import (
	"fmt"

	"wfagpu/io/formattest"
)

// tally counts scores beside those of minimap2, over the same letters of both sequences.
type tally struct {
	better, equal, worse int
	// worseN are worse ones with a letter other than ACGT, which the programs score differently.
	worseN int
	first  string // of worse
}

// add compares this program's alignment with minimap2's.
func (c *tally) add(s scheme, ours, theirs *alignment) {
	a, plain := ours.score(s)
	b, plainToo := theirs.score(s)
	switch {
	case a > b:
		c.better++
	case a == b:
		c.equal++
	case !plain || !plainToo:
		c.worseN++
	default:
		if c.worse++; c.first == "" {
			c.first = fmt.Sprintf("%s, %s:%d: %d, minimap2 has %d", ours.name, ours.sequence, ours.t+1, a, b)
		}
	}
}

// judgement is what comparing the alignments of a set with minimap2's finds.
type judgement struct {
	hits, mapped int    // what minimap2 finds without -a, and with it
	places       int    // records that have a column in common with a hit's alignment
	lost, extra  int    // reads with a record and no hit, and hits that have no column with a record
	chain        tally  // from the first common column to the last one
	same         tally  // the places of minimap2 -c
	wide         tally  // whole reads: the best local alignments
	elsewhere    int    // of these: minimap2's best record is not in the hit, widened
	ownScores    int    // records of minimap2 whose AS is the score of the replay
	aligned      [3]int // letters of the reads' best alignments: in the hits, of whole reads, by minimap2
	whole        int    // letters of the reads that are aligned as a whole
}

// byRead sorts alignments by the name of the read.
func byRead(all []*alignment) map[string][]*alignment {
	m := map[string][]*alignment{}
	for _, a := range all {
		m[a.name] = append(m[a.name], a)
	}
	return m
}

// join compares the records of minimap2 with the alignments of the hits, each with the one that
// shares most with it.
func (j *judgement) join(s scheme, ours, theirs []*alignment) {
	j.hits, j.mapped = len(ours), len(theirs)
	reads := byRead(ours)
	met := map[*alignment]bool{}
	for _, a := range theirs {
		var best *alignment
		var from, to cell
		for _, o := range reads[a.name] {
			first, last, ok := common(o, a)
			if !ok {
				continue
			}
			met[o] = true
			if best == nil || last.q-first.q > to.q-from.q {
				best, from, to = o, first, last
			}
		}
		if best == nil {
			if len(reads[a.name]) == 0 {
				j.lost++
			}
			continue
		}
		j.places++
		j.chain.add(s, best.between(from, to), a.between(from, to))
	}
	for _, o := range ours {
		if !met[o] {
			j.extra++
		}
	}
}

// widened compares the best alignments of whole reads with the best records of minimap2 that lie
// in the parts of the reference that the former are from.
func (j *judgement) widened(s scheme, ours, theirs []*alignment, parts map[string]part) {
	best := map[string]*alignment{}
	for _, a := range ours {
		best[a.name] = a
	}
	for _, a := range theirs {
		p, known := parts[a.name]
		if a.secondary || a.other || !known {
			continue
		}
		_, end := a.end()
		if p.sequence != a.sequence || p.reverse != a.reverse || a.t < p.from || end > p.to {
			j.elsewhere++
			continue
		}
		if o := best[a.name]; o != nil {
			j.wide.add(s, o, a)
		} else { // not one letter is aligned
			o := *a
			o.ops = nil
			j.wide.add(s, &o, a)
		}
	}
}

// part is a part of the reference, and the strand of the read on it.
type part struct {
	sequence string
	reverse  bool
	from, to int
}

// letters is the number of letters of reads in alignments that are neither secondary nor
// supplementary.
func letters(all []*alignment) int {
	n := 0
	for _, a := range all {
		if !a.secondary && !a.other {
			q, _ := a.end()
			n += q - a.q
		}
	}
	return n
}

// alignments reads mapped records.
func (s *sample) alignments(records []*formattest.Record) ([]*alignment, error) {
	var all []*alignment
	for _, r := range records {
		if !r.Mapped() {
			continue
		}
		a, err := s.fromSAM(r)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}
