package main

import (
	"context"
	"errors"
	"io"
	"strings"

	seqio "wfagpu/io"
	"wfagpu/io/sam"
)

// targetList is the targets of a run in SAM. Those of its input are listed while the first
// pairs are aligned.
type targetList struct {
	targets *sam.Targets
	cancel  context.CancelFunc
	done    chan struct{} // closed when targets and err are final
	err     error
}

// wait returns when all targets are listed.
func (l *targetList) wait() error {
	<-l.done
	return l.err
}

// stop ends the list of a run that has ended.
func (l *targetList) stop() {
	l.cancel()
	<-l.done
}

// listTargets lists the targets of the run: those of --sam-targets, or of its input. Only part 1
// of a sharded run has a header. A reference and a list are read before it returns: the
// former is opened again for the hits, and records are compared with the latter.
func listTargets(parent context.Context, opts *alignOptions, stdin io.Reader, con *console) (*targetList, error) {
	if opts.samTargets == "" && opts.inputs.Shard.Part > 1 {
		return nil, nil
	}
	file := opts.samTargets
	if file == "" {
		files := opts.inputs.TargetFiles()
		file = strings.Join(files, ", ")
		if size := inputSize(namedPaths(files, stdin)); size >= countNoticed && opts.inputs.Hits == "" {
			con.notice("reading the targets' lengths from %s (%d MB) for the header of SAM; --sam-targets FILE.fai saves this if targets are few and long", file, size/1e6)
		}
		if err := seqio.CheckTargets(opts.inputs); err != nil {
			return nil, targetFailure(err)
		}
	}
	l := &targetList{targets: sam.NewTargets(file, opts.samTargets != ""), done: make(chan struct{})}
	var ctx context.Context
	ctx, l.cancel = context.WithCancel(parent)
	list := func() {
		defer close(l.done)
		l.err = l.list(ctx, opts)
	}
	if opts.samTargets == "" && opts.inputs.Hits == "" {
		go list()
		return l, nil
	}
	list()
	return l, l.err
}

func (l *targetList) list(ctx context.Context, opts *alignOptions) error {
	add := func(group []seqio.Target) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return l.targets.AddAll(group)
	}
	var err error
	for settled := false; err == nil && !settled; {
		if opts.samTargets != "" {
			err = seqio.ListedTargets(opts.samTargets, add)
		} else {
			err = seqio.TargetsOf(opts.inputs, add)
		}
		settled = err != nil || l.targets.Settle()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return targetFailure(err)
}

// targetFailure is the error of targets that cannot be listed.
func targetFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, seqio.ErrTargetPipe):
		return withHint(usagef("--format sam: the header lists all targets, and they come from standard input or a pipe"),
			"write the targets to a file, or list their names and lengths with --sam-targets FILE (FASTA, .fai or .dict)")
	case errors.Is(err, sam.ErrTarget):
		return withHint(&inputError{err}, "give each target a name of its own, or use --format paf")
	}
	return &inputError{err}
}
