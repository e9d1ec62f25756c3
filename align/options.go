package align

import (
	"errors"
	"fmt"
	"runtime"
)

// DefaultMemory is the bound, in bytes per worker, on traceback storage above
// which rows are computed again.
const DefaultMemory = 64 << 20

// Options configure an Engine or an Aligner. The zero value is usable: default
// penalties, CIGARs, one worker per CPU, the fastest code this CPU runs.
type Options struct {
	Penalties Penalties // zero value: DefaultPenalties
	// Match is what a match is worth, 0..MaxPenalty. With 0 scores are penalties, else
	// similarities: see Scoring. LongGap is a second cost of gaps; zero for none.
	Match   int
	LongGap Gap
	// Span is which part of a pair an alignment covers. Free is for EndsFree alone.
	Span Span
	Free Free
	// ZDrop, if not 0, ends extensions early: see the package comment. Extension alone.
	ZDrop     int
	ScoreOnly bool
	// Threads is the number of workers; 0 means GOMAXPROCS. An Aligner
	// ignores it.
	Threads int
	// Memory bounds the traceback storage of one worker in bytes; 0 means
	// DefaultMemory. Of a pair that would need more, parts are computed twice or a few
	// times. Besides, a pair takes memory for the rows that the recurrence reads, and
	// for a few states of them, in proportion to its score. Score-only mode needs
	// nothing else; the bound does not concern it.
	// In the approximate mode a pair's rows take 4 bytes for each diagonal of the
	// band and each score. If that is more than two thirds of Memory, the
	// traceback recomputes them in parts, which takes twice the time. If Memory is
	// too little even for that, its memory grows with the square root of the
	// score. Alignments are the same.
	Memory int
	// Approx selects the approximate mode; nil means exact.
	Approx *Approx
	// Cutoff, if not 0, is the least score that is not reported: the result of such a
	// pair is Beyond, without an alignment, and takes no more work than shows that
	// if alignments are global and gaps have one cost. Exact mode alone.
	Cutoff int
	// Level selects the code path; the default is the best available.
	Level Level
}

// Scoring returns the value of alignments.
func (o Options) Scoring() Scoring {
	if o.Penalties == (Penalties{}) {
		o.Penalties = DefaultPenalties
	}
	return Scoring{Penalties: o.Penalties, Match: o.Match, LongGap: o.LongGap}
}

// Model returns the alignment model, or an error when the values that it is made of are out
// of range.
func (o Options) Model() (Model, error) { return NewModel(o.Span, o.Free, o.Scoring()) }

// validateModes reports whether the modes are in range and go together.
func (o Options) validateModes() error {
	switch {
	case o.ZDrop < 0:
		return fmt.Errorf("z-drop %d is negative", o.ZDrop)
	case o.ZDrop > 0 && o.Span != Extension:
		return errors.New("a z-drop is for extensions")
	case o.Cutoff > 0 && o.Match > 0:
		return errors.New("a cutoff is for penalties: with a match score, higher scores are better")
	}
	if err := ValidateCutoff(o.Cutoff, o.Approx); err != nil || o.Approx == nil {
		return err
	}
	switch {
	case o.Span == Local:
		return errors.New("local alignments have no approximate mode")
	case o.ZDrop > 0:
		return errors.New("a z-drop is for the exact mode")
	}
	return o.Approx.Validate()
}

func (o Options) withDefaults() (Options, error) {
	if o.Penalties == (Penalties{}) {
		o.Penalties = DefaultPenalties
	}
	_, err := o.Model()
	if err != nil {
		return o, err
	}
	if err := o.validateModes(); err != nil {
		return o, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	o.Level, err = o.Level.resolve()
	return o, err
}
