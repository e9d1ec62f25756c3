package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"wfagpu/align"
	"wfagpu/cmd/wfagpu/internal/tally"
	"wfagpu/gpu/hybrid"
	seqio "wfagpu/io"
)

func newAlignCmd(std streams, opts alignOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "align [flags] [pairs.seq …]",
		Short: "Align pairs of sequences, one result line per pair",
		Long: `Align aligns each query (read) with its target (reference stretch) and prints
one line per pair, in the order of the input: query name, target name, score
and CIGAR, separated by tabs. The score is the least penalty, 0 for equal
sequences, or with --match the greatest similarity. In a CIGAR, I consumes the
query and D the target.

Pairs come from .seq files (a line >QUERY, then a line <TARGET, each with a name
behind a tab or none), from FASTA or FASTQ files in step (--query, --target), by
name (--pair-by name) or in turn (--interleaved), or from hits (--paf). Pairs
without names are numbered. Input may be compressed with gzip, zstd, bzip2 or xz;
content decides the format. Without an input file, pairs are read from standard
input.

With --paf, each line of a mapper's PAF is a pair: the part of the read that is
aligned, reverse-complemented on the strand -, and the part of the target. What lies
beyond is not aligned: hits of minimap2 end at their outermost seeds, and with -c
where its own alignment ends. --extend-hits 100 extends them to ends of the read with up
to 100 letters more; those of split reads, with more letters there, stay. Of the tags only tp matters, which tells secondary
hits for SAM. The reference is read in parts, through its index FILE.fai, which is
written if it is missing (and FILE.gzi of a file that bgzip has compressed); remove
it when the reference changes. A reference that has no index is read into memory:
from a pipe, compressed otherwise, FASTQ, or with lines of different lengths. Reads
whose hits come in another order are found by name, with a table of 20 bytes per
read; files compressed other than by bgzip are then copied to a temporary file
(TMPDIR), and reads from a pipe are an error. --pair-by name finds targets in the
same way. Mates are in two files of --query, or in turn in one, and their names end
in /1 and /2.

--format paf and --format sam write PAF and SAM in place of these lines; --columns
chooses the columns. --max-score and --min-identity leave pairs out.

Letters compare without regard to case, and U equals T. Every other letter
equals only itself, N included.

--shard k/n aligns the k-th of n parts of plain files. The outputs of all parts in
order are that of the whole run, byte for byte.

Alignments are global, or what --span says; the place of other ones is in four
columns more. 'wfagpu help penalties' has the penalties and match scores of other
programs (-g, --match, --preset).

With --max-distance, a pair that costs more has the score -1 and the CIGAR *. With
-g edit the score is the edit distance.

--mode approx is a heuristic: an adaptive band of diagonals around the cell
nearest to the end. Alignments are valid and cost the score reported. The score
is an upper bound on the least penalty; --recall tells how often it is the least.
It is for all spans but local ones; that of other spans than global, and of gaps
with two costs, runs on the CPU.

All usable GPUs align, and the CPU where that is faster (--device); results are
the same. The CPU is the fallback for pairs with letters outside ACGTU and for
pairs that do not fit into a GPU's memory.

` + exitCodesHelp,
		Example: `  wfagpu align pairs.seq > result.tsv
  wfagpu align -q reads.fq.gz -t targets.fa.gz -o result.tsv.gz
  minimap2 -x map-ont ref.fa reads.fq | wfagpu align -p - -q reads.fq -t ref.fa -O sam -o result.sam
  wfagpu align -O sam --md -q reads.fq -t targets.fa | samtools view -b -o result.bam
  wfagpu align --columns query_name,identity,cigar --min-identity 95% pairs.seq
  wfagpu align --span local --preset map-ont -q reads.fq -t targets.fa
  wfagpu align --mode approx --recall -o result.tsv long.seq
  wfagpu align --shard 3/16 -o part.03.tsv pairs.seq
  zcat pairs.seq.gz | wfagpu align -g 4,6,2 --score-only - | cut -f 3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.complete(cmd.Flags(), args, std); err != nil {
				return err
			}
			return runAlign(cmd.Context(), &opts, std)
		},
	}
	opts.addFlags(cmd.Flags())
	return cmd
}

// runAlign aligns everything the options name.
func runAlign(ctx context.Context, opts *alignOptions, std streams) (err error) {
	con := &console{err: std.err, quiet: opts.quiet}
	if opts.logFile != "" {
		log, openErr := openLog(ctx, opts.logFile)
		if openErr != nil {
			return openErr
		}
		defer log.Close()
		con.log = newStoppableWriter(ctx, log)
		defer func() { err = con.logEnd(err) }()
	}
	if opts.threads == 0 {
		opts.threads = runtime.GOMAXPROCS(0)
	}
	// Reading, formatting and writing run beside the engine's workers. Together
	// they take no more threads than the user asks for; see setProcessors.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(opts.threads))

	size := opts.shardSize(inputSize(opts.sizedFiles(std.in)))
	if opts.setQueues != nil {
		if err := opts.setQueues(queuesFor(size)); err != nil {
			return err
		}
	}
	opts.hostBytes = opts.hostMemoryOf(machineMemory())
	opts.inputs.ReferenceCache = referenceCache(machineMemory())
	opts.batchBases = basesPerBatch(opts.batchBases, opts.hostBytes)
	engineOpts := opts.engineOptions()
	opened := make(chan struct{})
	engineOpts.Ready = func(s hybrid.Status) {
		defer close(opened)
		setProcessors(opts.threads, opts.device, s)
		con.noteEngine(s)
	}
	rest := &inputRest{size: size}
	if size >= 0 {
		engineOpts.Rest = rest.estimate
	}
	engine, err := openEngine(ctx, engineOpts)
	if err != nil {
		return err
	}
	defer con.closeEngine(engine)
	setProcessors(opts.threads, opts.device, engine.Status())
	if engine.InFlight() > 0 {
		opts.setBatchOnCPU()
	}
	inspect, err := inspection(opts, engineOpts.CPU)
	if err != nil {
		return err
	}
	var recall *recaller
	if opts.recall {
		if recall, err = openRecaller(ctx, engineOpts); err != nil {
			return err
		}
		defer con.closeEngine(recall.exact)
		con.noteRecall(engine.Status(), recall.exact.Status())
		inspect = recall.after(inspect)
	}
	con.noteDiscarded(opts.output, std.out)
	out, err := newResultWriter(ctx, opts, std.out)
	if err != nil {
		return err
	}
	opts.inputs.Note = con.noteInput
	format, err := newResultFormat(ctx, opts, std.in, con)
	if err != nil {
		return err
	}
	if format.stop != nil {
		defer format.stop()
	}
	out.ready, out.header = format.ready, format.header
	if before := opts.countedBytes(); before >= countNoticed {
		con.notice("shard %v: counting the records in the %d MB before it; 'wfagpu index' saves this", opts.inputs.Shard, before/1e6)
	}
	src, err := openInput(ctx, opts, std.in)
	if err != nil {
		return err
	}
	rest.reader.Store(src)
	if !opts.quiet && isTerminal(std.err) {
		con.startBar(newProgress(std.err, src.Size()), src.BytesRead)
		defer con.clearBar()
	}

	start := time.Now()
	p := newPipeline(opts, src, engine, inspect, format, out, con)
	p.inFlight = engine.InFlight
	p.opened, p.early = opened, earlyMemory(opts.threads, p.expected)
	if opts.pageFile != "" {
		p.tally = new(tally.Pairs)
	}
	sum, err := p.run(ctx)
	err = opts.recordFailure(ctx, err)
	if err == nil && !opts.device.auto() {
		err = engine.Wait(ctx) // an empty input needs the GPUs that it names, too
	}
	err = out.finish(withGPUHint(err))
	took := time.Since(start)
	engine.Close() // the GPUs of the report are final from here on; a failure is reported at the end
	con.clearBar()
	if err == nil {
		err = sum.err()
	}
	if _, ok := errors.AsType[*deviceError](err); ok {
		return err // the run has not begun
	}
	report := newReport(opts, engine, recall, sum, &p.flow, took, err)
	if !readerGone(err) {
		if status := engine.Status(); status.Opening {
			con.noteEngine(status)
		}
		con.notice("%s", report.summary())
		if took >= timeNoticed {
			con.notice("%s", report.Time.summary())
		}
	}
	err = con.orLogFailure(err)
	report.end(err)
	if opts.pageFile != "" {
		err = con.also(err, writePage(ctx, opts, report, p.tally, recall, err))
		report.end(err)
	}
	if opts.statsFile != "" {
		err = con.also(err, report.write(ctx, opts.statsFile))
	}
	return err
}

// also returns the error of a run that ended with err, or else the one that followed.
// Of two, the second is printed.
func (c *console) also(err, next error) error {
	if err == nil {
		return next
	}
	if next != nil {
		c.problem("%v", next)
	}
	return err
}

// inspection returns the inspection of results before they are written.
func inspection(opts *alignOptions, cpuOpts align.Options) (inspectFunc, error) {
	if !opts.check {
		return failures, nil
	}
	c := &checker{values: cpuOpts.Scoring().Values(), bounds: opts.approx() != nil, cutoff: opts.cutoff}
	var err error
	if c.model, err = cpuOpts.Model(); err != nil {
		return nil, err
	}
	cpuOpts.Cutoff = 0
	if !opts.scoreOnly && opts.cutoff == 0 {
		return c.inspect, nil
	}
	cpuOpts.ScoreOnly = !opts.scoreOnly
	engine, err := align.New(cpuOpts)
	switch {
	case err != nil:
		return nil, err
	case opts.scoreOnly:
		c.tracer = &again{engine: engine}
	default:
		c.scorer = engine
	}
	return c.inspect, nil
}

const (
	// maxBatchPairs bounds the memory of very short pairs beside their bases:
	// about 150 bytes each for names, positions and results.
	maxBatchPairs = 1 << 16
	// minKeepBytes is always kept; it is small for batches of any size.
	minKeepBytes = 1 << 20
)

func newPipeline(opts *alignOptions, src *seqio.Reader, engine aligner, inspect inspectFunc, format *resultFormat, out *resultWriter, con *console) *pipeline {
	return &pipeline{
		src:       src,
		engine:    engine,
		inspect:   inspect,
		filter:    opts.filter,
		format:    format.append,
		dst:       out,
		wrote:     func(t totals) { con.updateBar(t.pairs, src.BytesRead()) },
		problem:   con.pairProblem,
		memory:    pipelineMemory(opts.hostBytes, opts.batchBases),
		expected:  int64(opts.batchBases) * bytesPerBase,
		cutoff:    opts.cutoff,
		traced:    !opts.scoreOnly,
		keepBytes: max(4*opts.batchBases, minKeepBytes),
	}
}

// err is the error of a run that came to its end, nil if all pairs are fine.
func (t totals) err() error {
	switch {
	case t.mismatched > 0:
		return &mismatchError{t.mismatched}
	case t.failed > 0:
		return &pairsError{t.failed}
	}
	return nil
}
