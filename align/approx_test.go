package align_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// TestApproxFor: the automatic rule depends on how much errors cost, and on what they cost beside letters of gaps.
func TestApproxFor(t *testing.T) {
	for _, tc := range []struct {
		p            align.Penalties
		lambda, band int
		from         int // letters of the shortest pairs in a band
	}{
		{align.EditPenalties, 50, 124, 16_384},
		{align.DefaultPenalties, 50, 124, 512},
		{align.Penalties{Mismatch: 4, GapOpen: 4, GapExtend: 1}, 50, 124, 512},
		{align.Penalties{Mismatch: 6, GapOpen: 4, GapExtend: 3}, 50, 124, 1024},
		{align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3}, 100, 124, 16_384},
		{align.Penalties{Mismatch: 19, GapOpen: 36, GapExtend: 2}, 200, 316, 16_384},
		{align.Penalties{Mismatch: 2, GapOpen: 13, GapExtend: 1}, 50, 124, 1024},
		{align.Penalties{Mismatch: 3, GapOpen: 13, GapExtend: 1}, 50, 316, 1024},
	} {
		rule := align.Approx{}.For(tc.p)
		for _, letters := range []int{1, tc.from - 1, tc.from, 1 << 20} {
			if _, ok := rule.First(1, letters); ok != (letters >= tc.from) || rule.Exactly(letters) == ok {
				t.Errorf("%v: pairs of %d letters take a band: %v, %v", tc.p, letters, ok, rule.Exactly(letters))
			}
		}
		band, ok := rule.First(20_000, 20_000)
		if !ok || band.Lambda != tc.lambda || band.Band != tc.band || band.StallInterval == 0 {
			t.Errorf("%v: %+v, %v", tc.p, band, ok)
		}
		if band.Doubts(false) {
			t.Errorf("%v: all scores are doubtful", tc.p)
		}
		given, _ := align.Approx{Lambda: 7}.For(tc.p).First(20_000, 20_000)
		if given.Lambda != 7 || given.StallInterval < 300/7 {
			t.Errorf("%v, lambda 7: %+v", tc.p, given)
		}
		if given, ok := (align.Approx{Band: 64}).For(tc.p).First(3000, 3000); !ok || given.Band != 64 || given.StallInterval != 0 {
			t.Errorf("%v, a given band: %+v, %v", tc.p, given, ok)
		}
	}
}

// Pairs with dear errors seldom leave their first band, and no optimum is missed.
func TestApproxDearErrors(t *testing.T) {
	patterns, texts := simulated(t, 30, simulate.Options{Length: 5000, ErrorRate: 0.08, Seed: 3})
	for _, p := range []align.Penalties{{Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 19, GapOpen: 36, GapExtend: 2}} {
		exact, a := newAligner(t, align.Options{Penalties: p, ScoreOnly: true}), newAligner(t, align.Options{Penalties: p, ScoreOnly: true, Approx: &align.Approx{}})
		align.TakeShortBands(a)
		for i := range patterns {
			score, _, err := a.Align(patterns[i], texts[i], nil)
			optimum, _, err2 := exact.Align(patterns[i], texts[i], nil)
			if err != nil || err2 != nil || score != optimum {
				t.Errorf("%v, pair %d: score %d, optimum %d, errors %v, %v", p, i+1, score, optimum, err, err2)
			}
		}
		if s := a.ApproxStats(); s.Aligned < 30 || s.Widened > 3 {
			t.Errorf("%v: %+v", p, s)
		}
	}
}

// TestApproxRule compares score, failure and alignment with the slow rule, at
// every level.
func TestApproxRule(t *testing.T) {
	many, most := 12, 120
	if testing.Short() {
		many = 3
	}
	for i, p := range aligntest.PenaltySets() {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			var all tally
			for j, band := range []int{8, 9, 16, 33, 64, 256} {
				for l, lambda := range []int{1, 3, 10, 50, 1000} {
					o := align.Options{Penalties: p, Approx: &align.Approx{Band: band, Lambda: lambda}}
					as := newAligners(t, o)
					for _, c := range aligntest.RandomCases(uint64(100*i+10*j+l), many, most) {
						checkApproxWith(t, &all, as, o, c.Pattern, c.Text)
					}
				}
			}
			longest := 2 * most
			if p.GapExtend > 100 {
				longest = most / 2 // or scores are very many
			}
			r := rand.New(rand.NewPCG(uint64(i), 7))
			for j := range 2 * many {
				o := align.Options{Penalties: p, Approx: &align.Approx{Band: 8 + r.IntN(293), Lambda: 1 + r.IntN(80)}}
				as := newAligners(t, o)
				for _, c := range aligntest.RandomCases(uint64(1000*i+j), 4, longest) {
					checkApproxWith(t, &all, as, o, c.Pattern, c.Text)
				}
			}
			t.Log(&all)
			if all.pairs == 0 || all.found < all.pairs/2 || all.optimal < all.found/4 {
				t.Error("hardly any pair was aligned")
			}
		})
	}
}

