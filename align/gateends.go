package align

import (
	"sync/atomic"

	"wfagpu/cigar"
)

// gateEnds aligns pairs whose optimal alignments all pass two gates: globally between these, and as the model says
// what is before the first one and behind the last one.
type gateEnds struct {
	scoreOnly   bool
	places      codes
	gates       *gates
	middle      *Aligner // of global alignments
	short       *Aligner // of those beside gates
	before      insidePart
	behind      insidePart
	ahead       *gateWaves // nil for models that leave out letters at a cost
	alignment   cigar.CIGAR
	gatesPauses pauses
}

// newGateEnds returns gateEnds for a model whose alignments have gates.
func newGateEnds(k *kernels, m *Model, o Options) (*gateEnds, error) {
	middle, err := NewAligner(globalOptions(o))
	if err != nil {
		return nil, err
	}
	x := &gateEnds{scoreOnly: o.ScoreOnly, places: codes{kern: k}, middle: middle}
	if x.short, err = NewAligner(globalOptions(o)); err != nil {
		return nil, err
	}
	x.gates = newGates(k, m, &x.places)
	if m.FreeLetter == 0 {
		x.ahead = newGateWaves(k, m)
	}
	before, behind := *m, *m
	switch m.Span {
	case Extension:
		before.Span, before.FreeLetter = Global, 0
	case Local:
		behind.Span = Extension
		x.before.toEnd = true
	}
	x.before.prepare(k, &before, o)
	x.behind.prepare(k, &behind, o)
	return x, nil
}

// globalOptions returns the options of exact global alignments.
func globalOptions(o Options) Options {
	o.Span, o.Free, o.Cutoff, o.ZDrop, o.Approx = Global, Free{}, 0, 0, nil
	return o
}

func (x *gateEnds) stopOn(stop *atomic.Bool) {
	x.middle.stopOn(stop)
	x.short.stopOn(stop)
	x.gates.stop = stop
	x.before.stopOn(stop)
	x.behind.stopOn(stop)
	if x.ahead != nil {
		x.ahead.stop = stop
	}
}

// look looks for the gates of a pair, unless none of the last pairs had any; nil if there is none.
func (x *gateEnds) look(pattern, text *sequence) (first, last *gateSeed) {
	if x.gatesPauses.leaves() {
		return nil, nil
	}
	first, last = x.gates.find(pattern, text)
	x.gatesPauses.record(first != nil, 4)
	return first, last
}
