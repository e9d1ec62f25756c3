package main

import (
	"fmt"
	"strconv"
	"strings"

	"wfagpu/align"
)

// scheme is how another program scores an alignment: match for equal letters,
// -mismatch for others, and a cost for each gap.
type scheme struct {
	program, preset string
	match, mismatch int
	gap             gapCost
	longer          *gapCost // of the two, the lower cost counts; nil if there is one
}

// gapCost is open + k*extend for a gap of length k. extend is a multiple of 0.5.
type gapCost struct {
	open   int
	extend float64
}

// schemes are the programs' defaults and presets, from their manuals.
var schemes = []scheme{
	{"minimap2", "default, map-ont", 2, 4, gapCost{4, 2}, &gapCost{24, 1}},
	{"minimap2", "map-hifi, asm20", 1, 4, gapCost{6, 2}, &gapCost{26, 1}},
	{"minimap2", "asm10", 1, 9, gapCost{16, 2}, &gapCost{41, 1}},
	{"minimap2", "asm5", 1, 19, gapCost{39, 3}, &gapCost{81, 1}},
	{"minimap2", "sr", 2, 8, gapCost{12, 2}, &gapCost{32, 1}},
	{"bwa mem", "default", 1, 4, gapCost{6, 1}, nil},
	{"blastn", "default, megablast", 1, 2, gapCost{0, 2.5}, nil},
	{"blastn", "blastn, dc-megablast", 2, 3, gapCost{5, 2}, nil},
	{"blastn", "blastn-short", 1, 3, gapCost{5, 2}, nil},
}

// wfa2Default are the penalties of WFA2-lib's default, which -g takes as they are.
var wfa2Default = align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}

// penalties returns the penalties that value global alignments as the scheme does with
// one of its gap costs, and their divisor d: an alignment of sequences with L letters
// together that costs s has the score (match*L - d*s) / 2. For every letter is worth
// half a match. What an alignment has less than that is doubled, to be an integer.
func (s scheme) penalties(gap gapCost) (p align.Penalties, d int) {
	return align.Penalties{
		Mismatch:  2 * (s.match + s.mismatch),
		GapOpen:   2 * gap.open,
		GapExtend: int(2*gap.extend) + s.match,
	}.Reduced()
}

// shortGaps is the length of the longest gap to which the first cost applies.
func (s scheme) shortGaps() int {
	return int(float64(s.longer.open-s.gap.open) / (s.gap.extend - s.longer.extend))
}

// schemeTable is the table of the help and the man page, with the letters of
// penaltiesHelp.
func schemeTable() string {
	var b strings.Builder
	row := func(program, preset, match, mismatch string, gap [2]string, penalties, score string) {
		fmt.Fprintf(&b, "    %-8s  %-21s %2s %3s %3s %4s   %-9s %s\n", program, preset, match, mismatch, gap[0], gap[1], penalties, score)
	}
	row("program", "preset", "A", "B", [2]string{"O", "E"}, "-g", "score")
	for _, s := range schemes {
		p, d := s.penalties(s.gap)
		row(s.program, s.preset, strconv.Itoa(s.match), strconv.Itoa(s.mismatch), s.gap.text(), p.String(), scoreText(s.match, d))
		if s.longer != nil {
			p, d := s.penalties(*s.longer)
			row("", fmt.Sprintf("  gaps longer than %d", s.shortGaps()), "", "", s.longer.text(), p.String(), scoreText(s.match, d))
		}
	}
	p := wfa2Default
	row("WFA2-lib", "default", "0", strconv.Itoa(p.Mismatch), gapCost{p.GapOpen, float64(p.GapExtend)}.text(), p.String(), "-s")
	return b.String()
}

func (g gapCost) text() [2]string {
	return [2]string{strconv.Itoa(g.open), strconv.FormatFloat(g.extend, 'f', -1, 64)}
}

// scoreText is (match*L - d*s) / 2.
func scoreText(match, d int) string {
	term := func(factor int, symbol string) string {
		if factor == 1 {
			return symbol
		}
		return strconv.Itoa(factor) + symbol
	}
	if match%2 == 0 && d%2 == 0 {
		return term(match/2, "L") + " - " + term(d/2, "s")
	}
	return "(" + term(match, "L") + " - " + term(d, "s") + ")/2"
}