// TestApproxLevels compares the levels on longer pairs than the slow rule is for, in bands of
// any width.
func TestApproxLevels(t *testing.T) {
	var all tally
	many := 12
	if testing.Short() {
		many = 2
	}
	r := rand.New(rand.NewPCG(4, 4))
	for i, p := range aligntest.PenaltySets() {
		for j, set := range []simulate.Options{
			{Length: 1500, ErrorRate: 0.1},
			{Length: 1000, ErrorRate: 0.2, Model: simulate.Bursts},
			{Length: 3000, ErrorRate: 0.01},
		} {
			set.Seed = uint64(10*i + j)
			patterns, texts := simulated(t, many, set)
			for l := range patterns {
				o := align.Options{Penalties: p, Approx: &align.Approx{Band: 8 + r.IntN(293), Lambda: 1 + r.IntN(120)}}
				sameApprox(t, &all, newAligners(t, o), o, patterns[l], texts[l])
			}
		}
	}
	all.atLeast(t, 3*many*len(aligntest.PenaltySets()), 2*many*len(aligntest.PenaltySets()))
}

// TestApproxEdges has the shapes that break aligners: empty and very unequal
// sequences, long gaps, repeats, other letters.
func TestApproxEdges(t *testing.T) {
	var all tally
	for _, c := range aligntest.EdgeCases() {
		if len(c.Pattern)+len(c.Text) > 700 || testing.Short() && len(c.Pattern)+len(c.Text) > 200 {
			continue
		}
		for i, p := range aligntest.PenaltySets()[:3] {
			checkApprox(t, &all, p, []int{8, 33, 64}[i], []int{10, 1, 50}[i], c.Pattern, c.Text)
		}
	}
	all.atLeast(t, 300, 200)
}

// TestApproxLimited has narrow bands that cut gaps off, so that alignments run into the edges of
// the matrix, where offsets are limited and the last gap replaces what was written before. Those
// alignments cost less than the score.
func TestApproxLimited(t *testing.T) {
	var all tally
	r := rand.New(rand.NewPCG(10, 1))
	p := align.Penalties{Mismatch: 1, GapOpen: 1, GapExtend: 1}
	for _, band := range []int{8, 9, 12, 16} {
		for _, lambda := range []int{2, 5} {
			o := align.Options{Penalties: p, Approx: &align.Approx{Band: band, Lambda: lambda}}
			as := newAligners(t, o)
			for range 400 {
				text := make([]byte, 5+r.IntN(60))
				letters := "ACGT"[:2+r.IntN(3)]
				for i := range text {
					text[i] = letters[r.IntN(len(letters))]
				}
				at := r.IntN(len(text))
				pattern := slices.Concat(text[:at], text[min(len(text), at+r.IntN(20)):])
				for range min(len(pattern), r.IntN(8)) {
					pattern[r.IntN(len(pattern))] = letters[r.IntN(len(letters))]
				}
				if r.IntN(2) == 0 {
					pattern, text = text, pattern
				}
				checkApproxWith(t, &all, as, o, pattern, text)
			}
		}
	}
	all.atLeast(t, 3200, 2000)
	if all.cheaper < 20 {
		t.Errorf("only %d alignments cost less than the score", all.cheaper)
	}
}

// TestApproxAutomatic has pairs that drift out of the first band.
func TestApproxAutomatic(t *testing.T) {
	var all tally
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &align.Approx{}}
	as := newAligners(t, o)
	a := as[0]
	for _, set := range []simulate.Options{
		{Length: 700, ErrorRate: 0.1, Seed: 1},
		{Length: 700, ErrorRate: 0.2, Model: simulate.Bursts, Seed: 2},
	} {
		patterns, texts := simulated(t, 12, set)
		for i := range patterns {
			checkApproxWith(t, &all, as, o, patterns[i], texts[i])
		}
	}
	t.Log(&all, a.ApproxStats())
	if s := a.ApproxStats(); s.Aligned < 20 || s.Widened < 6 {
		t.Errorf("too little happens: %+v", s)
	}
}

// TestApproxWideBand holds that a band over the whole matrix loses nothing.
func TestApproxWideBand(t *testing.T) {
	pairs := 0
	for i, p := range aligntest.PenaltySets() {
		a := newAligner(t, align.Options{Penalties: p, Approx: &align.Approx{Band: 512, Lambda: align.MaxLambda}})
		before := pairs
		for _, c := range aligntest.RandomCases(uint64(900+i), 60, 200) {
			if min(len(c.Pattern), len(c.Text)) == 0 {
				continue // there is nothing to be found
			}
			want, _ := aligntest.Gotoh(c.Pattern, c.Text, p)
			score, cost, _, ok, err := a.AlignApprox(c.Pattern, c.Text)
			if err != nil || !ok || score != want || cost != want {
				t.Fatalf("%v: score %d, cost %d, found %v, error %v, want %d\n%q\n%q", p, score, cost, ok, err, want, c.Pattern, c.Text)
			}
			pairs++
		}
		if pairs-before < 30 {
			t.Errorf("%v: only %d pairs", p, pairs-before)
		}
	}
}

