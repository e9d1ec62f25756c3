package align

import (
	"errors"

	"wfagpu/cigar"
)

// anyEnds aligns similar pairs whose alignments end anywhere, and of local ones begin anywhere, by gates: what is
// between the first and the last one is aligned globally, as insideMethod does.
type anyEnds struct {
	*gateEnds
	least int // letters of a pattern for which gates are looked for; anyLetters
}

// anyLetters is so many that a matrix takes longer than to look for gates.
const anyLetters = 400

// newAnyEnds returns nil for models that it does not take.
func newAnyEnds(k *kernels, m *Model, o Options) (*anyEnds, error) {
	if !m.Span.EndsAnywhere() {
		return nil, nil
	}
	ends, err := newGateEnds(k, m, o)
	if err != nil {
		return nil, err
	}
	return &anyEnds{ends, anyLetters}, nil
}

// align takes the pairs that have gates near both ends.
func (x *anyEnds) align(dst cigar.CIGAR, m *Model, pattern, text *sequence) (spanResult, bool, error) {
	if !m.Span.EndsAnywhere() || pattern.n < x.least {
		return spanResult{}, false, nil
	}
	x.places.load(text)
	first, last := x.look(pattern, text)
	if first == nil {
		return spanResult{}, false, nil
	}
	plan := x.plan(m, pattern.n, text.n, first, last)
	r, ok, err := x.through(dst, m, pattern, text, &plan, nil)
	if errors.Is(err, errSpanMethod) {
		return spanResult{}, false, nil // of all letters that there are
	}
	return r, ok, err
}
