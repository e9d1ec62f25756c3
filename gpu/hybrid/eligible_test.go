package hybrid

import (
	"bytes"
	"testing"

	"wfagpu/align"
)

// The longest sequences that the CPU may align early never need bidirectional
// WFA, which may choose another alignment, however unlike they are. Sequences of
// twice the length do, so that the bound is not too low.
func TestEligibleBatchesFitIntoMemory(t *testing.T) {
	for _, p := range []align.Penalties{
		align.DefaultPenalties, {Mismatch: 4, GapOpen: 6, GapExtend: 2}, {Mismatch: 1, GapOpen: 0, GapExtend: 1},
		{Mismatch: 3, GapOpen: 4, GapExtend: 2}, {Mismatch: 2, GapOpen: 40, GapExtend: 1}, {Mismatch: 1, GapOpen: 2, GapExtend: 9},
		{Mismatch: 7, GapOpen: 1, GapExtend: 3},
	} {
		for _, level := range align.Levels() {
			o := align.Options{Penalties: p, Threads: 1, Memory: 1 << 20, Level: level}
			longest := newEligible(o).longest
			if longest < 32 {
				t.Errorf("penalties %v: sequences of %d letters at most", p, longest)
			}
			if n := bidirectional(t, o, longest); n > 0 {
				t.Errorf("penalties %v, %s: %d pairs of up to %d letters did not fit", p, level, n, longest)
			}
			// The others have bands in place of most wavefronts.
			if level == "go" && bidirectional(t, o, 2*longest) == 0 {
				t.Errorf("penalties %v: pairs of up to %d letters fit, too", p, 2*longest)
			}
		}
	}
}

// bidirectional aligns pairs of up to n letters that have nothing in common and
// returns how many did not fit.
func bidirectional(t *testing.T, o align.Options, n int) int64 {
	t.Helper()
	e, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{First: 1}
	for _, lengths := range [][2]int{{n, n}, {n, n / 2}, {n / 3, n}, {n, 1}, {n, 0}, {0, n}} {
		b.Pairs = append(b.Pairs, align.Pair{
			Pattern: bytes.Repeat([]byte("A"), lengths[0]), Text: bytes.Repeat([]byte("C"), lengths[1]),
		})
	}
	if err := e.AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return e.Stats().Checkpointed
}

func TestEligibleBatches(t *testing.T) {
	plain := align.Options{Penalties: align.DefaultPenalties, Memory: align.DefaultMemory}
	scores, approx, little := plain, plain, plain
	scores.ScoreOnly = true
	approx.Approx = &align.Approx{}
	little.Memory = 1
	for _, tc := range []struct {
		name       string
		o          align.Options
		has, lacks int // letters
	}{
		{"alignments", plain, 2048, 3000},
		{"approximate alignments", approx, 2048, 3000},
		{"scores", scores, longestEarly, longestEarly + 1},
		{"little memory", little, 0, 1},
	} {
		e := newEligible(tc.o)
		for _, n := range []int{tc.has, tc.lacks} {
			for _, p := range []align.Pair{{Pattern: make([]byte, n)}, {Text: make([]byte, n)}} {
				b := &align.Batch{Pairs: []align.Pair{{}, p, {}}}
				if got := e.has(b); got != (n == tc.has) {
					t.Errorf("%s: a pair of %d and %d letters is eligible: %v", tc.name, len(p.Pattern), len(p.Text), got)
				}
			}
		}
	}
}
