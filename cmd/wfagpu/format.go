package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"wfagpu/align"
	seqio "wfagpu/io"
	"wfagpu/io/paf"
	"wfagpu/io/sam"
)

// resultFormat makes text of results.
type resultFormat struct {
	// header writes what stands before the first results, in whole lines.
	header func(w io.Writer) error
	// append appends the text of a batch, without the pairs to leave out. It is called
	// concurrently, on different batches. What has been appended is whole before an error.
	append func(dst []byte, b *align.Batch, leave []bool) ([]byte, error)
}

// newResultFormat returns the format of the run. For SAM it lists the targets.
func newResultFormat(ctx context.Context, opts *alignOptions, stdin io.Reader, con *console) (*resultFormat, error) {
	switch opts.format {
	case "paf":
		return pafFormat(opts), nil
	case "sam":
		targets, err := samTargets(ctx, opts, stdin, con)
		if err != nil {
			return nil, err
		}
		return samFormat(opts, targets), nil
	}
	return tsvFormat(opts), nil
}

func tsvFormat(opts *alignOptions) *resultFormat {
	tsv := opts.tsv(opts.scoreOnly)
	f := &resultFormat{header: noHeader}
	if opts.header && opts.inputs.Shard.Part <= 1 { // the header is that of all parts
		f.header = func(w io.Writer) error {
			_, err := io.WriteString(w, seqio.TSVHeader(tsv))
			return err
		}
	}
	f.append = func(dst []byte, b *align.Batch, leave []bool) ([]byte, error) {
		o := tsv
		o.Leave = leave
		return seqio.AppendTSV(dst, b, o), nil
	}
	return f
}

func noHeader(io.Writer) error { return nil }

func pafFormat(opts *alignOptions) *resultFormat {
	o := paf.Options{Style: opts.cigarStyle, CS: opts.cs, Similarity: opts.similarity()}
	return &resultFormat{header: noHeader, append: func(dst []byte, b *align.Batch, leave []bool) ([]byte, error) {
		o := o
		o.Leave = leave
		dst, err := paf.Append(dst, b, o)
		return dst, opts.recordFailure(err)
	}}
}

// samFormat is that of SAM; targets may be nil where no header is written.
func samFormat(opts *alignOptions, targets *sam.Targets) *resultFormat {
	o := sam.Options{Style: opts.cigarStyle, MD: opts.md, Similarity: opts.similarity()}
	if opts.samTargets != "" {
		o.Targets = targets // others have what the records have
	}
	f := &resultFormat{header: noHeader, append: func(dst []byte, b *align.Batch, leave []bool) ([]byte, error) {
		o := o
		o.Leave = leave
		dst, err := sam.Append(dst, b, o)
		return dst, opts.recordFailure(err)
	}}
	if opts.inputs.Shard.Part <= 1 {
		f.header = func(w io.Writer) error {
			return targets.WriteHeader(w, sam.Program{Name: "wfagpu", Version: version, Command: commandLine(opts.args)})
		}
	}
	return f
}

// recordFailure is the error of a pair that the format cannot hold, with the name of its file.
func (o *alignOptions) recordFailure(err error) error {
	if err == nil {
		return nil
	}
	path := o.inputs.CutFiles()[0]
	if path == "-" {
		path = "stdin"
	}
	return withHint(&inputError{fmt.Errorf("%s: %w", path, err)}, "--format tsv holds every pair")
}

// samTargets lists the targets of the run: those of --sam-targets, or of its input. Only part 1 of a
// sharded run has a header.
func samTargets(ctx context.Context, opts *alignOptions, stdin io.Reader, con *console) (*sam.Targets, error) {
	if opts.samTargets == "" && opts.inputs.Shard.Part > 1 {
		return nil, nil
	}
	file := opts.samTargets
	if file == "" {
		files := opts.inputs.TargetFiles()
		file = strings.Join(files, ", ")
		if size := inputSize(namedPaths(files, stdin)); size >= countNoticed && opts.inputs.Hits == "" {
			con.notice("reading the targets' lengths from %s (%d MB) for the header of SAM; --sam-targets FILE.fai saves this", file, size/1e6)
		}
	}
	targets := sam.NewTargets(file)
	add := func(t seqio.Target) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if t.Name == nil {
			targets.AddNumbered(t.Ordinal, t.Length)
			return nil
		}
		return targets.Add(t.Name, t.Letters, t.Length)
	}
	var err error
	if opts.samTargets != "" {
		err = seqio.ListedTargets(file, add)
	} else {
		err = seqio.TargetsOf(opts.inputs, stdin, add)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, seqio.ErrTargetPipe):
		return nil, withHint(usagef("--format sam: the header lists all targets, and they come from a pipe"),
			"write the targets to a file, or list their names and lengths with --sam-targets FILE (FASTA, .fai or .dict)")
	case errors.Is(err, sam.ErrTarget):
		return nil, withHint(&inputError{err}, "give each target a name of its own, or use --format paf")
	case err != nil:
		return nil, &inputError{err}
	}
	return targets, nil
}
