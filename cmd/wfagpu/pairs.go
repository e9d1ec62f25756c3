package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"wfagpu/align"
	seqio "wfagpu/io"
)

// pairsOptions is the command line of `wfagpu pairs`: of align's, the input.
type pairsOptions struct {
	alignOptions
	names bool
}

func newPairsCmd(std streams) *cobra.Command {
	var opts pairsOptions
	cmd := &cobra.Command{
		Use:   "pairs [flags] [pairs.seq …]",
		Short: "Write the pairs that align would align",
		Long: `Pairs reads the input of align and writes its pairs to a .seq file: a line >QUERY,
then a line <TARGET. With --paf these are the stretches of reads and reference that
a mapper's hits name, on the strand of the reference.

Files whose names end in .gz or .bgz are compressed as BGZF (gzip in blocks), those in .zst
with zstd.

Exit codes:
  0    all pairs were written
  1    they could not be written
  2    bad usage
  3    bad input: missing or malformed files; the pairs before are written`,
		Example: `  minimap2 -x map-ont ref.fa reads.fq | wfagpu pairs -p - -q reads.fq -t ref.fa -o pairs.seq.gz
  wfagpu pairs --names --pair-by name -q reads.fa -t targets.fa > pairs.seq`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkNames(cmd.Flags(), "query", "target", "paf", "output"); err != nil {
				return err
			}
			if err := opts.takeInputs(args, isTerminal(std.in)); err != nil {
				return err
			}
			if err := checkCompression("--output", opts.output); err != nil {
				return err
			}
			inputs := opts.inputFiles(std.in)
			if err := checkInputs(inputs); err != nil {
				return err
			}
			inputs = append(inputs, namedPaths(opts.inputs.IndexFiles(), std.in)...)
			if err := checkOutputs(outputPaths(std.out, [][2]string{{"--output", opts.output}}), inputs); err != nil {
				return err
			}
			return runPairs(cmd.Context(), &opts, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	opts.addInputFlags(f)
	f.BoolVar(&opts.names, "names", false, "write the names of queries and targets, each behind a tab, where the input has some")
	f.StringVarP(&opts.output, "output", "o", "-", ".seq `file` to write; - is standard output")
	f.BoolVar(&opts.quiet, "quiet", false, "no notices; errors are still shown")
	return cmd
}

// runPairs writes the pairs before an error, too.
func runPairs(ctx context.Context, opts *pairsOptions, std streams) error {
	con := &console{err: std.err, quiet: opts.quiet}
	opts.inputs.Note = con.noteInput
	files, err := createRecordFiles(ctx, std.out, opts.output)
	if err != nil {
		return err
	}
	src, err := openInput(ctx, &opts.alignOptions, std.in)
	if err != nil {
		return files.abort(err)
	}
	defer src.Close()
	for out := files[0]; ; {
		b, err := readBatch(ctx, src)
		if ctx.Err() != nil {
			return files.abort(context.Cause(ctx))
		}
		for i := range b.Pairs {
			p := &b.Pairs[i]
			queryName, targetName := opts.shown(p.PatternName), opts.shown(p.TextName)
			for _, name := range [][]byte{queryName, targetName} {
				if bytes.IndexByte(name, '>') >= 0 {
					err := fmt.Errorf("pair %d: the name %.80q has a '>', which no name in a .seq file may have", b.First+int64(i), name)
					return errors.Join(withHint(&inputError{err}, "leave --names out"), files.finish(ctx))
				}
			}
			out.appendSeq('>', p.Pattern, queryName)
			out.appendSeq('<', p.Text, targetName)
		}
		switch {
		case errors.Is(err, io.EOF):
			return files.finish(ctx)
		case err != nil:
			return errors.Join(&inputError{err}, files.finish(ctx))
		}
		if err := files.flush(ctx, flushAt); err != nil {
			return files.abort(err)
		}
	}
}

// readBatch reads a batch. One that blocks does not hold up an interrupt.
func readBatch(ctx context.Context, src *seqio.Reader) (*align.Batch, error) {
	b, done := new(align.Batch), make(chan error, 1)
	go func() { done <- src.ReadBatch(b) }()
	select {
	case err := <-done:
		return b, err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// shown is the name that is written.
func (o *pairsOptions) shown(name []byte) []byte {
	if o.names {
		return name
	}
	return nil
}

// appendSeq appends a line of a pairs file.
func (f *recordFile) appendSeq(mark byte, letters, name []byte) {
	f.buf = append(append(f.buf, mark), letters...)
	if len(name) > 0 {
		f.buf = append(append(f.buf, '\t'), name...)
	}
	f.buf = append(f.buf, '\n')
}
