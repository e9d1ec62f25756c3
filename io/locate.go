package seqio

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Located returns the error of a pair that is no hit, with file, line and number of its query or, in
// pairs files, of the pair. The files are read once more for it, up to the pair. Where that is not
// possible, as behind a pipe, the error has the number of the pair and the name of its query.
func Located(ctx context.Context, in Inputs, e *RecordError) error {
	files := in.Query
	if len(in.Pairs) > 0 {
		files = in.Pairs
	}
	onDisk := files
	if i := slices.IndexFunc(files, func(path string) bool { return path == "-" || regular(path, nil) != nil }); i >= 0 {
		onDisk = files[:i]
	}
	l := locator{ctx: ctx, fault: errors.New(e.Why), before: e.Record - max(in.FirstNumber, 1)}
	if in.Interleaved {
		l.before *= 2
	}
	if in.ByName {
		l.name = e.Query
	}
	g := &targetGroup{visit: l.visit}
	var err error
	if len(in.Pairs) > 0 {
		err = scanTargets(onDisk, 1, g)
	} else {
		err = eachFile(onDisk, g)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if l.found {
		return err
	}
	names := slices.Clone(files)
	for i := range names {
		names[i] = FileName(names[i])
	}
	return fmt.Errorf("%s: pair %d, of the query %.80q: %s", strings.Join(names, ", "), e.Record, e.Query, e.Why)
}

// locator visits records up to one.
type locator struct {
	ctx    context.Context
	fault  error
	name   string // of the record; "" for any
	before int64  // records before it, whatever their names
	found  bool
}

func (l *locator) visit(group []Target) (int, error) {
	if l.ctx.Err() != nil {
		return 0, context.Cause(l.ctx)
	}
	for i := range group {
		if l.name == "" && l.before == 0 || l.name != "" && l.name == string(group[i].Name) {
			l.found = true
			return i, l.fault
		}
		l.before--
	}
	return len(group), nil
}
