package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wfagpu/align/simulate"
)

// generateOptions is the command line of `wfagpu generate`.
type generateOptions struct {
	pairs         int
	pairOptions   simulate.Options
	model         string
	output        string // .seq
	query, target string // or a pair of FASTA files
}

func newGenerateCmd(std streams) *cobra.Command {
	var opts generateOptions
	cmd := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Make pairs of related random sequences from a seed",
		Long: `Generate makes random targets, and queries that are copies of them with errors.
The same flags give the same bytes on every machine.

Pairs go to a .seq file or, with --query and --target, to two FASTA files that
name pairs by number. Files whose names end in .gz or .bgz are compressed as BGZF (gzip
in blocks), those in .zst with zstd.`,
		Example: `  wfagpu generate -n 2000000 -l 150 -e 0.02 -o short.seq
  wfagpu generate -n 100 -l 10000 -e 0.1 --model bursts --seed 7 -q reads.fa.gz -t refs.fa.gz
  wfagpu generate -n 10000 -l 15000 -e 0.001 --max-error-rate 0.01 --model sv -o hifi.seq
  wfagpu generate -n 1000 -l 10000 -e 0.08 --max-error-rate 0.15 --model sv --sv-min 100 --sv-max 3000 \
      --sv-kinds insertion,deletion -o ont.seq`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := opts.complete(cmd.Flags(), std.out); err != nil {
				return err
			}
			return runGenerate(cmd.Context(), &opts, std)
		},
	}
	opts.addFlags(cmd.Flags())
	return cmd
}

func (o *generateOptions) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	o.pairs = 1000
	f.VarP(newValue(&o.pairs, "n", "1000", parseCount), "count", "n", "number of pairs (K, M, G)")
	f.IntVarP(&o.pairOptions.Length, "length", "l", 150, "bases in every target")
	f.Float64VarP(&o.pairOptions.ErrorRate, "error-rate", "e", 0.05, "errors per base of the target, 0 to 1")
	f.Float64Var(&o.pairOptions.MaxErrorRate, "max-error-rate", 0, "with this, every pair has a rate of its own from --error-rate to this one")
	f.StringVar(&o.model, "model", string(simulate.Uniform),
		"error model: uniform (mismatches, insertions and deletions in equal parts), substitution, bursts (uniform with long gaps), or sv (uniform, and structural variants in some of the pairs)")
	o.addVariantFlags(f)
	f.Float64Var(&o.pairOptions.NRate, "n-rate", 0, "probability that a base of a query is N, 0 to 1")
	f.Uint64Var(&o.pairOptions.Seed, "seed", 1, "seed of the random numbers")
	f.StringVarP(&o.output, "output", "o", "-", ".seq `file` to write; - is standard output")
	f.StringVarP(&o.query, "query", "q", "", "FASTA `file` to write the queries to")
	f.StringVarP(&o.target, "target", "t", "", "FASTA `file` to write the targets to")
}

// addVariantFlags adds the flags of model sv.
func (o *generateOptions) addVariantFlags(f *pflag.FlagSet) {
	v := &o.pairOptions.Variants
	*v = simulate.DefaultVariants()
	f.Float64Var(&v.Share, "sv-rate", v.Share, "probability that a pair has a structural variant, 0 to 1; a quarter of them are near an end")
	f.IntVar(&v.Least, "sv-min", v.Least, "least bases of a structural variant")
	f.IntVar(&v.Most, "sv-max", v.Most, "most bases of a structural variant; each doubling from the least to the most is about as frequent as the next")
	f.StringVar(&v.Kinds, "sv-kinds", "", "`kinds` of structural variants, separated by commas: insertion, deletion, duplication (in tandem), inversion (default all)")
}

// variantFlags are the flags of model sv.
var variantFlags = []string{"sv-rate", "sv-min", "sv-max", "sv-kinds"}

// maxGenerated exceeds the number of pairs that a file system can store.
const maxGenerated = 1e12

func parseCount(s string) (int, error) {
	n, err := parseScaled(s, 1000)
	if err == nil && n > maxGenerated {
		err = errors.New("too many pairs")
	}
	return n, err
}

