package align

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/cigar"
)

// historyPair returns a pair of a kind that other kinds before it say nothing about.
func historyPair(r *rand.Rand, kind int) (p, t []byte) {
	n := 600 + r.IntN(4000)
	t = lettersOf(r, "ACGT", n)
	rate := []float64{0.001, 0.005, 0.06, 0.12}[r.IntN(4)]
	p = t
	gap := 1 + r.IntN(n/3)
	at := r.IntN(n - gap)
	switch kind {
	case 0: // a few or many errors
	case 1: // a window that is cut generously
		p = t[r.IntN(n/3) : n-r.IntN(n/3)]
	case 2: // a long deletion or insertion
		p = slices.Concat(t[:at], t[at+gap:])
	case 3: // a tandem duplication
		p = slices.Concat(t[:at+gap], t[at:])
	case 4: // other copies of a unit
		unit := lettersOf(r, "ACGT", 1+r.IntN(400))
		t = spoiled(r, slices.Repeat(unit, n/len(unit)+1)[:n], 0.02)
		p = slices.Concat(t[:at/2], t[min(len(t), at/2+len(unit)*(1+r.IntN(4))):])
	case 5: // a part that does not belong to the other
		p = slices.Concat(t[:at], lettersOf(r, "ACGT", gap), t[at+gap:])
	case 6: // many gaps
		p = nil
		for from := 0; from < n; {
			to := min(n, from+50+r.IntN(n/5))
			p = append(append(p, t[from:to]...), lettersOf(r, "ACGT", r.IntN(2)*r.IntN(100))...)
			from = to + r.IntN(2)*r.IntN(100)
		}
	}
	p = spoiled(r, p, rate)
	if r.IntN(2) == 0 {
		p, t = t, p
	}
	return p, t
}

// spoiled returns a copy of s with errors.
func spoiled(r *rand.Rand, s []byte, rate float64) (q []byte) {
	for _, c := range s {
		switch x := r.Float64() / rate; {
		case x < 1.0/3:
			q = append(q, "ACGT"[r.IntN(4)])
		case x < 2.0/3:
			q = append(q, c, "ACGT"[r.IntN(4)])
		case x >= 1:
			q = append(q, c)
		}
	}
	return q
}

// TestHistories has pairs of all kinds in any order: what earlier pairs predict of a pair has no influence on
// its alignment, which is that of wavefronts.
func TestHistories(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for _, level := range Levels() {
		for _, pen := range []Penalties{{2, 3, 1}, {10, 12, 3}, {1, 0, 1}} {
			o := Options{Penalties: pen, Level: level}
			a, err := NewAligner(o)
			if err != nil {
				t.Fatal(err)
			}
			o.ScoreOnly = true
			scores, err := NewAligner(o)
			if err != nil {
				t.Fatal(err)
			}
			other, err := NewAligner(Options{Penalties: pen})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 70 {
				p, s := historyPair(r, (i+i/5)%7)
				got, c, err := a.Align(p, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				score, _, err := scores.Align(p, s, nil)
				if err != nil {
					t.Fatal(err)
				}
				want, by, _, err := AlignBy(other, ByCheckpoints, p, s, 0)
				if err != nil {
					t.Fatal(err)
				}
				if got != want || score != want || !slices.Equal(c, by) {
					t.Fatalf("level %v, penalties %v, pair %d of %d and %d letters: scores %d and %d, want %d\n%s\n%s", level, pen, i, len(p), len(s), got, score, want, p, s)
				}
			}
		}
	}
}

// cleanAfterNoisy returns an aligner that has aligned noisy reads of a text.
func cleanAfterNoisy(t *testing.T, r *rand.Rand, text []byte) (a *Aligner) {
	t.Helper()
	a, err := NewAligner(Options{Penalties: DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		if _, _, err := a.Align(spoiled(r, text, 0.12), text, nil); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// TestGatesAfterOthers has pairs of few errors behind noisy ones, one of which has a long gap at either end, and
// one a long duplication. They are aligned between gates all the same.
func TestGatesAfterOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	text := lettersOf(r, "ACGT", 10_000)
	for name, s := range map[string][]byte{
		"whole":       text,
		"window":      text[2_000:7_000],
		"duplication": slices.Concat(text[:6_000], text[4_000:]),
	} {
		a := cleanAfterNoisy(t, r, text)
		g := a.exact.gated
		g.parts = nil
		p := spoiled(r, s, 0.003)
		score, _, err := a.Align(p, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.parts) < 5 {
			t.Errorf("%s: %d parts", name, len(g.parts))
		}
		if gap := a.exact.pen.LengthGap(len(p), len(text)); score > gap+400 {
			t.Errorf("%s: a score of %d, of which the gap is %d", name, score, gap)
		}
	}
}

// TestDirectedAfterRepeats has a pair of which no gate is certain, for it consists of copies of a unit, and of
// which one sequence has more of them. Directed wavefronts align it.
func TestDirectedAfterRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	unit := lettersOf(r, "ACGT", 171)
	text := spoiled(r, slices.Repeat(unit, 60), 0.01)
	a := cleanAfterNoisy(t, r, text)
	p := spoiled(r, slices.Concat(text[:3_000], text[3_000+12*171:]), 0.002)
	score, c, err := a.Align(p, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := a.exact.unequal.directed
	if d == nil || !d.reached() || d.score() != score {
		t.Errorf("not aligned by directed wavefronts: score %d", score)
	}
	other, err := NewAligner(Options{Penalties: DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	want, by, _, err := AlignBy(other, ByCheckpoints, p, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	if score != want || !slices.Equal(c, by) {
		t.Errorf("score %d, want %d", score, want)
	}
}

// TestCutoffOfHistories has such pairs with cutoffs: those of the cutoff and more are beyond it, and all others
// are aligned as without one.
func TestCutoffOfHistories(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for _, pen := range []Penalties{{2, 3, 1}, {19, 36, 2}, {5, 0, 3}, {1, 0, 1}} {
		other, err := NewAligner(Options{Penalties: pen})
		if err != nil {
			t.Fatal(err)
		}
		type pair struct {
			p, t  []byte
			score int
			c     cigar.CIGAR
		}
		var pairs []pair
		for i := range 60 {
			p, s := historyPair(r, (i+i/5)%7)
			if i%4 == 0 { // a long gap and few errors
				text := lettersOf(r, "ACGT", 4_000+r.IntN(3_000))
				at := r.IntN(2_000)
				p, s = spoiled(r, slices.Concat(text[:at], text[at+800:]), 0.01), text
			}
			want, c, _, err := AlignBy(other, ByCheckpoints, p, s, 0)
			if err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, pair{p, s, want, c})
		}
		gap := pen.Gap(800)
		for _, cutoff := range []int{30, 200, gap + 10, gap + 50, gap + 200, gap + 800} {
			for _, memory := range []int{1, 0} {
				a, err := NewAligner(Options{Penalties: pen, Cutoff: cutoff, Memory: memory, Level: Levels()[cutoff%len(Levels())]})
				if err != nil {
					t.Fatal(err)
				}
				for i, x := range pairs {
					got, c, err := a.Align(x.p, x.t, nil)
					switch {
					case err != nil:
						t.Errorf("penalties %v, cutoff %d, memory %d, pair %d of score %d: %v", pen, cutoff, memory, i, x.score, err)
					case x.score >= cutoff && got != Beyond, x.score < cutoff && (got != x.score || !slices.Equal(c, x.c)):
						t.Errorf("penalties %v, cutoff %d, memory %d, pair %d: score %d, want %d", pen, cutoff, memory, i, got, x.score)
					}
				}
			}
		}
	}
}
