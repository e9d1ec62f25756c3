package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	seqio "wfagpu/io"
)

// fileList is a flag that takes files, each time one or several with commas between them.
type fileList struct{ files *[]string }

func (l fileList) Set(s string) error {
	files, err := splitFiles(s)
	*l.files = append(*l.files, files...)
	return err
}

func (l fileList) String() string { return strings.Join(*l.files, ",") }
func (l fileList) Type() string   { return "string" }

// splitFiles splits a list at its commas, unless there is a file of the whole name.
func splitFiles(s string) ([]string, error) {
	if s == "" {
		return nil, nil // checkNames reports it
	}
	if _, err := os.Stat(s); err == nil {
		return []string{s}, nil
	}
	files := strings.Split(s, ",")
	if slices.Contains(files, "") {
		return nil, errors.New("the name of a file is empty")
	}
	return files, nil
}

// addInputFlags declares the flags of the input.
func (o *alignOptions) addInputFlags(f *pflag.FlagSet) {
	in := &o.inputs
	f.VarP(fileList{&in.Query}, "query", "q", "FASTA or FASTQ `file` of queries (reads); - is standard input; several, with commas or -q for each, are read one behind the other")
	f.VarP(fileList{&in.Target}, "target", "t", "FASTA or FASTQ `file` of targets, one for each query; with --paf, the reference; several as for --query")
	f.StringVarP(&in.Hits, "paf", "p", "", "PAF `file` of a mapper's hits, each of which is a pair: what is aligned of a read of --query and of a sequence of --target, on the hit's strand; - is standard input")
	f.Var(newValue(&in.Flank, "letters", "0", parseFlank), "flank", "with --paf: widen each target on both sides, as far as its sequence goes (K, M)")
	f.Var(newValue(&in.Extend, "letters", "0", parseFlank), "extend-hits", "with --paf (and, of align, --span ends-free or local): take the read beyond an end of a hit, too, where it has so many letters or fewer there (K, M)")
	f.Var(newValue(&in.ByName, "rule", "order", parsePairBy), "pair-by", "with --query and --target: order pairs record n with record n; name pairs records of the same name, in the order of the queries")
	f.BoolVar(&in.Interleaved, "interleaved", false, "FASTA or FASTQ files, as operands, that have queries and targets in turn")
	f.Var(newValue(&in.FirstNumber, "n", "1", parseFirstNumber), "first-number", "number of the first pair: pairs without names are numbered")

	in.Names = seqio.NamesNoted
	f.Var(newValue(&in.Names, "action", "notice", parseNameCheck), "check-names",
		"compare the names of each pair of FASTA or FASTQ records, without /1 and /2, and at the first that differ print a notice, or end with an error (notice, error, off); with --pair-by name, the same for records without a counterpart")

	f.Var(newValue(&in.Shard, "k/n", "none", parseShard), "shard",
		"align the k-th of n parts of the input, which is plain files: cut by bytes where records start; ordinals and lines are those of the whole input; with --paf, the hits are cut")
}

func parseFlank(s string) (int, error) {
	n, err := parseScaled(s, 1000)
	if err == nil && (n < 0 || n > math.MaxInt32) {
		err = fmt.Errorf("%s letters are outside 0..2G", s)
	}
	return n, err
}

func parsePairBy(s string) (byName bool, err error) {
	switch s {
	case "order", "name":
		return s == "name", nil
	}
	return false, errors.New("want order or name")
}

func parseFirstNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	const most = math.MaxInt64 / 2
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("want a number from 1 to %d", most)
	}
	return n, nil
}

// takeInputs takes the input files. inputIsTerminal says that nobody has redirected
// standard input.
func (o *alignOptions) takeInputs(args []string, inputIsTerminal bool) error {
	in := &o.inputs
	if slices.Contains(args, "") {
		return usagef("the name of the file of pairs is empty")
	}
	paired := len(in.Query) > 0 || len(in.Target) > 0
	switch {
	case in.Interleaved && len(in.Target) > 0:
		return usagef("--interleaved files have the targets: want no --target")
	case in.Interleaved:
		in.Query = append(in.Query, args...)
	case len(args) > 0 && in.Hits != "":
		return withHint(usagef("--paf takes the reads with --query, and no operand"), "wfagpu align -p hits.paf -q reads.fq -t reference.fa")
	case len(args) > 0 && paired:
		return usagef("give either files of pairs or --query with --target, not both")
	default:
		in.Pairs = args
	}
	nothing := len(in.Files()) == 0
	if nothing && inputIsTerminal {
		return withHint(usagef("no input"),
			"name a file of pairs (.seq), or --query reads.fq --target refs.fa, or pipe pairs in")
	}
	switch {
	case nothing && in.Interleaved:
		in.Query = []string{"-"}
	case nothing:
		in.Pairs = []string{"-"}
	}
	return o.checkInputFlags()
}

// checkInputFlags refuses combinations of inputs.
func (o *alignOptions) checkInputFlags() error {
	in := &o.inputs
	stdins := 0
	for _, path := range in.Files() {
		if path == "-" {
			stdins++
		}
	}
	switch {
	case slices.Contains(in.Query, "-") && slices.Contains(in.Target, "-"):
		return usagef("--query and --target cannot both be standard input")
	case stdins > 1:
		return usagef("standard input can be only one of the inputs")
	case in.Hits != "" && (len(in.Query) == 0 || len(in.Target) == 0):
		return usagef("--paf needs --query, the reads, and --target, the reference")
	case in.Hits != "" && in.ByName:
		return usagef("--paf says what the pairs are: want no --pair-by name")
	case in.Hits == "" && in.Flank > 0:
		return usagef("--flank belongs to --paf")
	case in.Hits == "" && in.Extend > 0:
		return usagef("--extend-hits belongs to --paf")
	case in.Interleaved && (in.ByName || in.Hits != ""):
		return usagef("--interleaved says what the pairs are: want no --pair-by name, and no --paf")
	case len(in.Pairs) > 0 && in.ByName:
		return usagef("--pair-by name wants --query and --target")
	case len(in.Target) == 0 && len(in.Query) > 0 && !in.Interleaved:
		return usagef("--query needs --target")
	case len(in.Query) == 0 && len(in.Target) > 0:
		return usagef("--target needs --query")
	}
	return nil
}

// referenceCache is how much of a bgzipped reference stays in memory, in bytes: a quarter of
// the machine's, or enough for a human genome.
func referenceCache(machine int64) int64 {
	const most = 3200 << 20
	if machine == 0 {
		return seqio.DefaultReferenceCache
	}
	return min(machine/4, most)
}

// sizedFiles are the files whose sizes tell how much is to be aligned: with hits, whose
// reads and reference may have much more, the hits or, if those are a pipe, the reads.
func (o *alignOptions) sizedFiles(stdin io.Reader) []namedPath {
	if o.inputs.Hits == "" {
		return o.inputFiles(stdin)
	}
	if hits := namedPaths([]string{o.inputs.Hits}, stdin); inputSize(hits) >= 0 {
		return hits
	}
	return namedPaths(o.inputs.Query, stdin)
}
