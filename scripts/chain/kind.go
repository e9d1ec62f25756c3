package main

import (
	"fmt"
	"strings"
)

// kind is how reads of a kind are mapped and scored.
type kind struct {
	prefix string   // of the names of sets
	preset string   // of minimap2 and of wfagpu
	more   []string // options of minimap2 beside it
	pileup []string // options of bcftools mpileup
	scheme scheme
}

// scheme is how minimap2 scores an alignment: a match adds, the others cost. A letter other than
// ACGT costs the same beside any letter.
type scheme struct {
	match, mismatch, ambiguous int
	open, extend               [2]int // of the two costs of a gap
}

// minimap2's numbers, by its manual.
var (
	noisy = scheme{2, 4, 1, [2]int{4, 24}, [2]int{2, 1}}
	hifi  = scheme{1, 4, 1, [2]int{6, 26}, [2]int{2, 1}}
	short = scheme{2, 8, 1, [2]int{12, 32}, [2]int{2, 1}}
)

// kinds has the longer ones of prefixes first. HIV from a patient is too far from the reference
// for the seeds of the preset.
var kinds = []kind{
	{"illumina_300_hiv", "sr", []string{"-k13", "-w5"}, nil, short},
	{"illumina", "sr", nil, nil, short},
	{"pacbio_hifi", "map-hifi", nil, []string{"-X", "pacbio-ccs"}, hifi},
	{"pacbio_clr", "map-pb", nil, []string{"-X", "ont"}, noisy},
	{"ont", "map-ont", nil, []string{"-X", "ont"}, noisy},
}

// kindOf tells the kind of a set by its name.
func kindOf(set string) (kind, error) {
	for _, k := range kinds {
		if strings.HasPrefix(set, k.prefix) {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("%s: the name begins with no known kind of reads (illumina, pacbio_hifi, pacbio_clr, ont)", set)
}

// gap is what a gap of n letters costs.
func (s scheme) gap(n int) int {
	return min(s.open[0]+n*s.extend[0], s.open[1]+n*s.extend[1])
}

// column is the score of two letters. It tells whether both are among ACGT.
func (s scheme) column(a, b byte) (score int, plain bool) {
	switch {
	case !isBase(a) || !isBase(b):
		return -s.ambiguous, false
	case a == b:
		return s.match, true
	}
	return -s.mismatch, true
}

func isBase(b byte) bool { return b == 'A' || b == 'C' || b == 'G' || b == 'T' }