// TestApproxEngine holds that batches come out as single pairs do, that pairs that the bands
// lose are aligned exactly, and that both are counted.
func TestApproxEngine(t *testing.T) {
	var sum align.ApproxStats
	for i, p := range aligntest.PenaltySets()[:6] {
		for _, approx := range []align.Approx{{}, {Band: 64}, {Band: 8, Lambda: 5}} {
			cases := aligntest.RandomCases(uint64(500+i), 200, 150)
			if i < 2 && !testing.Short() {
				cases = append(cases, aligntest.EdgeCases()...)
				patterns, texts := withVariants(t, 4, 1500, 0.01, simulate.Variants{Least: 50, Most: 300, Kinds: "deletion"}, uint64(i+1))
				for j := range patterns {
					cases = append(cases, aligntest.Case{Name: "variant", Pattern: patterns[j], Text: texts[j]})
				}
			}
			o := align.Options{Penalties: p, Approx: &approx, Threads: 2}
			a := newAligner(t, o)
			for _, o.ScoreOnly = range []bool{false, true} {
				e, err := align.New(o)
				if err != nil {
					t.Fatal(err)
				}
				b := aligntest.NewBatch(cases)
				if err := e.AlignBatch(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				var want align.ApproxStats
				for j, c := range cases {
					before := a.ApproxStats()
					score, cost, alignment, ok, err := a.AlignApprox(c.Pattern, c.Text)
					if err != nil {
						t.Fatal(err)
					}
					after := a.ApproxStats()
					r := b.Results[j]
					left := after.Widened+after.Fallback > before.Widened+before.Fallback
					if s, pieces, cut := inPieces(t, a, approx, c, left); cut {
						score, cost, alignment, ok = s, s, pieces, true
						want.Pieces++
					} else {
						want.Aligned += after.Aligned - before.Aligned
						want.Widened += after.Widened - before.Widened
						want.Fallback += after.Fallback - before.Fallback
					}
					if !ok {
						score = exactScore(t, p, c)
						cost, alignment = score, r.CIGAR
					}
					if o.ScoreOnly {
						alignment = nil
					} else {
						score = cost
					}
					if r.Err != nil || r.Score != score || !slices.Equal(r.CIGAR, alignment) {
						t.Fatalf("%s at %v, %+v: %v, want score %d, %v", c.Name, p, approx, r, score, alignment)
					}
				}
				if s := e.ApproxStats(); s != want {
					t.Errorf("%v, %+v: counted %+v, want %+v", p, approx, s, want)
				}
				sum.Aligned += want.Aligned
				sum.Fallback += want.Fallback
				sum.Pieces += want.Pieces
			}
		}
	}
	if sum.Aligned == 0 || sum.Fallback == 0 || sum.Pieces == 0 && !testing.Short() {
		t.Errorf("too little happens: %+v", sum)
	}
}

func exactScore(t testing.TB, p align.Penalties, c aligntest.Case) int {
	t.Helper()
	score, _, err := newAligner(t, align.Options{Penalties: p, ScoreOnly: true}).Align(c.Pattern, c.Text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

func TestApproxOptions(t *testing.T) {
	for _, a := range []align.Approx{{Band: -1}, {Band: align.MinBand - 1}, {Band: align.MaxBand + 1}, {Lambda: -1}, {Lambda: align.MaxLambda + 1}} {
		if _, err := align.New(align.Options{Approx: &a}); err == nil {
			t.Errorf("%+v is taken", a)
		}
	}
}

func TestApproxAllocatesNothing(t *testing.T) {
	pattern, text := simulated(t, 1, simulate.Options{Length: 1000, ErrorRate: 0.1})
	a := newAligner(t, align.Options{Approx: &align.Approx{}})
	var c cigar.CIGAR
	run := func() {
		var err error
		if _, c, err = a.Align(pattern[0], text[0], c); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := testing.AllocsPerRun(5, run); n > 0 {
		t.Errorf("%.1f allocations a pair", n)
	}
}

// FuzzApprox holds the approximate mode against the slow rule.
func FuzzApprox(f *testing.F) {
	f.Add([]byte("GATTACA"), []byte("GCATGCU"), byte(2), byte(3), byte(1), byte(0), byte(1))
	f.Add([]byte(""), []byte("A"), byte(1), byte(0), byte(1), byte(5), byte(10))
	f.Add([]byte(strings.Repeat("AC", 40)), []byte(strings.Repeat("CA", 20)), byte(4), byte(6), byte(2), byte(9), byte(3))
	f.Fuzz(func(t *testing.T, pattern, text []byte, x, o, e, band, lambda byte) {
		pattern, text = pattern[:min(len(pattern), 150)], text[:min(len(text), 150)]
		for _, s := range [][]byte{pattern, text} {
			if slices.Contains(s, 0) || slices.Contains(s, 0xff) {
				t.Skip("0x00 and 0xff are not letters")
			}
		}
		// Small penalties, since the slow rule takes its time over each score.
		p := align.Penalties{Mismatch: 1 + int(x)%16, GapOpen: int(o) % 32, GapExtend: 1 + int(e)%16}
		checkApprox(t, &tally{}, p, align.MinBand+int(band), max(1, int(lambda)), pattern, text)
	})
}
