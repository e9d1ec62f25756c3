package align_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// exactLanePenalties are some that lanes take.
var exactLanePenalties = []align.Penalties{
	{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 6, GapOpen: 4, GapExtend: 3},
	{Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 19, GapOpen: 36, GapExtend: 2}, {Mismatch: 3, GapExtend: 1},
	{Mismatch: 9, GapOpen: 2, GapExtend: 3}, {Mismatch: 1, GapOpen: 1, GapExtend: 20}, {Mismatch: 30, GapOpen: 31, GapExtend: 29},
}

// exactLanePair returns a pair for lanes: a read and a text that has most of it, in parts with gaps between them, with
// a stretch on other diagonals, one that is as similar to what is beside it, or with parts of it anywhere.
func exactLanePair(r *rand.Rand, m *laneMaker) (p align.ExactLanePair) {
	switch r.IntN(3) {
	case 0:
		p.Pattern, p.Text, _ = m.pair()
	case 1: // units, each a noisy copy of the one before: the text's are those of the read, one later
		unit := m.random(2 + r.IntN(60))
		p.Pattern = m.random(20 + r.IntN(20))
		p.Text = slices.Clone(p.Pattern)
		for rate := 0.3 * r.Float64(); len(p.Text) < 30+m.most; {
			p.Text = append(p.Text, unit...)
			unit = slices.Clone(unit)
			for i := range unit {
				if r.Float64() < rate {
					unit[i] = m.letters[r.IntN(len(m.letters))]
				}
			}
			p.Pattern = append(p.Pattern, unit...)
		}
		end := m.random(20 + r.IntN(20))
		p.Pattern, p.Text = append(p.Pattern, end...), append(p.Text, end...)
	default:
		p.Pattern = m.random(20 + r.IntN(m.most))
		p.Text = m.noisy(p.Pattern, m.rate)
		if i := r.IntN(len(p.Text)); r.IntN(2) == 0 { // a stretch that is some letters further back or ahead
			j := i + r.IntN(len(p.Text)-i)
			d := min(2+r.IntN(50), len(p.Text)-j, i)
			if r.IntN(2) == 0 {
				p.Text = slices.Concat(p.Text[:i], m.random(d), p.Text[i:j], p.Text[j+d:])
			} else {
				p.Text = slices.Concat(p.Text[:i-d], p.Text[i:j], m.random(d), p.Text[j:])
			}
		}
		for range r.IntN(3) { // a stretch that repeats itself, or is not there
			i := r.IntN(len(p.Text) + 1)
			j := min(len(p.Text), i+r.IntN(40))
			if r.IntN(2) == 0 {
				p.Text = slices.Insert(p.Text, i, slices.Clone(p.Text[i:j])...)
			} else {
				p.Text = slices.Delete(p.Text, i, j)
			}
		}
	}
	if r.IntN(2) == 0 {
		p.Pattern, p.Text = p.Text, p.Pattern
	}
	p.Spare, p.Reach, p.Words, p.Tries = r.IntN(30), 1+r.IntN(120), r.IntN(2) == 0, 1+r.IntN(3)
	return p
}

// Results that lanes are sure of are those of the plain matrix, in whatever bands.
func TestExactLanes(t *testing.T) { checkExactLanes(t, 1, 40) }

// FuzzExactLanes is TestExactLanes with other pairs.
func FuzzExactLanes(f *testing.F) {
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) { checkExactLanes(t, seed, 2) })
}

