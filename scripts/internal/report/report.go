// Package report prints measurements as lines for people and for programs.
//
// A line for programs has the fields RESULT, part, item, metric, value, unit, goal
// and verdict, separated by tabs. The goal is empty, or a bound such as <=1.1 or
// >=15; the verdict is met, missed, or - without a goal. A failure is a line with the
// fields FAILED, part, item, reason.
package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Goal is a bound on a value.
type Goal struct {
	Value  float64
	AtMost bool // the value is an upper bound
}

// AtLeast and AtMost are goals; a goal that is nil is none.
func AtLeast(v float64) *Goal { return &Goal{Value: v} }
func AtMost(v float64) *Goal  { return &Goal{Value: v, AtMost: true} }

func (g *Goal) String() string {
	switch {
	case g == nil:
		return ""
	case g.AtMost:
		return fmt.Sprintf("<=%.4g", g.Value)
	}
	return fmt.Sprintf(">=%.4g", g.Value)
}

// Verdict is met, missed, or - without a goal.
func (g *Goal) Verdict(v float64) string {
	switch {
	case g == nil:
		return "-"
	case g.AtMost && v <= g.Value, !g.AtMost && v >= g.Value:
		return "met"
	}
	return "missed" // not a number, too
}

// Report is the output of one part.
type Report struct {
	Out    io.Writer
	Part   string
	failed []string
}

// Printf prints lines for people.
func (r *Report) Printf(format string, args ...any) { fmt.Fprintf(r.Out, format, args...) }

// Result prints a value, with its goal if it has one.
func (r *Report) Result(item, metric string, v float64, unit string, g *Goal) {
	fmt.Fprintf(r.Out, "RESULT\t%s\t%s\t%s\t%.5g\t%s\t%s\t%s\n", r.Part, item, metric, v, unit, g, g.Verdict(v))
}

// Fail prints a failure, which Err returns at the end; other items go on.
func (r *Report) Fail(item string, err error) {
	if err == nil {
		return
	}
	reason := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintf(r.Out, "FAILED\t%s\t%s\t%s\n", r.Part, item, reason)
	r.failed = append(r.failed, item)
}

// Err is nil if nothing failed.
func (r *Report) Err() error {
	if len(r.failed) == 0 {
		return nil
	}
	return errors.New(r.Part + ": failed: " + strings.Join(r.failed, ", "))
}
