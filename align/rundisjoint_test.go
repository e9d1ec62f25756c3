package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// besideInsertion returns a pair whose pattern is 20 to 60 letters longer than the text: insertions of some letters,
// of which most are a copy of letters beside them, with mismatches close to some.
func besideInsertion(r *rand.Rand) (p, t []byte) {
	alphabet := "ACGT"[:2+r.IntN(3)]
	random := func(n int) []byte { return lettersOf(r, alphabet, n) }
	same := func() {
		run := random(40 + r.IntN(120))
		p, t = append(p, run...), append(t, run...)
	}
	same()
	for more := 20 + r.IntN(41); more > 0; {
		n := min(more, 1+r.IntN(10))
		more -= n
		copied := n + r.IntN(24)
		if copied > len(p) || r.IntN(4) == 0 {
			p = append(p, random(n)...)
		} else { // the letters before, moved on
			unit := slices.Clone(p[len(p)-n:])
			for i := range copied {
				c := unit[i%n]
				if p = append(p, c); i >= n {
					t = append(t, c)
				}
			}
		}
		for range r.IntN(3) {
			gap := random(1 + r.IntN(12))
			p, t = append(p, gap...), append(t, gap...)
			p[len(p)-1-r.IntN(len(gap))] = 'N'
		}
		same()
	}
	if r.IntN(2) == 0 {
		slices.Reverse(p)
		slices.Reverse(t)
	}
	return p, t
}

// disjoint returns an error where a run shares letters of one of the sequences with the run before it.
func disjoint(runs []equalRun) error {
	for i := range runs {
		r := &runs[i]
		if r.from > r.to {
			return fmt.Errorf("run %d: %v", i, *r)
		}
		if i == 0 {
			continue
		}
		b := &runs[i-1]
		if r.from < b.to || r.from+r.k < b.to+b.k {
			return fmt.Errorf("run %d: %v after %v", i, *r, *b)
		}
	}
	return nil
}

// TestRunsDisjoint checks that the runs of greedy share no letters of either sequence, and that alignments
// between gates on them are those of wavefronts.
func TestRunsDisjoint(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	across, gated := 0, 0
	for i := range 3000 {
		pen := gatedPenalties[r.IntN(len(gatedPenalties))]
		p, s := besideInsertion(r)
		if i%8 == 0 {
			p, s = s, p
		}
		x := exactFor(t, pen, p, s)
		if !x.along.run(x.pattern, x.text) {
			continue
		}
		x.gated.findGates()
		if err := disjoint(x.along.runs); err != nil {
			t.Fatalf("%v: %v:\n%s\n%s", pen, err, p, s)
		}
		if x.gated.gates.across {
			across++
			gated += min(1, len(x.gated.gates.gates))
		}
		checkGated(t, pen, p, s)
	}
	if across < 1000 || gated < across/2 {
		t.Fatalf("%d patterns are longer, %d have gates", across, gated)
	}
}
