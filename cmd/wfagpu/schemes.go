package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wfagpu/align"
)

// scheme is how another program scores an alignment, with its own numbers: match for equal
// letters, -mismatch for others, and a cost for each gap.
type scheme struct {
	program string
	presets string   // as the program names them
	names   []string // of --preset; none if the numbers are not whole
	values  align.Scoring
	double  bool // the numbers are twice the program's, which has halves
}

// schemes are the programs' defaults and presets, from their manuals.
var schemes = []scheme{
	{"minimap2", "default, map-ont, map-pb", []string{"minimap2", "map-ont", "map-pb"}, scored(2, 4, 4, 2, 24, 1), false},
	{"minimap2", "map-hifi, asm20", []string{"map-hifi", "asm20"}, scored(1, 4, 6, 2, 26, 1), false},
	{"minimap2", "asm10", []string{"asm10"}, scored(1, 9, 16, 2, 41, 1), false},
	{"minimap2", "asm5", []string{"asm5"}, scored(1, 19, 39, 3, 81, 1), false},
	{"minimap2", "sr", []string{"sr"}, scored(2, 8, 12, 2, 32, 1), false},
	{"bwa mem", "default", []string{"bwa"}, scored(1, 4, 6, 1), false},
	{"bwa mem", "pacbio, ont2d", []string{"pacbio", "ont2d"}, scored(1, 1, 1, 1), false},
	{"bwa mem", "intractg", []string{"intractg"}, scored(1, 9, 16, 1), false},
	{"blastn", "default, megablast", nil, scored(2, 4, 0, 5), true},
	{"blastn", "blastn, dc-megablast", nil, scored(2, 3, 5, 2), false},
	{"blastn", "blastn-short", nil, scored(1, 3, 5, 2), false},
	{"WFA2-lib", "default", nil, scored(0, 4, 6, 2), false},
}

// scored is a scoring of match, mismatch, gap open and gap extend, and of the second two where
// gaps have two costs.
func scored(match, mismatch, open, extend int, long ...int) align.Scoring {
	s := align.Scoring{Penalties: align.Penalties{Mismatch: mismatch, GapOpen: open, GapExtend: extend}, Match: match}
	if len(long) > 0 {
		s.LongGap = align.Gap{Open: long[0], Extend: long[1]}
	}
	return s
}

// presetOf returns the scheme that --preset names.
func presetOf(name string) (scheme, bool) {
	i := slices.IndexFunc(schemes, func(s scheme) bool { return slices.Contains(s.names, name) })
	if i < 0 {
		return scheme{}, false
	}
	return schemes[i], true
}

// presetNames are the words of --preset.
func presetNames(between string) string {
	var names []string
	for _, s := range schemes {
		names = append(names, s.names...)
	}
	return strings.Join(names, between)
}

// parsePreset reads --preset.
func parsePreset(s string) (string, error) {
	if _, ok := presetOf(s); !ok && s != "none" {
		return "", fmt.Errorf("want none or one of %s", presetNames(", "))
	}
	return s, nil
}

// schemeTable is the table of the help and the man page.
func schemeTable() string {
	var b strings.Builder
	row := func(program, presets, match, penalties, names string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("    %-8s  %-24s  %-7s  %-12s  %s", program, presets, match, penalties, names), " ") + "\n")
	}
	row("program", "its presets", "--match", "-g", "--preset")
	for _, s := range schemes {
		names := strings.Join(s.names, ", ")
		if s.double {
			names = "(twice its score)"
		}
		row(s.program, s.presets, strconv.Itoa(s.values.Match), s.values.String(), names)
	}
	return b.String()
}
