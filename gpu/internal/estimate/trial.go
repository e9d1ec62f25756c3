package estimate

// trial learns whether gated passes of a length class work out: scores tell whether pairs have few errors,
// and not whether these lie together. While they fail, passes rest.
type trial struct {
	PassCounts         // failed are those without an alignment, or with open parts that are most of the work
	rest       float64 // pairs that come before gated passes are tried again, 0: they are tried
}

const (
	// EnoughTrials passes tell whether they work out, and mostTrials are remembered.
	EnoughTrials = 100
	mostTrials   = 1 << 12
	// Passes that fail rest for restTrials times as many pairs, those included that were on their way when the rest began.
	restTrials = 20
)

// learn adds passes. pairs is the number of pairs of the class that have come.
func (t *trial) learn(n PassCounts, pairs float64) {
	if t.rest > 0 { // n are passes from before, many where many pairs are on their way
		t.rest = max(t.rest-pairs, 0)
		if n.mostlyFail() {
			t.rest += restTrials * n.Passes
		}
		return
	}
	t.add(n, mostTrials)
	if t.Passes >= EnoughTrials && t.mostlyFail() {
		*t = trial{rest: restTrials * t.Passes}
	}
}

// rests reports whether gated passes rest.
func (t *trial) rests() bool { return t.rest > 0 }
