package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"wfagpu/align"
)

// scoringOptions say which part of a pair an alignment covers and what it is worth.
type scoringOptions struct {
	scoring align.Scoring
	preset  string
	span    align.Span
	free    align.Free
	zdrop   int
}

func (o *scoringOptions) addFlags(f *pflag.FlagSet) {
	f.VarP(newValue(&o.scoring, "x,o,e", o.scoring.String(), o.parsePenalties), "penalties", "g",
		"mismatch, gap open, gap extend, 1 to 255 (open from 0): a gap of length l costs o+l*e; x,e is linear (o is 0); with x,o1,e1,o2,e2 a gap has the lower of two costs, where the second has the higher open and the lower extend; edit is 1,0,1, the edit distance")
	f.Var(newValue(&o.scoring.Match, "A", "0", parseMatch), "match",
		"what a match is worth, 0 to 255: scores are then similarities, the higher the better, as those of minimap2, bwa and parasail; with 0 they are penalties")
	f.Var(newValue(&o.preset, "name", "none", parsePreset), "preset",
		"--match and -g of another program: "+presetNames(", ")+"; 'wfagpu help penalties' has the numbers")
	f.Var(newValue(&o.span, "span", spanNames[align.Global], parseSpan), "span",
		"what an alignment covers: global (both sequences), ends-free (all but what --free allows), extension (from the begin of both, to wherever is best) or local; the last two need --match")
	f.Var(newValue(&o.free, "Qb,Qe,Tb,Te", freeText(readInTarget), parseFree), "free",
		"with --span ends-free: how many bases may be left out at the begin and the end of the query and of the target, each a number or all; at either end one of the two loses bases, not both")
	f.Var(newValue(&o.zdrop, "Z", "none", parseZDrop), "zdrop",
		"with --span extension: end where the score falls by more than Z below the best so far, long gaps aside, as minimap2 does; the end may then be short of the best")
}

// parsePenalties reads -g and keeps the match score.
func (o *scoringOptions) parsePenalties(s string) (align.Scoring, error) {
	c, err := align.ParseScoring(s)
	c.Match = o.scoring.Match
	return c, err
}

// check takes the preset and refuses combinations that make no sense.
func (o *scoringOptions) check(f *pflag.FlagSet) error {
	if s, ok := presetOf(o.preset); ok {
		for _, name := range []string{"penalties", "match"} {
			if f.Changed(name) {
				return usagef("--preset has the penalties and the match score: give it without --%s", name)
			}
		}
		o.scoring = s.values
	}
	switch {
	case f.Changed("free") && o.span != align.EndsFree:
		return usagef("--free belongs to --span ends-free, and the span is %s", spanNames[o.span])
	case o.zdrop > 0 && o.span != align.Extension:
		return usagef("--zdrop belongs to --span extension, and the span is %s", spanNames[o.span])
	}
	if o.span == align.EndsFree && !f.Changed("free") {
		o.free = readInTarget
	}
	if o.scoring.Match > 0 {
		return nil
	}
	needs := ""
	switch {
	case o.span == align.Local || o.span == align.Extension:
		needs = "--span " + spanNames[o.span]
	case o.span != align.EndsFree:
	case o.free.PatternBegin == align.FreeAll && o.free.TextEnd == align.FreeAll,
		o.free.TextBegin == align.FreeAll && o.free.PatternEnd == align.FreeAll:
		needs = "--free " + freeText(o.free)
	}
	if needs != "" {
		return withHint(usagef("%s needs a match score: without one, nothing at all is the best alignment", needs),
			"add --match A, such as --match 2, or --preset")
	}
	return nil
}

// checkApprox refuses what the approximate mode does not align.
func (o *scoringOptions) checkApprox() error {
	switch {
	case o.span == align.Local:
		return usagef("--span local has no --mode approx")
	case o.zdrop > 0:
		return usagef("--zdrop is for --mode exact")
	}
	return nil
}

// similarity reports whether scores are similarities, and not penalties.
func (o *scoringOptions) similarity() bool { return o.scoring.Match > 0 }

// spanText is the span with what belongs to it, for people.
func (o *scoringOptions) spanText() string {
	text := spanNames[o.span]
	switch {
	case o.span == align.EndsFree:
		text += ", free " + freeText(o.free)
	case o.zdrop > 0:
		text += fmt.Sprintf(", z-drop %d", o.zdrop)
	}
	return text
}

// scoringText is the scoring, for people.
func (o *scoringOptions) scoringText() string {
	s := o.scoring
	text := fmt.Sprintf("mismatch %d; a gap of length l costs %d + %d·l", s.Mismatch, s.GapOpen, s.GapExtend)
	if s.LongGap != (align.Gap{}) {
		text += fmt.Sprintf(" or %d + %d·l, whichever is less", s.LongGap.Open, s.LongGap.Extend)
	}
	if s.Match > 0 {
		text = fmt.Sprintf("match %d, ", s.Match) + text
	}
	return text
}
