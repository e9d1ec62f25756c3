package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGatedEnds has pairs whose last letters differ here and there: what goes straight to the end along the
// runs costs more than the mismatches.
func TestGatedEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	gated := 0
	for i := range 1000 {
		o := Options{Penalties: gatedPenalties[r.IntN(len(gatedPenalties))], ScoreOnly: i%2 == 0}
		text := lettersOf(r, "ACGT", 300)
		pattern := slices.Clone(text)
		for range 1 + r.IntN(6) {
			pattern[len(pattern)-1-r.IntN(10)] = "ACGT"[r.IntN(4)]
		}
		pattern[r.IntN(len(pattern))] = 'N'
		a, err := NewAligner(o)
		if err != nil {
			t.Fatal(err)
		}
		want := costWithout(a.exact.pen, pattern, text, -1, -1) * a.model.Scale
		got, c, ok, err := AlignBy(a, ByGated, pattern, text, want)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		gated++
		if got != want {
			t.Fatalf("%v: score %d, want %d:\n%s\n%s", o.Penalties, got, want, pattern, text)
		}
		if s, err := c.Score(o.Penalties.Mismatch, o.Penalties.GapOpen, o.Penalties.GapExtend); !o.ScoreOnly && (s != want || err != nil) {
			t.Fatalf("%v: %s costs %d, want %d: %v", o.Penalties, c, s, want, err)
		}
	}
	if gated < 500 {
		t.Fatalf("%d pairs", gated)
	}
}

// TestGatedBeyond has pairs that are above the limit, all together or a part alone. They are counted once.
func TestGatedBeyond(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for range 60 {
		text := lettersOf(r, "ACGT", 3000)
		gap := 20 + r.IntN(200)
		pattern := slices.Concat(text[:1000], text[1000+gap:2000], lettersOf(r, "ACGT", gap), text[2000:])
		for _, cutoff := range []int{10, 40, 100, 400, 1000} {
			a, err := NewAligner(Options{Cutoff: cutoff})
			if err != nil {
				t.Fatal(err)
			}
			for i := range int64(3) { // the later ones are expected to cost little
				if _, _, err := a.Align(pattern, text, nil); err != nil {
					t.Fatal(err)
				}
				if s := a.stats; s.Wavefront+s.Banded+s.Checkpointed != i+1 {
					t.Fatalf("cutoff %d, gaps of %d: %d pairs, counted are %+v", cutoff, gap, i+1, s)
				}
			}
		}
	}
}