func (o *generateOptions) complete(f *pflag.FlagSet, stdout io.Writer) error {
	if o.model == "" { // an unset variable of a script
		return usagef("unknown error model %q: want one of %q", o.model, simulate.Models())
	}
	o.pairOptions.Model = simulate.Model(o.model)
	for _, name := range variantFlags {
		if f.Changed(name) && o.pairOptions.Model != simulate.SV {
			return usagef("--%s is for --model sv", name)
		}
	}
	if o.pairOptions.Variants.Least < 1 {
		return usagef("--sv-min %d: want 1 or more", o.pairOptions.Variants.Least)
	}
	if f.Changed("max-error-rate") && o.pairOptions.MaxErrorRate == 0 {
		return usagef("--max-error-rate is 0: want at least --error-rate")
	}
	for _, file := range [][2]string{{"--output", o.output}, {"--query", o.query}, {"--target", o.target}} {
		if err := checkCompression(file[0], file[1]); err != nil {
			return err
		}
	}
	if (o.query == "") != (o.target == "") {
		return usagef("--query and --target go together")
	}
	if o.query == "-" || o.target == "-" {
		return usagef("--query and --target want the names of files, not -")
	}
	if o.query != "" && f.Changed("output") {
		return usagef("give either --output or --query with --target, not both")
	}
	if err := checkNames(f, "output", "query", "target"); err != nil {
		return err
	}
	results := o.output
	if o.query != "" {
		results = ""
	}
	files := outputPaths(stdout, [][2]string{{"--output", results}, {"--query", o.query}, {"--target", o.target}})
	return checkOutputs(files, nil)
}

// runGenerate writes the set that the options describe.
func runGenerate(ctx context.Context, opts *generateOptions, std streams) error {
	gen, err := simulate.New(opts.pairOptions)
	if err != nil {
		return &usageError{err}
	}
	if err := opts.checkMemory(machineMemory()); err != nil {
		return err
	}
	if opts.query == "" {
		con := &console{err: std.err}
		con.noteDiscarded(opts.output, std.out)
		return generateSeq(ctx, gen, opts, std.out)
	}
	return generateFASTA(ctx, gen, opts)
}

// checkMemory refuses pairs for which the machine has too little memory: both sequences,
// their text for the file, and a list of the errors. all is 0 if not known.
func (o *generateOptions) checkMemory(all int64) error {
	const bytesPerBase, bytesPerError = 4, 24
	bases := float64(o.pairOptions.Length)
	errors := max(o.pairOptions.ErrorRate, o.pairOptions.MaxErrorRate)
	if need := bases * (bytesPerBase + bytesPerError*errors); all > 0 && need > float64(all) {
		return fmt.Errorf("a pair of %d bases takes at least %.0f GB of memory, and there are %.0f GB",
			o.pairOptions.Length, math.Ceil(need/1e9), float64(all)/1e9)
	}
	return nil
}

// longPair is the length from which a pair takes long enough to keep an interrupt
// waiting.
const longPair = 1 << 20

// nextPair is gen.Next. An interrupt does not wait for a long pair.
func nextPair(ctx context.Context, gen *simulate.Generator, length int) (pattern, text []byte, err error) {
	if length < longPair {
		pattern, text = gen.Next()
		return pattern, text, nil
	}
	made := make(chan [2][]byte, 1)
	go func() {
		pattern, text := gen.Next()
		made <- [2][]byte{pattern, text}
	}()
	select {
	case pair := <-made:
		return pair[0], pair[1], nil
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
}

func generateSeq(ctx context.Context, gen *simulate.Generator, opts *generateOptions, stdout io.Writer) error {
	files, err := createRecordFiles(ctx, stdout, opts.output)
	if err != nil {
		return err
	}
	seq := files[0]
	for range opts.pairs {
		pattern, text, err := nextPair(ctx, gen, opts.pairOptions.Length)
		if err != nil {
			return files.abort(err)
		}
		seq.appendLine('>', pattern)
		seq.appendLine('<', text)
		if err := files.flush(ctx, flushAt); err != nil {
			return files.abort(err)
		}
	}
	return files.finish(ctx)
}

func generateFASTA(ctx context.Context, gen *simulate.Generator, opts *generateOptions) error {
	files, err := createRecordFiles(ctx, nil, opts.query, opts.target)
	if err != nil {
		return err
	}
	query, target := files[0], files[1]
	var name []byte
	for i := range opts.pairs {
		pattern, text, err := nextPair(ctx, gen, opts.pairOptions.Length)
		if err != nil {
			return files.abort(err)
		}
		name = strconv.AppendInt(name[:0], int64(i+1), 10)
		query.appendFASTA(name, pattern)
		target.appendFASTA(name, text)
		if err := files.flush(ctx, flushAt); err != nil {
			return files.abort(err)
		}
	}
	return files.finish(ctx)
}
