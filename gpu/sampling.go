package gpu

import (
	"slices"

	"wfagpu/align"
)

// packed is a pair of the batch, with its first word among those of its load.
type packed struct{ index, at int }

// samplePairs is the number of pairs whose samples are looked at together: packing goes on in
// memory, and what it has packed is still in a cache.
const samplePairs = 16

// sample finds which of the pairs that have been packed have few errors, and makes tasks of all but
// those that are to be cut.
func (s *stager) sample(bases []uint32) {
	for _, p := range s.packed {
		pair := &s.call.batch.Pairs[p.index]
		n, m := len(pair.Pattern), len(pair.Text)
		cut := cutting{index: int32(p.index), at: p.at}
		switch errors := s.policy.Approx.ErrorsPacked(bases[p.at:], n, m); {
		case errors == align.FewErrors:
			s.addPacked(p, n, m, true)
			continue
		case errors == align.FewAtEnds:
			cut.most = align.AnyMiddle
		case s.policy.CutsEarly(n, m):
			cut.most = align.NoMiddle
		default:
			s.addPacked(p, n, m, false)
			continue
		}
		s.cuts = append(s.cuts, cut)
	}
	s.packed = s.packed[:0]
}

// addPacked adds a task of a pair of some lengths, perhaps of few errors.
func (s *stager) addPacked(p packed, n, m int, few bool) {
	t, err := s.startOf(p.index, n, m, few)
	if err != nil {
		s.fallBack(p.index, err)
		return
	}
	s.add(t, p.at, p.index, n, m)
}

// cut cuts the pairs that are to be cut before their first pass, and makes tasks of those that
// cannot be cut: as of pairs of few errors, if they have few at their ends.
func (s *stager) cut() {
	pairs := s.call.batch.Pairs
	s.cutters.cut(pairs, s.cuts)
	for i := range s.cuts {
		t := &s.cuts[i]
		if t.ok {
			continue
		}
		p := packed{int(t.index), t.at}
		s.addPacked(p, len(pairs[p.index].Pattern), len(pairs[p.index].Text), t.most == align.AnyMiddle)
	}
}

// pieces returns the staged pairs that have been cut.
func (s *stager) pieces() []cutting {
	return slices.DeleteFunc(s.cuts, func(t cutting) bool { return !t.ok })
}
