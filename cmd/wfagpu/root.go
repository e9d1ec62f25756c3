package main

import (
	"github.com/spf13/cobra"
)

func newRootCmd(std streams, align alignOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "wfagpu",
		Short: "Exact gap-affine alignment of sequence pairs, in bulk",
		Long: `wfagpu aligns pairs of sequences (a read and the reference stretch it belongs
to) under gap-affine penalties with the wavefront algorithm (WFA). Alignments
are exact; they are global, ends-free, extensions or local. NVIDIA GPUs and the CPU
align.

` + exitCodesHelp,
		Example: `  wfagpu generate -n 1000 -l 150 -e 0.05 -o pairs.seq
  wfagpu align pairs.seq > result.tsv`,
		Version: version,
		Args:    noArguments,
		RunE:    runRoot,
		// run reports errors, once and without the usage text: the message says
		// what to do.
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
	}
	cmd.SetIn(std.in)
	cmd.SetOut(std.out)
	cmd.SetErr(std.err)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetHelpCommand(newHelpCmd())
	cmd.SetVersionTemplate("{{.Name}} {{.Version}} (" + buildText() + ")\n")
	cmd.AddCommand(newAlignCmd(std, align), newIndexCmd(), newPairsCmd(std), newGenerateCmd(std), newDevicesCmd(std), newVersionCmd(std), newManCmd(), newPenaltiesTopic())
	completeFlags(cmd)
	return cmd
}

// runRoot is reached when no command is named.
func runRoot(*cobra.Command, []string) error {
	return withHint(usagef("no command given"), "try 'wfagpu align --help'")
}

// noArguments refuses operands. On the root command, an operand is a command
// that does not exist.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !cmd.HasParent() {
		return unknownCommand(cmd, args[0])
	}
	err := usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	return withHint(err, "see '"+cmd.CommandPath()+" --help'")
}
