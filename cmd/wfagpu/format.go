package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"wfagpu/align"
	seqio "wfagpu/io"
	"wfagpu/io/paf"
	"wfagpu/io/sam"
)

// resultFormat makes text of results.
type resultFormat struct {
	// ready, if not nil, waits for what header needs. stop, if not nil, gives it up.
	ready func() error
	stop  func()
	// header writes what stands before the first results, in whole lines.
	header func(w io.Writer) error
	// append appends the text of a batch, without the pairs to leave out. It is called
	// concurrently, on different batches. What has been appended is whole before an error.
	append func(dst []byte, b *align.Batch, leave []bool) ([]byte, error)
}

// newResultFormat returns the format of the run. For SAM it begins to list the targets.
func newResultFormat(ctx context.Context, opts *alignOptions, stdin io.Reader, con *console) (*resultFormat, error) {
	switch opts.format {
	case "paf":
		return pafFormat(opts), nil
	case "sam":
		list, err := listTargets(ctx, opts, stdin, con)
		if err != nil {
			return nil, err
		}
		return samFormat(opts, list), nil
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
		return paf.Append(dst, b, o)
	}}
}

// samFormat is that of SAM; the list may be nil where no header is written.
func samFormat(opts *alignOptions, list *targetList) *resultFormat {
	o := sam.Options{Style: opts.cigarStyle, MD: opts.md, Similarity: opts.similarity()}
	if opts.samTargets != "" {
		o.Targets = list.targets // others have what the records have
	}
	f := &resultFormat{header: noHeader, append: func(dst []byte, b *align.Batch, leave []bool) ([]byte, error) {
		o := o
		o.Leave = leave
		return sam.Append(dst, b, o)
	}}
	if list != nil {
		f.ready, f.stop = list.wait, list.stop
	}
	if opts.inputs.Shard.Part <= 1 {
		f.header = func(w io.Writer) error {
			return list.targets.WriteHeader(w, sam.Program{Name: "wfagpu", Version: version, Command: commandLine(opts.args)})
		}
	}
	return f
}

// recordFailure returns the error of a run. That of a pair which the format cannot hold gets the place of
// the pair in its file.
func (o *alignOptions) recordFailure(ctx context.Context, err error) error {
	e, ok := errors.AsType[*seqio.RecordError](err)
	if !ok {
		return err
	}
	if o.inputs.Hits != "" {
		// Not every record of PAF is a pair.
		err = fmt.Errorf("%s:%d: pair %d, a hit of %.80q: %s", seqio.FileName(o.inputs.Hits), e.Line, e.Record, e.Query, e.Why)
	} else {
		err = seqio.Located(ctx, o.inputs, e)
	}
	if ctx.Err() != nil {
		return err
	}
	return withHint(&inputError{err}, "--format tsv holds every pair")
}
