package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaneBand compares scores and alignments with those of wavefronts.
func TestPlaneBand(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	pen := planePenalties
	b, w := newPlaneBand(pen), newWavefronts(goKernels, pen)
	for i := range 1000 {
		p, x := planePair(r, 1+r.IntN(400), 40)
		var pattern, text sequence
		copy(pattern.guarded(len(p), patternPad), p)
		copy(text.guarded(len(x), textPad), x)
		for w.start(&pattern, &text, true); !w.reached(); w.step() {
		}
		want, err := w.traceback(nil)
		if err != nil {
			t.Fatal(err)
		}
		b.load(&pattern, &text)
		if low := r.IntN(w.s + 1); low < w.s {
			if score, ok := b.within(low, false, 0); ok && score < w.s {
				t.Fatalf("%s, %s: score %d within %d, less than %d", p, x, score, low, w.s)
			}
		}
		for _, bound := range []int{w.s, w.s + r.IntN(100)} {
			score, ok := b.within(bound, true, 1<<30)
			if !ok || score != w.s {
				t.Fatalf("pair %d, %s, %s: score %d, %v, want %d", i, pattern.letters(), text.letters(), score, ok, w.s)
			}
			cost, got, err := b.trace.run(nil, &pattern, &text, &pen)
			if err != nil || cost != w.s || !slices.Equal(got, want) {
				t.Fatalf("pair %d, %s, %s: cost %d of %d, %v, want %v, %v", i, pattern.letters(), text.letters(), cost, w.s, got, want, err)
			}
		}
	}
}

// planePair returns a text of n letters of few kinds and a pattern with errors, of which gaps are up
// to longest letters.
func planePair(r *rand.Rand, n, longest int) (pattern, text []byte) {
	alphabet := "ACGT"[:1+r.IntN(4)]
	text = make([]byte, n)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	s := slices.Clone(text)
	for range r.IntN(2 + n/4) {
		i, l := r.IntN(len(s)+1), 1+r.IntN(1+r.IntN(longest))
		switch r.IntN(6) {
		case 0:
			s = slices.Insert(s, i, randomLetters(r, l)...)
		case 1:
			s = slices.Delete(s, i, min(i+l, len(s)))
		default:
			s[i%len(s)] = alphabet[r.IntN(len(alphabet))]
		}
		if len(s) == 0 {
			s = []byte("A")
		}
	}
	return s, text
}

// TestPlaneGroups compares batches, in which pairs wait for others, with wavefronts. Their gaps are
// about as long as bands are wide, so that seeds decide for many whether a band was enough; in some
// pairs there are letters that planes do not take.
func TestPlaneGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	w := newWavefronts(goKernels, planePenalties)
	a, err := NewAligner(Options{Penalties: Penalties{4, 6, 2}, Level: LevelGo})
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		n, longest := 40+r.IntN(300), 1+r.IntN(45)
		var b Batch
		for range 40 {
			p, x := planePair(r, n+r.IntN(10), longest)
			if r.IntN(20) == 0 {
				p[r.IntN(len(p))] = 'N'
			}
			b.Pairs = append(b.Pairs, Pair{Pattern: p, Text: x})
		}
		b.PrepareResults()
		AlignBatch(a, &b)
		for i, p := range b.Pairs {
			var pattern, text sequence
			copy(pattern.guarded(len(p.Pattern), patternPad), p.Pattern)
			copy(text.guarded(len(p.Text), textPad), p.Text)
			for w.start(&pattern, &text, true); !w.reached(); w.step() {
			}
			want, err := w.traceback(nil)
			if err != nil {
				t.Fatal(err)
			}
			got := b.Results[i]
			if got.Err != nil || got.Score != 2*w.s || !slices.Equal(got.CIGAR, want) {
				t.Fatalf("%s, %s: score %d, %v, %v, want %d, %v", p.Pattern, p.Text, got.Score, got.CIGAR, got.Err, 2*w.s, want)
			}
		}
	}
	if a.stats.Banded < 1000 {
		t.Errorf("only %d pairs in bands", a.stats.Banded)
	}
}

// TestPlaneSeeds checks that no alignment that leaves a band costs less than seeds say.
func TestPlaneSeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	b, w := newPlaneBand(planePenalties), newWavefronts(goKernels, planePenalties)
	proved := 0
	for range 1200 {
		x := randomLetters(r, 500+r.IntN(500))
		p := slices.Clone(x)
		if r.IntN(2) == 0 { // out of the band and back
			l := 50 + r.IntN(30)
			p = slices.Insert(p, r.IntN(len(p)/2), randomLetters(r, l)...)
			at := len(p)/2 + r.IntN(len(p)/3)
			p = slices.Delete(p, at, at+l+r.IntN(10)-5)
		}
		for range len(p) / (10 + r.IntN(20)) {
			p[r.IntN(len(p))] = "ACGT"[r.IntN(4)]
		}
		var pattern, text sequence
		copy(pattern.guarded(len(p), patternPad), p)
		copy(text.guarded(len(x), textPad), x)
		for w.start(&pattern, &text, true); !w.reached(); w.step() {
		}
		b.load(&pattern, &text)
		s, ok := b.oneWord(true, 1<<30)
		if !ok {
			continue
		}
		if s < w.s {
			t.Fatalf("%s, %s: score %d, less than %d", p, x, s, w.s)
		}
		if least := b.leaving(&pattern, &text, s); s < least {
			if s != w.s {
				t.Fatalf("%s, %s: score %d, not %d, though leaving the band is said to cost %d", p, x, s, w.s, least)
			}
			if s >= planePenalties.leave(b.end, planeLanes) {
				proved++
			}
		}
	}
	if proved < 10 {
		t.Errorf("seeds proved only %d scores", proved)
	}
}

// TestPlaneBandBeyond checks that a pair whose band has lost its end has no score within the bound.
func TestPlaneBandBeyond(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 14))
	var pattern, text sequence
	const n, end = 200, 40_000
	copy(pattern.guarded(n, patternPad), randomLetters(r, n))
	copy(text.guarded(n+end, textPad), randomLetters(r, n+end))
	b := newPlaneBand(planePenalties)
	b.load(&pattern, &text)
	b.place(end + 50)
	b.begin()
	b.lo, b.hi = 0, 0 // as if the others had been dropped
	if s := b.score(); s <= end+50 {
		t.Errorf("score %d without an end", s)
	}
}
