package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
)

// TestFencedBands compares pairs that leave narrow bands and come back to them with plain alignments.
func TestFencedBands(t *testing.T) {
	for _, level := range []align.Level{align.LevelAVX512, align.LevelAVX2} {
		t.Run(string(level), func(t *testing.T) {
			if !slices.Contains(align.Levels(), level) {
				t.Skip("this CPU has no such level")
			}
			var sum fencedCounts
			for seed := range uint64(120) {
				sum.check(t, level, seed)
			}
			t.Logf("%+v", sum)
			if sum.Certified < 40 || sum.Certified > sum.Pairs-20 || sum.Traced < sum.Certified*9/10 {
				t.Fatalf("%+v", sum)
			}
		})
	}
}

// FuzzFenced is TestFencedBands for other pairs.
func FuzzFenced(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		for _, level := range align.Levels() {
			var sum fencedCounts
			sum.check(t, level, seed)
		}
	})
}

// fencedCounts counts pairs by what becomes of them.
type fencedCounts struct{ Pairs, Bounds, Certified, Traced int }

func (c *fencedCounts) check(t *testing.T, level align.Level, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	pen := []align.Penalties{{2, 3, 1}, {6, 4, 3}, {10, 12, 3}, {4, 4, 1}, {1, 1, 1}, {19, 36, 2}, {3, 0, 2}, {5, 20, 1}, {61, 90, 31}, {250, 200, 101}}[r.IntN(10)]
	first, later := []int{64, 128, 192}[r.IntN(3)], []int{32, 64, 96, 192}[r.IntN(4)]
	m := newFencedMaker(r)
	plain, err := align.NewAligner(align.Options{Penalties: pen, Level: align.LevelGo})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		pattern, text := m.pair()
		want, cigar, err := plain.Align(pattern, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		guess := want*(80+r.IntN(80))/100 + 1
		got, err := align.AlignFenced(align.Options{Penalties: pen, Level: level}, pattern, text, guess, first, later)
		if err != nil {
			t.Fatal(err)
		}
		if got == nil {
			return
		}
		c.Pairs++
		if got.Bound == 0 {
			continue
		}
		c.Bounds++
		if got.Bound < want {
			t.Fatalf("seed %d: bound %d of a score of %d", seed, got.Bound, want)
		}
		if !got.Certified {
			continue
		}
		c.Certified++
		if got.Bound != want {
			t.Fatalf("seed %d, %v, bands of %d and %d: %d is certified, the score is %d\n%s\n%s",
				seed, pen, first, later, got.Bound, want, pattern, text)
		}
		if got.Traced {
			c.Traced++
			if !slices.Equal(got.CIGAR, cigar) {
				t.Fatalf("seed %d, %v, bands of %d and %d: alignment %s, want %s\n%s\n%s",
					seed, pen, first, later, got.CIGAR, cigar, pattern, text)
			}
		}
	}
}

// fencedMaker makes pairs of which parts are alike on several diagonals.
type fencedMaker struct {
	laneMaker
	n int
}

func newFencedMaker(r *rand.Rand) *fencedMaker {
	m := &fencedMaker{laneMaker: *newLaneMaker(r), n: 100 + r.IntN(1200)}
	m.rate = []float64{0.01, 0.03, 0.06, 0.1, 0.15}[r.IntN(5)]
	if r.IntN(2) == 0 {
		m.letters = "ACGT"
	}
	return m
}

func (m *fencedMaker) pair() (pattern, text []byte) {
	r := m.r
	for len(pattern) < m.n {
		switch r.IntN(12) {
		case 0: // a repeat
			unit := m.random(1 + r.IntN(60))
			for range 1 + r.IntN(1+200/len(unit)) {
				pattern = append(pattern, unit...)
			}
		case 1: // a copy
			if n := len(pattern); n > 20 {
				at := r.IntN(n - 10)
				pattern = append(pattern, m.noisy(pattern[at:min(n, at+20+r.IntN(200))], m.rate/2)...)
			}
		default:
			pattern = append(pattern, m.random(20+r.IntN(200))...)
		}
	}
	text = m.noisy(pattern, m.rate)
	for range r.IntN(4) {
		at, l := r.IntN(len(text)), 1+r.IntN([]int{10, 40, 250}[r.IntN(3)])
		switch r.IntN(4) {
		case 0:
			text = slices.Insert(text, at, m.random(l)...)
		case 1:
			text = slices.Delete(text, at, min(len(text), at+l))
		case 2: // a duplication
			text = slices.Insert(text, at, text[at:min(len(text), at+l)]...)
		default: // one that takes the place of what was there
			end := min(len(text), at+l)
			copy(text[at:end], m.noisy(text[max(0, at-l):at], 0.05))
		}
	}
	if len(text) == 0 {
		text = m.random(5)
	}
	return pattern, text
}
