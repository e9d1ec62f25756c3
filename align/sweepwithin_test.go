package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A sweep within a bound that is what the pair costs finds the alignment at once, where errors come
// after so many letters that seeds show all of them.
func TestSweepWithin(t *testing.T) {
	all := Free{TextBegin: FreeAll, TextEnd: FreeAll}
	for _, s := range []Scoring{
		{Penalties: DefaultPenalties}, {Penalties: EditPenalties}, {Penalties: Penalties{1, 0, 2}},
		{Penalties: Penalties{3, 2, 4}}, {Penalties: Penalties{2, 1, 3}, LongGap: Gap{9, 1}}, {Penalties: EditPenalties, Match: 1},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 29))
			m, err := NewModel(EndsFree, all, s)
			if err != nil {
				t.Fatal(err)
			}
			for every := seedLetters - 1; every < seedLetters+8; every++ {
				for kind := range 3 {
					p := randomLetters(r, 900)
					q := randomLetters(r, r.IntN(200))
					for i, c := range p {
						other := "CTGA"[c>>1&3]
						switch {
						case i%every != every/2:
							q = append(q, c)
						case kind == 0:
							q = append(q, other, c)
						case kind == 1:
							q = append(q, other)
						}
					}
					q = append(q, randomLetters(r, r.IntN(200))...)
					checkWithin(t, &m, p, q)
				}
			}
		})
	}
}

// plainSpan loads a pair and returns the result of the plain matrix.
func plainSpan(t *testing.T, m *Model, pattern, text *sequence, p, q []byte) spanResult {
	t.Helper()
	k := kernelsFor(LevelGo)
	if pattern.load(k, p, patternPad) != nil || text.load(k, q, textPad) != nil {
		t.Fatal("letters")
	}
	x := spanMatrix{memory: DefaultMemory}
	want, _, err := x.align(nil, m, pattern, text)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// checkWithin holds sweeps of a pair within its cost to the plain matrix, with strips of all sizes.
func checkWithin(t *testing.T, m *Model, p, q []byte) {
	t.Helper()
	var pattern, text sequence
	want := plainSpan(t, m, &pattern, &text, p, q)
	for _, level := range Levels() {
		k := kernelsFor(level)
		if k.sweep16 == nil {
			continue
		}
		f, ok := newSweepFrame(k, m, pattern.n, text.n)
		if !ok || f.bits != 16 {
			t.Fatal("costs that do not fit 16 bits")
		}
		for i := range f.routines {
			var s sweep[int16]
			s.load(m, &f, &pattern, &text)
			s.take(&f.routines[i])
			s.begins, s.ends = m.diagonals(pattern.n, text.n)
			s.bound = want.cost
			s.begin()
			s.findRest(k)
			s.cells.begin(&s, DefaultMemory)
			if err := s.run(true); err != nil || s.best.cost != want.cost {
				t.Fatalf("level %v, strips of %d: cost %d (%v), want %d, for %q, %q", level, s.rows, s.best.cost, err, want.cost, p, q)
			}
			trace := spanTraceback{model: m, pattern: &pattern, text: &text, cells: &s.cells}
			got, _, err := trace.result(nil, s.best.spanCell, nil)
			if err != nil || got.place != want.place || !slices.Equal(got.cigar, want.cigar) {
				t.Errorf("level %v, strips of %d: %v, %v (%v), want %v, %v, for %q, %q", level, s.rows, got.place, got.cigar, err, want.place, want.cigar, p, q)
			}
		}
	}
}

// A beam does not come over a long gap. Then a sweep is within what is predicted, and goes on with more if
// that is too little.
func TestSweepPredicted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 31))
	m, err := NewModel(EndsFree, Free{TextBegin: FreeAll, TextEnd: FreeAll}, Scoring{Penalties: DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	target := randomLetters(r, 5000)
	read := slices.Concat(target[:500], target[1000:])
	for i := range read {
		if r.IntN(12) == 0 {
			read[i] = "ACGT"[r.IntN(4)]
		}
	}
	q := slices.Concat(randomLetters(r, 60), target, randomLetters(r, 90))
	var pattern, text sequence
	want := plainSpan(t, &m, &pattern, &text, read, q)
	for _, level := range Levels() {
		k := kernelsFor(level)
		if k.sweep16 == nil {
			continue
		}
		for _, bound := range []int{0, want.cost / 30, want.cost - 1, want.cost, want.cost + want.cost/4, 100 * want.cost} {
			x := sweepMethod{kern: k, memory: DefaultMemory, bound: bound, predicted: true}
			got, ok, err := x.align(nil, &m, &pattern, &text)
			if err != nil || !ok || got.cost != want.cost || got.place != want.place || !slices.Equal(got.cigar, want.cigar) {
				t.Errorf("level %v, %d predicted: cost %d (%v, %v), want %d", level, bound, got.cost, ok, err, want.cost)
			}
			kept := x.narrow.bound == bound && x.narrow.found >= muchMore*bound
			if within := bound >= want.cost && bound < 2*want.cost; within != kept {
				t.Errorf("level %v, %d predicted of %d: bound %d, a beam found %d", level, bound, want.cost, x.narrow.bound, x.narrow.found)
			}
		}
	}
}
