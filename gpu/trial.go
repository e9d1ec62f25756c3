package gpu

// trial learns whether gated passes of a length class work out: scores tell whether pairs have few errors,
// and not whether these lie together. While they fail, passes rest.
type trial struct {
	gatedCounts         // of late
	rest        float64 // pairs that come before gated passes are tried again, 0: they are tried
}

// gatedCounts are numbers of gated passes.
type gatedCounts struct {
	passes float64
	// failed are those without an alignment, or with open parts that are most of the work.
	failed float64
}

const (
	// enoughTrials passes tell whether they work out, and mostTrials are remembered.
	enoughTrials = 100
	mostTrials   = 1 << 12
	// Passes that fail rest for restTrials times as many pairs.
	restTrials = 20
)

// learn adds passes. pairs is the number of pairs of the class that have come.
func (t *trial) learn(n gatedCounts, pairs float64) {
	if t.rest > 0 { // n are passes from before
		t.rest = max(t.rest-pairs, 0)
		return
	}
	t.passes += n.passes
	t.failed += n.failed
	if fade := t.passes / mostTrials; fade > 1 {
		t.passes /= fade
		t.failed /= fade
	}
	if t.passes >= enoughTrials && 2*t.failed > t.passes {
		*t = trial{rest: restTrials * t.passes}
	}
}

// share returns the share of passes that have failed, 0 before enough have shown it.
func (t *trial) share() float64 {
	if t.passes < enoughTrials {
		return 0
	}
	return t.failed / t.passes
}

// rests reports whether gated passes rest.
func (t *trial) rests() bool { return t.rest > 0 }
