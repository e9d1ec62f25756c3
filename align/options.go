package align

import "runtime"

// DefaultMemory is the bound, in bytes per worker, on traceback storage above
// which rows are computed again.
const DefaultMemory = 64 << 20

// Options configure an Engine or an Aligner. The zero value is usable: default
// penalties, CIGARs, one worker per CPU, the fastest code this CPU runs.
type Options struct {
	Penalties Penalties // zero value: DefaultPenalties
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
	// band and each score. If that is more than three quarters of Memory, the
	// traceback recomputes them in parts, which takes twice the time. If Memory is
	// too little even for that, its memory grows with the square root of the
	// score. Alignments are the same.
	Memory int
	// Approx selects the approximate mode; nil means exact.
	Approx *Approx
	// Cutoff, if not 0, is the least score that is not reported: the result of such a
	// pair is Beyond, without an alignment, and takes no more work than shows that.
	// Exact mode alone.
	Cutoff int
	// Level selects the code path; the default is the best available.
	Level Level
}

func (o Options) withDefaults() (Options, error) {
	if o.Penalties == (Penalties{}) {
		o.Penalties = DefaultPenalties
	}
	if err := o.Penalties.Validate(); err != nil {
		return o, err
	}
	if err := ValidateCutoff(o.Cutoff, o.Approx); err != nil {
		return o, err
	}
	if o.Approx != nil {
		if err := o.Approx.Validate(); err != nil {
			return o, err
		}
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	var err error
	o.Level, err = o.Level.resolve()
	return o, err
}
