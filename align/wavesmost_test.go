package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pairs that differ by a long gap and errors are left to sweeps where the history of wavefronts would take many times
// the memory.
func TestWavesGiveUp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 47))
	text := lettersOf(r, "ACGT", 12_000)
	pattern := slices.Concat(text[:5000], text[7500:])
	for range 900 {
		pattern[r.IntN(len(pattern))] = "ACGT"[r.IntN(4)]
	}
	o := Options{Penalties: Penalties{4, 4, 2}, LongGap: Gap{24, 1}, Match: 2, Threads: 1}
	var scores [2]int
	for i, memory := range []int{DefaultMemory, 1 << 16} {
		o.Memory = memory
		a, err := NewAligner(o)
		if err != nil {
			t.Fatal(err)
		}
		if scores[i], _, err = a.Align(pattern, text, nil); err != nil {
			t.Fatal(err)
		}
		w := &a.spanned.choice.waves
		held := 0
		for _, c := range w.history.checks {
			held += 4 * cap(c.offsets)
		}
		for j := range w.history.segments {
			for _, b := range w.history.segments[j].arena.blocks {
				held += 4 * len(b)
			}
		}
		if w.most > 0 && memory == 1<<16 && (w.spent > w.budget/4 || held > memory) {
			t.Errorf("wavefronts are given up after %.0f of %.0f ns, and hold %d bytes", w.spent, w.budget, held)
		}
	}
	if scores[0] != scores[1] {
		t.Errorf("scores %d and %d", scores[0], scores[1])
	}
}
