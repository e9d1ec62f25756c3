package gpu

import (
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// widePenalties and wideWindow need more than shared memory has for what a block
// of the window kernel holds.
var (
	widePenalties = align.Penalties{Mismatch: 40, GapOpen: 60, GapExtend: 7}
	wideWindow    = align.Approx{Band: 2000}
)

// Whatever the limit, one task and what all blocks hold fit into the lane's memory.
func TestWindowPlanFits(t *testing.T) {
	e := openOnFake(t, newFakeGPU(t, 4000), Options{Penalties: widePenalties, Approx: &wideWindow})
	l, err := newLane(e, e.rowBudget)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	kind := len(variants)
	for score := 1; score <= l.mostScore[kind]; score++ {
		p, err := l.planWindow(uint8(kind), 1000, score)
		if err != nil {
			t.Fatal(err)
		}
		if p.held == 0 || p.held+4*p.stride > l.rowBudget {
			t.Fatalf("limit %d: %d bytes held and rows of %d words, the budget is %d", score, p.held, p.stride, l.rowBudget)
		}
	}
}

// No limit is so high that its alignment has no room.
func TestWindowAlignmentsHaveRoom(t *testing.T) {
	for _, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 1, GapOpen: 0, GapExtend: 1}, widePenalties} {
		e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: p, Approx: &wideWindow})
		for _, words := range []int{1 << 20, 1 << 34, 1 << 40} {
			if s := e.mostInWindow(len(variants), words); s < 1 || e.cigarRoom(s) > laneCigars {
				t.Errorf("%v, %d words: scores up to %d take %d elements of %d", p, words, s, e.cigarRoom(s), laneCigars)
			}
		}
	}
}

// Blocks that hold their rows in global memory make do with what is left when
// somebody else has taken most of it.
func TestWindowWhenMemoryIsScarce(t *testing.T) {
	for _, scoreOnly := range []bool{false, true} {
		for _, left := range []int{150, 80, 40} { // MiB
			o := align.Options{Penalties: widePenalties, Approx: &wideWindow, ScoreOnly: scoreOnly}
			e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, Approx: o.Approx, ScoreOnly: scoreOnly})
			_, fixed := e.deviceLayout()
			free, _, err := e.dev.Memory()
			if err != nil {
				t.Fatal(err)
			}
			taken, err := e.dev.Alloc(int(free) - fixed - left<<20)
			if err != nil {
				t.Fatal(err)
			}
			b := simulated(t, 300, simulate.Options{Length: 150, ErrorRate: 0.01, Seed: 9})
			asInWindows(t, withCPU(t, e, o), o, b)
			if err := e.dev.Free(taken); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A bound on the score below the cheapest error is no reason to leave a pair.
func TestWindowBelowTheCheapestError(t *testing.T) {
	o := align.Options{Penalties: align.Penalties{Mismatch: 9, GapOpen: 0, GapExtend: 3}, Approx: &align.Approx{Band: 64}}
	e := openOnFake(t, newFakeGPU(t, 1000), Options{Penalties: o.Penalties, Approx: o.Approx, MaxError: ErrorBound{Score: 1}})
	b := simulated(t, 20, simulate.Options{Length: 100, ErrorRate: 0.02, Seed: 10})
	b.Pairs = append(b.Pairs, align.Pair{Pattern: []byte("ACGT"), Text: []byte("ACGT")})
	asInWindows(t, withCPU(t, e, o), o, b)
}
