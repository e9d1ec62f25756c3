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
		"format":       {"tsv", "paf", "sam"},
		"columns":      columnWords(),
		"max-score":    {"none"},
		"min-identity": {"none"},
		"cigar-style":  {"extended\t= and X", "classic\tM"},
		"penalties":    penaltyWords(),
		"max-distance": {"none"},
		"mode":         {"exact", "approx\ta heuristic"},
		"band":         {"auto"},
		"lambda":       {"auto"},
		"max-error":    {"auto"},
		"device":       {"auto\tGPUs and the CPU", "cpu", "gpu\tevery usable GPU"},
		"cpu-level":    {"auto"},
		"host-memory":  {"auto"},
		"gpu-memory":   {"auto"},
		"model":        {string(simulate.Uniform), string(simulate.Substitution), string(simulate.Bursts)},
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

// penaltyWords are the default, the edit distance, and the table of schemes.
func penaltyWords() []cobra.Completion {
	words := []cobra.Completion{align.DefaultPenalties.String() + "\tdefault", "edit\tedit distance"}
	var order []string
	programs := map[string][]string{}
	add := func(p align.Penalties, program string) {
		text := p.String()
		if programs[text] == nil {
			order = append(order, text)
		}
		programs[text] = append(programs[text], program)
	}
	add(wfa2Default, "WFA2-lib")
	for _, s := range schemes {
		p, _ := s.penalties(s.gap)
		add(p, s.program+" "+s.preset)
	}
	for _, text := range order {
		words = append(words, text+"\t"+strings.Join(programs[text], "; "))
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
