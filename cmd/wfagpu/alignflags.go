package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"wfagpu/align"
	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
	seqio "wfagpu/io"
)

// alignOptions is the command line of `wfagpu align`, checked value by value.
type alignOptions struct {
	inputs seqio.Inputs
	output string
	formatOptions

	scoringOptions
	cutoff    int // the least score that is not reported; 0 is none
	scoreOnly bool
	mode      string
	band      int // 0 is automatic, as is lambda
	lambda    int
	recall    bool
	maxError  gpu.ErrorBound
	check     bool

	device     deviceChoice
	threads    int
	level      align.Level
	memory     int
	batchBases int
	batchGiven bool       // --batch-bases is
	hostMemory memorySize // 0 is automatic, as is gpuMemory
	gpuMemory  memorySize
	hostBytes  int64 // hostMemory on this machine

	quiet     bool
	logFile   string
	statsFile string
	pageFile  string // of --report

	// args is the command line after the name of the program.
	args []string
	// engine has the options that are no flags: the system of GPUs, and how the
	// process uses them.
	engine hybrid.Options
	// setQueues asks the driver for hardware queues; nil leaves its default.
	setQueues func(int) error
}

func defaultAlignOptions() alignOptions {
	return alignOptions{
		scoringOptions: scoringOptions{scoring: align.Scoring{Penalties: align.DefaultPenalties}},
		memory:         align.DefaultMemory,
		batchBases:     hybrid.DefaultBatchBases,
	}
}

// addFlags declares the flags. Their names and meanings are promises to every
// script that uses them.
func (o *alignOptions) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	o.addInputFlags(f)

	f.StringVarP(&o.output, "output", "o", "-", "output `file`; - is standard output; a name in .gz or .bgz is compressed as BGZF (gzip in blocks), one in .zst with zstd")
	o.formatOptions.addFlags(f)

	o.scoringOptions.addFlags(f)
	f.Var(newValue(&o.cutoff, "K", "none", parseMaxDistance), "max-distance",
		"largest penalty to report: a pair above it has the score -1 and the CIGAR *, which is found sooner")
	f.BoolVar(&o.scoreOnly, "score-only", false, "report scores without CIGARs; faster")
	f.StringVar(&o.mode, "mode", "exact", "exact, or approx: a heuristic, an adaptive band; alignments are valid, scores are upper bounds; faster for long pairs with many errors")
	f.Var(newValue(&o.band, "diagonals", "auto", parseAuto(align.MinBand, align.MaxBand)), "band",
		fmt.Sprintf("with --mode approx: diagonals in the band, %d to %d; auto depends on the length and widens for pairs that drift", align.MinBand, align.MaxBand))
	auto, _ := align.Approx{Band: align.MinBand}.First(1, 1)
	f.Var(newValue(&o.lambda, "scores", "auto", parseAuto(1, align.MaxLambda)), "lambda",
		fmt.Sprintf("with --mode approx: scores between two moves of the band, 1 to %d; auto is %d, or more by the penalties", align.MaxLambda, auto.Lambda))
	f.BoolVar(&o.recall, "recall", false, "with --mode approx: align every pair exactly as well, and report how many scores are optimal and the excess of the others")
	f.VarP(newValue(&o.maxError, "bound", "auto", parseErrorBound), "max-error", "e",
		"expected error of the worst pair, as errors per base such as 0.1, or as a score: the first score bound on a GPU; no effect on the CPU or on results")
	f.BoolVar(&o.check, "check", false, "verify every alignment: replay its CIGAR and recompute its score; with --score-only, align again with CIGARs and compare scores")

	f.Var(newValue(&o.device, "device", "auto", parseDevice), "device", "auto (every usable GPU, and the CPU), cpu, gpu (every usable GPU, or exit code 4), or GPU numbers such as 0,1")
	f.VarP(newValue(&o.threads, "n", "0", parseThreads), "threads", "j", "threads for the whole run; 0 is one per CPU")
	f.Var(newValue(&o.level, "path", "auto", parseLevel), "cpu-level", "CPU code path: auto, avx512, avx2 or go; scores are the same")
	f.Var(newValue(&o.memory, "bytes", "64M", parseBytes), "memory", "traceback memory per CPU thread (K, M, G), from 1M on; parts of pairs that need more are computed again, which is a little slower")
	f.VarP(newValue(&o.batchBases, "bases", "4M", parseBases), "batch-bases", "b", "bases per batch (K, M, G); more than 16M is taken as 16M; no effect on results")
	f.Var(newValue(&o.hostMemory, "size", "auto", parseAutoMemory), "host-memory", "memory of the batches in flight, with their results: bytes (K, M, G), or a share of the machine's memory such as 0.1 or 10%; auto is an eighth of it, 8G at most")
	f.Var(newValue(&o.gpuMemory, "size", "auto", parseAutoMemory), "gpu-memory", "memory to use on each GPU: bytes (K, M, G), or a share of its free memory such as 0.5 or 50%; auto is nine tenths")

	f.BoolVar(&o.quiet, "quiet", false, "no progress bar, notices or summary; errors are still shown")
	f.StringVar(&o.logFile, "log-file", "", "append messages with a time stamp to this `file`")
	f.StringVar(&o.statsFile, "stats", "", "write counts and timings as JSON to this `file` at the end of the run, after an error too; .gz and .zst as --output")
	f.StringVar(&o.pageFile, "report", "", "write an HTML page with charts of scores, identity, lengths, gaps and times to this `file` at the end of the run, after an error too")
}

