package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Batches of noisy reads within short flanks, most of which wait on all diagonals, have the results of the plain matrix.
func TestLanesOnAll(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 31))
	all := 0
	for i := range 6 {
		o := align.Options{Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}, Threads: 1}
		o.Penalties = []align.Penalties{
			{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 4, GapOpen: 6, GapExtend: 2}, {Mismatch: 10, GapOpen: 12, GapExtend: 3},
		}[i%3]
		m := &laneMaker{r: r, letters: []string{"ACGT", "ACGTN"}[i%2], rate: 0.06 + 0.01*float64(i)}
		n := []int{700, 620, 900, 2050, 3900, 650}[i]
		if testing.Short() && n > 1000 {
			continue
		}
		var cases []aligntest.Case
		for k := range []int{60, 70, 50, 9, 4, 60}[i] {
			c := aligntest.Case{Name: "noisy", Pattern: m.random(n + r.IntN(n/8+1))}
			c.Text = m.noisy(c.Pattern, m.rate)
			switch k % 29 {
			case 7: // more errors than expected
				c.Text = m.noisy(c.Text, 0.1)
			case 13: // a gap
				c.Text = slices.Delete(c.Text, 50, 51+r.IntN(100))
			case 19: // a copy in the flank
				c.Text = slices.Concat(c.Text[20:90], c.Text)
			case 21:
				c.Text = m.random(r.IntN(200))
			}
			c.Text = slices.Concat(m.random(r.IntN(60)), c.Text, m.random(r.IntN(60)))
			cases = append(cases, c)
		}
		wants := resultsBy(byMatrix(t, o), cases)
		for _, o.Level = range align.Levels() {
			for _, o.ScoreOnly = range []bool{false, true} {
				b := aligntest.NewBatch(cases)
				n, err := align.AlignTwice(o, b)
				if err != nil {
					t.Fatal(err)
				}
				all += n
				for k, c := range cases {
					wantResult(t, o, c, b.Results[k], wants[k], "pair", k)
				}
			}
		}
	}
	if slices.Contains(align.Levels(), "avx2") && all < 200 {
		t.Errorf("%d pairs wait on all diagonals", all)
	}
}

// besideAll returns a read of units, each with errors of the one before, and a text that has them from the second one on:
// the best place may be beside all diagonals between begins and ends, and the read is similar to these, too.
func (m *laneMaker) besideAll() (read, text []byte) {
	unit := m.random(5 + m.r.IntN(40))
	for n := 60 + m.r.IntN(m.most); len(read) < n; {
		read = append(read, unit...)
		if unit = m.noisy(unit, 0.02+0.1*m.r.Float64()); len(unit) < 5 {
			unit = m.random(5)
		}
	}
	from := 1 + m.r.IntN(60)
	text = slices.Concat(read[from:], unit, m.random(max(0, from-len(unit)+m.r.IntN(10))))
	if m.r.IntN(2) == 0 {
		slices.Reverse(read)
		slices.Reverse(text)
	}
	return read, text
}

// Lanes are sure of results on all diagonals between begins and ends alone that the plain matrix has, where the best
// place is often beside these, and beside those that are searched.
func TestBesideLanesOnAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 31))
	sure, unsure := 0, 0
	for i := range 60 {
		o, m := laneModel(r), newLaneMaker(r)
		if i%2 == 0 {
			m.letters = "ACGT"
		}
		pairs := make([]align.LanePair, 100)
		for k := range pairs {
			p := &pairs[k]
			p.Pattern, p.Text = m.besideAll()
			n := len(p.Text) - len(p.Pattern)
			p.Reach, p.First, p.Last = 1+r.IntN(20), min(0, n)-r.IntN(10), max(0, n)+r.IntN(10)
		}
		n := checkLaneBands(t, o, pairs)
		sure, unsure = sure+n, unsure+2*len(pairs)-n
	}
	if slices.Contains(align.Levels(), "avx2") && (sure < 200 || unsure < 200) {
		t.Errorf("lanes are sure of %d results, and not of %d", sure, unsure)
	}
}
