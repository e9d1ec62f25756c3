package kernel

import (
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// spanCPU is the CPU engine with a model.
type spanCPU struct {
	model   align.Model
	match   int
	aligner *align.Aligner
}

// newSpanCPU returns the engine and its model.
func newSpanCPU(t testing.TB, span align.Span, free align.Free, s align.Scoring) *spanCPU {
	o := align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap, Span: span, Free: free}
	m, err := o.Model()
	if err != nil {
		t.Fatal(err)
	}
	a, err := align.NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	return &spanCPU{m, s.Match, a}
}

// align returns the reduced cost, free letters included, the alignment and its place.
func (c *spanCPU) align(t testing.TB, p letterPair) (cost int, path cigar.CIGAR, place align.Place) {
	score, path, err := c.aligner.Align([]byte(p.pattern), []byte(p.text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.match > 0 {
		score = c.match*(len(p.pattern)+len(p.text)) - 2*score
	}
	return score / c.model.Scale, path, c.aligner.Place()
}
