package main

import "github.com/spf13/cobra"

// newPenaltiesTopic is a help topic: a command that does nothing.
func newPenaltiesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "penalties",
		Short: "The -g that aligns as other programs do",
		Long:  penaltiesHelp(),
	}
}

// penaltiesHelp is the text of the topic and of the section of the man page, where
// indented lines are tables, too.
func penaltiesHelp() string {
	return `Other programs score an alignment: they add for each match and subtract for
mismatches and gaps. wfagpu adds up penalties (-g x,o,e). For the global alignment
of a pair, both choose the same alignments. Where a match adds A, a mismatch
subtracts B, and a gap of k letters subtracts O + kE, the penalties are

    x = 2(A+B), o = 2O, e = 2E+A

and may be divided by a common divisor. The table has them divided, and the other
program's score for a penalty s and L letters in query and target together:

` + schemeTable() + `
minimap2 has two costs of a gap, and the lower one counts. -g has one: the first
row of a preset gives minimap2's score to alignments without longer gaps, and a
lower one to the others.

-g takes WFA2-lib's penalties as they are. Penalties in the same ratio choose the
same alignments: 2,3,1, the default of wfagpu, gives half the score of 4,6,2.

minimap2, bwa mem and BLAST align locally: they may leave out ends, and score
letters outside ACGT apart. The scores agree for pairs that they align from end to
end.
`
}
