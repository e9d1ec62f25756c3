package align

import "testing"

// TestModelScoresAlignments compares the scores of a model with the similarities that the
// scoring says, for alignments of given operations.
func TestModelScoresAlignments(t *testing.T) {
	for _, s := range []Scoring{
		{Penalties: Penalties{4, 4, 2}, Match: 2},
		{Penalties: Penalties{4, 6, 1}, Match: 1},
		{Penalties: Penalties{3, 5, 2}, Match: 1, LongGap: Gap{24, 1}},
		{Penalties: Penalties{2, 3, 1}},
		{Penalties: Penalties{6, 4, 4}, LongGap: Gap{24, 2}},
	} {
		for _, span := range []Span{Global, EndsFree, Extension, Local} {
			m, err := NewModel(span, Free{}, s)
			if s.Match == 0 && (span == Extension || span == Local) {
				if err == nil {
					t.Errorf("%+v, span %d: no error without a match score", s, span)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			const matches, mismatches, insertion, deletion, free = 20, 3, 2, 30, 7
			gap := func(l int) int {
				c := s.GapOpen + l*s.GapExtend
				if s.LongGap != (Gap{}) {
					c = min(c, s.LongGap.Open+l*s.LongGap.Extend)
				}
				return c
			}
			want := s.Mismatch*mismatches + gap(insertion) + gap(deletion)
			if s.Match > 0 {
				want = s.Match*matches - want
			}
			cost := m.Mismatch*mismatches + m.Cost(insertion) + m.Cost(deletion)
			letters := 2*(matches+mismatches) + insertion + deletion
			if span != Global {
				cost += free * m.FreeLetter
				letters += free
			}
			if got := m.Score(cost, letters); got != want {
				t.Errorf("%+v, span %d: score %d, want %d", s, span, got, want)
			}
		}
	}
}
