package align_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// TestBidirectionalAtUnequalLengths has costly gap extensions and diagonals that end early: there
// a gap state can be the only one on its diagonal at which the two directions meet.
func TestBidirectionalAtUnequalLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 19))
	letters := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = "AC"[r.IntN(2)]
		}
		return b
	}
	pairs := 1500
	if testing.Short() {
		pairs = 200
	}
	for _, p := range []align.Penalties{{Mismatch: 4, GapOpen: 5, GapExtend: 19}, {Mismatch: 1, GapOpen: 3, GapExtend: 12}, {Mismatch: 1, GapOpen: 11, GapExtend: 17}} {
		for _, level := range align.Levels() {
			a, err := align.NewAligner(align.Options{Penalties: p, Level: level, Memory: 1})
			if err != nil {
				t.Fatal(err)
			}
			for range pairs {
				pattern, text := letters(r.IntN(12)), letters(r.IntN(60))
				want, _ := aligntest.Gotoh(pattern, text, p)
				score, c, _, err := align.AlignBy(a, align.ByBidirectional, pattern, text, want)
				if err != nil || score != want {
					t.Fatalf("%s, %v: score %d, error %v, want %d, for %q against %q", level, p, score, err, want, pattern, text)
				}
				if cost, err := c.Score(p.Mismatch, p.GapOpen, p.GapExtend); err != nil || cost != want {
					t.Fatalf("%s, %v: CIGAR %v costs %d (%v), want %d, for %q against %q", level, p, c, cost, err, want, pattern, text)
				}
				if err := c.Verify(pattern, text); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestStatsFromTwoSides holds that concurrent callers that each need every worker do not block each
// other.
func TestStatsFromTwoSides(t *testing.T) {
	e, err := align.New(align.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		var both sync.WaitGroup
		for range 8 {
			both.Go(func() {
				for range 50000 {
					e.Stats()
				}
			})
		}
		both.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("calls of Stats wait for each other")
	}
}

// TestLittleMemory holds that pairs above the memory bound are aligned from both ends, on every
// code path, and optimally.
func TestLittleMemory(t *testing.T) {
	patterns, texts := simulated(t, 4, simulate.Options{Length: 2500, ErrorRate: 0.15, Seed: 3})
	for _, level := range align.Levels() {
		e, err := align.New(align.Options{Level: level, Memory: 1, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		b := &align.Batch{}
		for i := range patterns {
			b.Pairs = append(b.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
		}
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i, r := range b.Results {
			if want := aligntest.BandedScore(patterns[i], texts[i], align.DefaultPenalties); r.Err != nil || r.Score != want {
				t.Errorf("%s: score %d, error %v, want %d", level, r.Score, r.Err, want)
			}
			if err := aligntest.Check(patterns[i], texts[i], align.DefaultPenalties, r); err != nil {
				t.Errorf("%s: %v", level, err)
			}
		}
		if s := e.Stats(); s.Bidirectional != int64(len(patterns)) {
			t.Errorf("%s: %+v, want %d pairs aligned from both ends", level, s, len(patterns))
		}
	}
}
