package gpu

import (
	"errors"
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/passes"
)

// Options configure an Engine. The zero value is usable: default penalties,
// CIGARs, the first visible GPU, most of its free memory.
type Options struct {
	Penalties align.Penalties // zero value: align.DefaultPenalties
	// Match, LongGap, Span and Free are those of align.Scoring and align.NewModel.
	Match     int
	LongGap   align.Gap
	Span      align.Span
	Free      align.Free
	ScoreOnly bool
	Device    int        // ordinal among the visible GPUs
	MaxError  ErrorBound // zero value: learned from the pairs
	// Approx selects the approximate mode, a heuristic with the same scores as
	// in package align; nil is exact mode.
	Approx *align.Approx
	// Cutoff, if not 0, is the least score that is not reported; see align.Options.
	Cutoff int
	// Memory bounds the device memory in bytes, and MemoryPart bounds it as a part
	// of what is free, above 0 and up to 1. The smaller applies; without either it
	// is most of what is free.
	Memory     int64
	MemoryPart float64

	families string // of kernels, by name, with spaces; empty: all. For tests.
}

// ErrorBound is the user's bound on the errors of a pair. It selects the kernel
// and the memory of a pair's first pass and does not change the result. With the
// zero value, the scores of earlier pairs select them.
type ErrorBound = passes.ErrorBound

// model returns the alignment model.
func (o *Options) model() (align.Model, error) {
	return align.NewModel(o.Span, o.Free, align.Scoring{Penalties: o.Penalties, Match: o.Match, LongGap: o.LongGap})
}

// validate fills in defaults and checks the values.
func (o *Options) validate() error {
	if o.Penalties == (align.Penalties{}) {
		o.Penalties = align.DefaultPenalties
	}
	model, err := o.model()
	if err != nil {
		return err
	}
	switch {
	case o.Memory < 0:
		return fmt.Errorf("%d bytes of device memory are allowed", o.Memory)
	case !(o.MemoryPart >= 0 && o.MemoryPart <= 1):
		return fmt.Errorf("a part of %v of the device memory is allowed: want 0 to 1", o.MemoryPart)
	case o.Match > 0 && o.Cutoff > 0:
		return errors.New("a cutoff is for penalties: with a match score, higher scores are better")
	case o.Approx != nil && !model.Plain():
		return errors.New("the approximate mode is for global alignments with one cost of gaps")
	}
	if err := align.ValidateCutoff(o.Cutoff, o.Approx); err != nil {
		return err
	}
	if o.Approx != nil {
		return o.Approx.Validate()
	}
	return nil
}
