package align_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Whole batches, of which most pairs wait in lanes, have the results of the plain matrix on all code paths.
func TestLaneBatches(t *testing.T) {
	waited, lost := 0, 0
	for i := range uint64(12) {
		w, l := checkLaneBatch(t, i, uint16(i*37))
		waited, lost = waited+w, lost+l
	}
	if slices.Contains(align.Levels(), "avx2") && (waited < 200 || lost == 0 || lost == waited) {
		t.Errorf("of %d pairs that wait in lanes, %d are lost", waited, lost)
	}
}

// FuzzLaneBatches is TestLaneBatches with other batches.
func FuzzLaneBatches(f *testing.F) {
	for i := range uint64(4) {
		f.Add(i, uint16(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, more uint16) { checkLaneBatch(t, seed, more) })
}

// checkLaneBatch holds an engine to the plain matrix, and returns of how many pairs lanes try to be sure
// and of how many they are not.
func checkLaneBatch(t *testing.T, seed uint64, more uint16) (waited, lost int) {
	r := rand.New(rand.NewPCG(seed, uint64(more)))
	o := laneModel(r)
	n := []int{1, 31, 32, 33, 63, 64, 65, 100}[more&7]
	var cases []aligntest.Case
	m := newLaneMaker(r)
	for range n {
		if r.IntN(16) == 0 {
			m = newLaneMaker(r)
		}
		c := aligntest.Case{Name: "lanes"}
		switch r.IntN(20) {
		case 0: // pairs for other methods
			c.Pattern, c.Text = m.random(r.IntN(8)), m.random(r.IntN(40))
		case 1:
			c.Text = m.random(20 + r.IntN(40))
			c.Pattern = c.Text[:r.IntN(len(c.Text))]
		default:
			c.Pattern, c.Text, _ = m.pair()
		}
		cases = append(cases, c)
	}
	if more&8 > 0 { // long ones
		m.most, m.flank = 2100, 400
		for i := 0; i < len(cases); i += 24 {
			cases[i].Pattern, cases[i].Text, _ = m.pair()
			cases[i].Text = cases[i].Text[:min(len(cases[i].Text), 5000)]
		}
	}
	checkBatch(t, o, cases)
	o.Level, o.ScoreOnly, o.Threads = "", false, 1
	b := aligntest.NewBatch(cases)
	b.PrepareResults()
	if waited, lost, err := align.AlignWaiting(o, b); err == nil {
		return waited, lost
	}
	t.Fatal("no engine")
	return 0, 0
}

// checkBatch holds engines of all code paths to the plain matrix.
func checkBatch(t *testing.T, o align.Options, cases []aligntest.Case) {
	t.Helper()
	wants := resultsBy(byMatrix(t, o), cases)
	for _, o.Level = range align.Levels() {
		for _, o.ScoreOnly = range []bool{false, true} {
			for _, o.Threads = range []int{1, 3} {
				e, err := align.New(o)
				if err != nil {
					t.Fatal(err)
				}
				b := aligntest.NewBatch(cases)
				if err := e.AlignBatch(context.Background(), b); err != nil {
					t.Fatal(err)
				}
				for i, c := range cases {
					if !o.ScoreOnly {
						if err := aligntest.CheckSpan(o, c, b.Results[i], wants[i]); err != nil {
							t.Fatal(err)
						}
					}
					wantResult(t, o, c, b.Results[i], wants[i], "pair", i)
				}
			}
		}
	}
}

// Texts of many places of seeds that are shorter than their reads, whose alignments end left of where they begin.
func TestLaneShortTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := range 6 {
		var cases []aligntest.Case
		for range 1 + 5*n {
			unit := letters(r, "ACGT", 2+r.IntN(4))
			text := slices.Repeat(unit, 100)[:150+r.IntN(40)]
			read := slices.Concat(letters(r, "ACGT", 50), text, letters(r, "ACGT", 20+r.IntN(30)))
			cases = append(cases, aligntest.Case{Name: "short text", Pattern: read, Text: text})
		}
		o := align.Options{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 1}, Span: align.EndsFree, Threads: 1}
		o.Free = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}
		checkBatch(t, o, cases)
	}
}
