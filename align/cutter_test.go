package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// withStretches returns pairs of few errors but in a stretch of the pattern, of some share of
// different letters: all letters are others where it is 1.
func withStretches(t testing.TB, count, length int, share float64, seed uint64) (patterns, texts [][]byte) {
	t.Helper()
	patterns, texts = simulated(t, count, simulate.Options{Length: length, ErrorRate: 0.004, Seed: seed})
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range patterns {
		n := 1100 + r.IntN(len(p)/2)
		from := r.IntN(len(p) - n)
		for i := from; i < from+n; i++ {
			if r.Float64() < share {
				p[i] = "ACGT"[r.IntN(4)]
			}
		}
	}
	return patterns, texts
}

// asPlanned aligns a pair in pieces as another engine does: by exact methods and a Bander alone.
func asPlanned(t *testing.T, exact *align.Aligner, b *align.Bander, pen align.Penalties, pattern, text []byte, pieces *align.Pieces, seen *planned) (score int, alignment cigar.CIGAR) {
	t.Helper()
	at := align.Place{}
	for i := range pieces {
		p := &pieces[i]
		if p.PatternBegin != at.PatternEnd || p.TextBegin != at.TextEnd || p.PatternEnd < p.PatternBegin || p.TextEnd < p.TextBegin {
			t.Fatalf("piece %d is at %+v, behind %+v", i, p.Place, at)
		}
		at = p.Place
		x, y := p.Of(pattern, text)
		s, c, err := exact.Align(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Expected >= 0 && len(x)+len(y) > 0 {
			if seen.expected++; s > p.Expected {
				seen.more++
			}
		}
		if p.Mode == align.PieceBanded {
			banded, d, ok, err := b.Align(x, y, nil)
			if err != nil {
				t.Fatal(err)
			}
			certified := p.Certified(pen, s)
			if certified && (!ok || banded != s || !slices.Equal(c, d)) {
				t.Errorf("band of %d and %d letters: cost %d, %v; certified: %d", len(x), len(y), banded, ok, s)
			}
			if ok {
				seen.banded++
				s, c = banded, d
			}
			if p.Similar == certified {
				seen.foretold++
			}
		}
		score += s
		alignment = align.Joined(alignment, c)
	}
	if at.PatternEnd != len(pattern) || at.TextEnd != len(text) {
		t.Fatalf("the last piece is at %+v of %d and %d letters", at, len(pattern), len(text))
	}
	return score, alignment
}

// planned counts pieces.
type planned struct{ expected, more, banded, foretold int }

// TestCutter: engines that follow a Cutter have the alignments of Aligner.
func TestCutter(t *testing.T) {
	for _, pen := range []align.Penalties{align.DefaultPenalties, {Mismatch: 4, GapOpen: 7, GapExtend: 2}, {Mismatch: 5, GapOpen: 1, GapExtend: 3}} {
		t.Run(fmt.Sprint(pen), func(t *testing.T) {
			t.Parallel()
			var patterns, texts [][]byte
			add := func(p, q [][]byte) { patterns, texts = append(patterns, p...), append(texts, q...) }
			for i, share := range []float64{0.1, 0.2, 1} {
				add(withStretches(t, 8, 5000, share, uint64(i+1)))
			}
			for _, kind := range simulate.VariantKinds() {
				add(withVariants(t, 8, 6000, 0.01, simulate.Variants{Least: 50, Most: 3000, Kinds: string(kind)}, 4))
			}
			a := newAligner(t, align.Options{Penalties: pen, Approx: &align.Approx{}})
			exact := newAligner(t, align.Options{Penalties: pen})
			c, b := align.NewCutter(pen), align.NewBander(pen, false)
			var seen planned
			count := 0
			for i := range patterns {
				for _, early := range []bool{true, false} {
					most := align.AnyMiddle
					if early {
						most = align.NoMiddle
					}
					want, alignment, ok, err := align.AlignPieces(a, patterns[i], texts[i], early)
					if err != nil {
						t.Fatal(err)
					}
					pieces, cut := c.Cut(patterns[i], texts[i], most)
					if cut != ok {
						t.Errorf("pair %d: cut %v, want %v", i, cut, ok)
					}
					if !cut || !ok {
						continue
					}
					count++
					score, got := asPlanned(t, exact, b, pen, patterns[i], texts[i], &pieces, &seen)
					if score != want || !slices.Equal(got, alignment) {
						t.Errorf("pair %d: %d, %v; want %d, %v", i, score, got, want, alignment)
					}
					if err := aligntest.Check(patterns[i], texts[i], pen, align.Result{Score: score, CIGAR: got}); err != nil {
						t.Errorf("pair %d: %v", i, err)
					}
				}
			}
			t.Logf("%d of %d pairs cut, %+v", count, 2*len(patterns), seen)
			if count < 40 || seen.banded < 12 || 3*seen.foretold < 2*seen.banded || seen.expected < 2*count || 20*seen.more > seen.expected {
				t.Errorf("%d pairs cut, %+v", count, seen)
			}
		})
	}
}
