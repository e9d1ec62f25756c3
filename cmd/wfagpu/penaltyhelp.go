package main

import "github.com/spf13/cobra"

// newPenaltiesTopic is a help topic: a command that does nothing.
func newPenaltiesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "penalties",
		Short: "Penalties and match scores, those of other programs, and spans",
		Long:  penaltiesHelp(),
	}
}

// penaltiesHelp is the text of the topic and of the section of the man page, where
// indented lines are tables, too.
func penaltiesHelp() string {
	return `-g has the penalties of mismatches and gaps:

    x,e            a mismatch costs x, a gap of k letters k*e (linear)
    x,o,e          a gap of k letters costs o + k*e (affine)
    x,o1,e1,o2,e2  a gap costs the lower of o1 + k*e1 and o2 + k*e2 (two-piece)

Without --match the score is the sum of the penalties, and the least is the best.
With --match A each pair of equal letters adds A, and the penalties are subtracted:
scores are similarities as those of minimap2, bwa, parasail and BLAST, and the
greatest is the best. -g takes these programs' numbers as they are. --preset has
--match and -g of a program's preset:

` + schemeTable() + `
minimap2 and bwa score letters outside ACGT apart: here N matches N.

--span says which part of a pair an alignment covers:

    global     both sequences
    ends-free  both but what --free allows to be left out; 0,0,all,all, the default,
               is the whole query anywhere in the target
    extension  from the begin of both sequences to where the score is the best
    local      from where to where the score is the best

What is left out costs nothing. Local and extension alignments need a match score,
and so do ends that overlap freely (--free 0,all,all,0): without one, nothing at all
costs least. Of several best ends the one with the least query position is reported,
then the one with the least target position; an alignment begins as late as possible
and has matches, then mismatches, then the shortest gaps as late as possible.

--zdrop Z ends an extension as minimap2 does: going on from the best cell so far by
i query and j target letters, at the first diagonal front of cells of which the best
one scores lower by more than Z + |i-j|*e, with e the cost of a further letter of a
long gap. The best end before that is reported.

Without a match score the penalties x = 2(A+B), o = 2O, e = 2E+A choose the same
global alignments as a match score A with the penalties B,O,E.
`
}
