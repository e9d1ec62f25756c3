package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wfagpu/align"
	"wfagpu/align/simulate"
	seqio "wfagpu/io"
)

// flagWords are the words that flags take, by the flag's name, for the completion of
// shells. A word may have a description behind a tab.
func flagWords() map[string][]cobra.Completion {
	words := map[string][]cobra.Completion{
		"check-names":  {"notice", "error", "off"},
		"pair-by":      {"order", "name"},
		"format":       {"tsv", "paf", "sam"},
		"columns":      columnWords(),
		"max-score":    {"none"},
		"min-identity": {"none"},
		"cigar-style":  {"extended\t= and X", "classic\tM"},
		"penalties":    penaltyWords(),
		"max-distance": {"none"},
		"match":        {"0"},
		"preset":       strings.Split(presetNames(" "), " "),
		"span":         spanNames,
		"free":         {freeText(readInTarget) + "\tthe query in the target", "0,all,all,0\tthe query's begin on the target's end", "all,0,0,all\tthe query's end on the target's begin"},
		"zdrop":        {"none"},
		"mode":         {"exact", "approx\ta heuristic"},
		"band":         {"auto"},
		"lambda":       {"auto"},
		"max-error":    {"auto"},
		"device":       {"auto\tGPUs and the CPU", "cpu", "gpu\tevery usable GPU"},
		"cpu-level":    {"auto"},
		"host-memory":  {"auto"},
		"gpu-memory":   {"auto"},
		"sv-kinds":     {"insertion", "deletion", "duplication\tin tandem", "inversion"},
	}
	for _, m := range simulate.Models() {
		words["model"] = append(words["model"], string(m))
	}
	for _, l := range align.Levels() {
		words["cpu-level"] = append(words["cpu-level"], string(l))
	}
	return words
}

// columnWords are the columns of TSV.
func columnWords() []cobra.Completion {
	var words []cobra.Completion
	for _, c := range seqio.Columns() {
		words = append(words, c.String()+"\t"+c.About())
	}
	return words
}

// penaltyWords are the default, the edit distance, and the schemes that have no match score.
func penaltyWords() []cobra.Completion {
	words := []cobra.Completion{align.DefaultPenalties.String() + "\tdefault", "edit\tedit distance"}
	for _, s := range schemes {
		if s.values.Match == 0 {
			words = append(words, s.values.String()+"\t"+s.program)
		}
	}
	return words
}

// completeFlags registers the completion of the flags of all commands. A flag without
// words takes files if it is a plain string; others have nothing to propose.
func completeFlags(root *cobra.Command) {
	words := flagWords()
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			proposed := words[f.Name]
			if proposed == nil && (f.Value.Type() == "string" || f.NoOptDefVal != "") {
				return // files, or a switch
			}
			c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(proposed, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder))
		})
	}
}