// complete takes the operands and refuses combinations that cannot run.
func (o *alignOptions) complete(f *pflag.FlagSet, args []string, std streams) error {
	if err := checkNames(f, "query", "target", "paf", "sam-targets"); err != nil {
		return err
	}
	if err := o.takeInputs(args, isTerminal(std.in)); err != nil {
		return err
	}
	if err := o.checkOutputNames(); err != nil {
		return err
	}
	if err := o.formatOptions.check(f, o.scoreOnly); err != nil {
		return err
	}
	o.inputs.Qualities = o.format == "sam"
	o.batchGiven = f.Changed("batch-bases")
	if err := o.scoringOptions.check(f); err != nil {
		return err
	}
	if o.inputs.Extend > 0 && o.span != align.EndsFree && o.span != align.Local {
		return withHint(usagef("--extend-hits widens the target by more letters than the read has: --span %s would align them all", spanNames[o.span]),
			"use --span ends-free for the whole read, or --span local with --match or --preset for its best part")
	}
	if err := o.checkPlaces(); err != nil {
		return err
	}
	if err := o.checkMode(f); err != nil {
		return err
	}
	if o.statsFile == "-" || o.pageFile == "-" || o.logFile == "-" {
		return usagef("--stats, --report and --log-file want the name of a file, not -")
	}
	if err := checkNames(f, "output", "stats", "report", "log-file"); err != nil {
		return err
	}
	inputs := o.inputFiles(std.in)
	if err := checkInputs(inputs); err != nil {
		return err
	}
	if o.samTargets != "" {
		inputs = append(inputs, newPath("--sam-targets", o.samTargets))
	}
	inputs = append(inputs, namedPaths(o.inputs.IndexFiles(), std.in)...)
	if err := checkOutputs(o.outputFiles(std.out), inputs); err != nil {
		return err
	}
	for _, file := range o.sideFiles() {
		if err := checkNoReads(file[0], file[1]); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses flags that name a file and are empty: an unset variable
// of a script.
func checkNames(f *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if f.Changed(name) && f.Lookup(name).Value.String() == "" {
			return usagef("--%s wants the name of a file, and it is empty", name)
		}
	}
	return nil
}

// checkPlaces adds coordinates to the usual columns where alignments may leave something out,
// and refuses what is not known of such alignments or of similarities.
func (o *alignOptions) checkPlaces() error {
	if o.filter.maxScore.set && o.similarity() {
		return usagef("--max-score is for penalties: with --match, higher scores are better")
	}
	if o.span == align.Global || o.format != "tsv" {
		return nil
	}
	located := o.coordinates || slices.ContainsFunc(o.columns, seqio.Column.Located)
	if o.scoreOnly && located {
		return usagef("coordinates need alignments unless they are global, and --score-only has none")
	}
	if len(o.columns) == 0 && !o.scoreOnly {
		o.coordinates = true
	}
	return nil
}

// checkOutputNames refuses compression that is not available.
func (o *alignOptions) checkOutputNames() error {
	for _, file := range [][2]string{{"--output", o.output}, {"--stats", o.statsFile}, {"--report", o.pageFile}} {
		if err := checkCompression(file[0], file[1]); err != nil {
			return err
		}
	}
	return checkLogName(o.logFile)
}

// checkMode refuses flags of the approximate mode in an exact run, where they
// would have no effect.
func (o *alignOptions) checkMode(f *pflag.FlagSet) error {
	switch o.mode {
	case "approx":
		if o.cutoff > 0 {
			return usagef("--max-distance is for --mode exact: scores of --mode approx are upper bounds")
		}
		return o.checkApprox()
	case "exact":
		if o.cutoff > 0 && o.scoring.Match > 0 {
			return usagef("--max-distance is for penalties: with --match, higher scores are better")
		}
	default:
		return usagef("unknown --mode %q: want exact or approx", o.mode)
	}
	for _, name := range []string{"band", "lambda", "recall"} {
		if f.Changed(name) {
			return usagef("--%s belongs to --mode approx, and this run is exact", name)
		}
	}
	return nil
}

// approx is the engines' option for --mode, nil in exact mode.
func (o *alignOptions) approx() *align.Approx {
	if o.mode != "approx" {
		return nil
	}
	return &align.Approx{Band: o.band, Lambda: o.lambda}
}

func (o *alignOptions) outputFiles(stdout io.Writer) []namedPath {
	return outputPaths(stdout, append([][2]string{{"--output", o.output}}, o.sideFiles()...))
}

// sideFiles are the files that are written besides the output, by flag.
func (o *alignOptions) sideFiles() [][2]string {
	return [][2]string{{"--stats", o.statsFile}, {"--report", o.pageFile}, {"--log-file", o.logFile}}
}

// outputPaths are the outputs of pairs of flag and value: "-" is stdout, and an
// empty value none.
func outputPaths(stdout io.Writer, values [][2]string) []namedPath {
	var files []namedPath
	for _, v := range values {
		switch flag, path := v[0], v[1]; path {
		case "":
		case "-":
			files = append(files, stdPath("standard output", stdout))
		default:
			files = append(files, newPath(flag, path))
		}
	}
	return files
}

func (o *alignOptions) inputFiles(stdin io.Reader) []namedPath {
	return namedPaths(o.inputs.Files(), stdin)
}

// namedPaths are files, of which "-" is standard input.
func namedPaths(files []string, stdin io.Reader) []namedPath {
	var named []namedPath
	for _, path := range files {
		if path == "-" {
			named = append(named, stdPath("standard input", stdin))
		} else {
			named = append(named, newPath("", path))
		}
	}
	return named
}