func checkExactLanes(t *testing.T, seed uint64, rounds int) {
	r := rand.New(rand.NewPCG(seed, 31))
	sure, unsure := 0, 0
	for i := range rounds {
		o := align.Options{Penalties: exactLanePenalties[(int(seed)+i)%len(exactLanePenalties)], Threads: 1}
		m := newLaneMaker(r)
		m.flank = 0
		var pairs []align.ExactLanePair
		for range 100 {
			pairs = append(pairs, exactLanePair(r, m))
		}
		want := byMatrix(t, o)
		wants := make([]align.Result, len(pairs))
		for k, p := range pairs {
			wants[k] = want(p.Pattern, p.Text)
		}
		for _, o.Level = range align.Levels() {
			for _, o.ScoreOnly = range []bool{false, true} {
				results, ok, err := align.AlignInExactLanes(o, pairs)
				if err != nil {
					t.Fatal(err)
				}
				for k, p := range pairs {
					if len(ok) == 0 {
						break // no lanes
					}
					if !ok[k] {
						unsure++
						continue
					}
					sure++
					got, want := results[k], wants[k]
					if got.Score != want.Score || !o.ScoreOnly && (!slices.Equal(got.CIGAR, want.CIGAR) || got.Place != want.Place) {
						t.Fatalf("%v, %s, seed %d, %s and %s, %+v:\n%d %s, want\n%d %s", o.Penalties, o.Level, seed, p.Pattern, p.Text, p, got.Score, got.CIGAR, want.Score, want.CIGAR)
					}
				}
			}
		}
	}
	if rounds > 9 && slices.Contains(align.Levels(), "avx2") && (sure < 1000 || unsure < 1000) {
		t.Errorf("lanes are sure of %d pairs, and not of %d", sure, unsure)
	}
}

// Batches of similar pairs, most of which wait in lanes, have the results that each pair has alone.
func TestExactLaneBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 31))
	waited := 0
	for i, pen := range exactLanePenalties {
		var cases []aligntest.Case
		m := &laneMaker{r: r, letters: []string{"ACGT", "ACGTN"}[i%2], rate: 0.03 + 0.01*float64(i%5)}
		n := 500 + r.IntN(900)
		for k := range []int{50, 270, 100}[i%3] {
			c := aligntest.Case{Name: "similar", Pattern: m.random(n + r.IntN(n/8+1))}
			c.Text = m.noisy(c.Pattern, m.rate)
			switch k % 29 {
			case 7: // more errors than expected
				c.Text = m.noisy(c.Text, 0.1)
			case 13: // a gap
				c.Text = slices.Delete(c.Text, 100, 100+r.IntN(200))
			case 21:
				c.Text = m.random(r.IntN(200))
			}
			cases = append(cases, c)
		}
		o := align.Options{Penalties: pen, Threads: 1}
		single, err := align.NewAligner(o)
		if err != nil {
			t.Fatal(err)
		}
		wants := resultsBy(func(pattern, text []byte) (w align.Result) {
			w.Score, w.CIGAR, w.Err = single.Align(pattern, text, nil)
			w.Place = single.Place()
			return w
		}, cases)
		for _, o.Level = range align.Levels() {
			for _, o.ScoreOnly = range []bool{false, true} {
				b := aligntest.NewBatch(cases)
				pairs, err := align.ExactLanes(o, b)
				if err != nil {
					t.Fatal(err)
				}
				if pairs < 0 {
					continue
				}
				waited += pairs
				for k, c := range cases {
					got, want := b.Results[k], wants[k]
					if o.ScoreOnly {
						want.CIGAR = nil
					}
					if got.Err != nil || got.Score != want.Score || got.Place != want.Place || !slices.Equal(got.CIGAR, want.CIGAR) {
						t.Fatalf("%v, %s, pair %d: %d %s, want %d %s, for\n%s\n%s", pen, o.Level, k, got.Score, got.CIGAR, want.Score, want.CIGAR, c.Pattern, c.Text)
					}
				}
				if o.Cutoff = wants[0].Score + 1; !o.ScoreOnly {
					e, err := align.New(o)
					if err != nil {
						t.Fatal(err)
					}
					if err := e.AlignBatch(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					for k, w := range wants {
						if got := b.Results[k].Score; w.Score < o.Cutoff && got != w.Score || w.Score >= o.Cutoff && got != align.Beyond {
							t.Fatalf("%v, pair %d: score %d within %d, want %d", pen, k, got, o.Cutoff, w.Score)
						}
					}
				}
				o.Cutoff = 0
			}
		}
	}
	if slices.Contains(align.Levels(), "avx2") && waited < 300 {
		t.Errorf("%d pairs wait in lanes", waited)
	}
}
