package main

import (
	"context"

	"github.com/spf13/cobra"

	seqio "wfagpu/io"
)

func newIndexCmd() *cobra.Command {
	var opts alignOptions
	cmd := &cobra.Command{
		Use:   "index [flags] [pairs.seq]",
		Short: "Index files for align --shard",
		Long: `Index reads the input files of align and writes the index of each beside it, to
FILE.wfi: where records start, and how many stand before. With an index,
'wfagpu align --shard k/n' finds its part without counting the records before it.
Without one, all parts together read half as many bytes to count them as n times the
file has.

Files are plain and on disk. An index has about 10 bytes for each MB. A file that
changes needs a new one. Malformed records are found when they are aligned: of a file of
pairs, the first one alone is read.

Exit codes:
  0    the indexes were written
  1    an index could not be written
  2    bad usage
  3    bad input: missing or malformed files`,
		Example: `  wfagpu index pairs.seq
  wfagpu index -q reads.fq -t targets.fa`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && len(opts.inputs.Files()) == 0 { // not standard input, which has no name for an index
				return withHint(usagef("no input"), "name a file of pairs (.seq), or --query reads.fq --target refs.fa")
			}
			if err := opts.takeInputs(args, false); err != nil {
				return err
			}
			return runIndex(cmd.Context(), opts.inputs)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.VarP(fileList{&opts.inputs.Query}, "query", "q", "FASTA or FASTQ `file` of queries (reads)")
	f.VarP(fileList{&opts.inputs.Target}, "target", "t", "FASTA or FASTQ `file` of targets")
	return cmd
}

// runIndex writes indexes. One that an interrupt ends is not written.
func runIndex(ctx context.Context, in seqio.Inputs) error {
	ended := make(chan error, 1)
	go func() { ended <- seqio.WriteIndex(in) }()
	select {
	case err := <-ended:
		return indexFailure(err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
