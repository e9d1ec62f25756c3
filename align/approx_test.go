package align_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// set holds the offsets of the cells that are held: by score, then by diagonal
// from -n-1 on. Absent cells are -1.
type set struct {
	first int
	rows  map[int][]int
	width int
}

func newSet(n, m int) set { return set{-n - 1, map[int][]int{}, n + m + 3} }

func (c set) get(s, k int) (h int, held bool) {
	row, ok := c.rows[s]
	if !ok || row[k-c.first] < 0 {
		return 0, false
	}
	return row[k-c.first], true
}

func (c set) put(s, k, h int) {
	if c.rows[s] == nil {
		c.rows[s] = slices.Repeat([]int{-1}, c.width)
	}
	c.rows[s][k-c.first] = h
}

// each calls f for each cell, which f may drop.
func (c set) each(f func(s, k, h int) (drop bool)) {
	for s, row := range c.rows {
		for i, h := range row {
			if h >= 0 && f(s, c.first+i, h) {
				row[i] = -1
			}
		}
	}
}

// any reports whether there is a cell.
func (c set) any() bool {
	for _, row := range c.rows {
		if slices.ContainsFunc(row, func(h int) bool { return h >= 0 }) {
			return true
		}
	}
	return false
}

// slowApprox is the approximate mode with one window after the other.
func slowApprox(pattern, text []byte, p align.Penalties, approx align.Approx) (score int, ok bool) {
	w, ok := approx.First(len(pattern), len(text))
	for ok {
		score, found, strayed := slowWindow(pattern, text, p, w)
		if !strayed {
			return score, found
		}
		w, ok = approx.Wider(w)
	}
	return 0, false
}

// slowWindow is the rule of approxfront.go word for word, with all that is held
// in sets.
func slowWindow(pattern, text []byte, p align.Penalties, window align.AdaptiveBand) (score int, ok, strayed bool) {
	band, lambda := window.Band, window.Lambda
	looks, mark, most := 0, max(len(pattern), len(text)), 0 // the pace
	p, scale := p.Reduced()
	n, m := len(pattern), len(text)
	kEnd := m - n
	w := -(band / 2)
	M, fromI, fromD := newSet(n, m), newSet(n, m), newSet(n, m) // fromI and fromD by the score of the gap
	last := func(k int) int { return min(m, n+k) }
	inside := func(k int) bool { return k >= w && k < w+band }
	extended := func(k, h int) int {
		for h < m && h-k < n && cigar.Canonical[pattern[h-k]] == cigar.Canonical[text[h]] {
			h++
		}
		return h
	}
	dropOld := func(s int) {
		for i, c := range []set{M, fromI, fromD} {
			first := s + 1
			if i == 0 {
				first -= max(p.Mismatch, p.GapOpen)
			}
			delete(c.rows, first-1) // those before went before
		}
	}
	drop := func(s int, when func(k, h int) bool) {
		dropOld(s)
		for _, c := range []set{M, fromI, fromD} {
			c.each(func(_, k, h int) bool { return when(k, h) })
		}
	}
	dropEdge := func(s int) {
		if !inside(kEnd) {
			drop(s, func(k, h int) bool { return h == last(k) })
		}
	}
	limit := min(p.Gap(n)+p.Gap(m), p.Mismatch*min(n, m)+p.Gap(max(kEnd, -kEnd)))

	keep := func(to set, s, k, h int) {
		if old, held := to.get(s, k); !held || h > old {
			to.put(s, k, h)
		}
	}
	openGaps := func(s int) {
		for k := -n; k <= m; k++ {
			if h, held := M.get(s-p.GapOpen, k); held {
				keep(fromI, s+p.GapExtend, k, h)
				keep(fromD, s+p.GapExtend, k, h)
			}
		}
	}

	M.put(0, 0, extended(0, 0))
	openGaps(0)
	for s := 0; s <= limit; s++ {
		if s > 0 {
			for k := max(w, -n); k <= min(w+band-1, m); k++ {
				if h, held := fromI.get(s, k+1); held {
					keep(M, s, k, min(h, last(k)))
					keep(fromI, s+p.GapExtend, k, min(h, last(k)))
				}
				if h, held := fromD.get(s, k-1); held {
					keep(M, s, k, min(h+1, last(k)))
					keep(fromD, s+p.GapExtend, k, min(h+1, last(k)))
				}
				if h, held := M.get(s-p.Mismatch, k); held {
					keep(M, s, k, min(h+1, last(k)))
				}
				if h, held := M.get(s, k); held {
					M.put(s, k, extended(k, h))
				}
			}
			openGaps(s)
		}
		if h, held := M.get(s, kEnd); held && inside(kEnd) && h == m {
			return s * scale, true, false
		}
		if s > 0 && s%lambda == 0 {
			dropEdge(s)
			found, to, least, near := false, 0, 0, 0
			for k := -n; k <= m; k++ {
				h, held := M.get(s, k)
				if !held {
					continue
				}
				far := max(n-(h-k), m-h)
				off := max(k-kEnd, kEnd-k)
				if !found || far < least || far == least && (off < near || off == near && k < to) {
					found, to, least, near = true, k, far, off
				}
			}
			looks++
			if found {
				if window.StallInterval > 0 && looks%window.StallInterval == 0 {
					by := mark - least
					if 2*by < most || float64(by) < 2.5/float64(p.Mismatch)*float64(window.StallInterval*lambda) {
						return 0, false, true
					}
					mark, most = least, max(most, by)
				}
				off := to - band/2 - w
				size := max(off, -off)
				if size > window.MaxDrift {
					return 0, false, true
				}
				step := min(size, int(math.Ceil(float64(4*lambda*size)/float64(3*band))))
				if off < 0 {
					step = -step
				}
				w += step
				drop(s, func(k, h int) bool { return !inside(k) })
				dropEdge(s)
			}
		}
		dropOld(s)
		if !M.any() && !fromI.any() && !fromD.any() {
			return 0, false, false
		}
	}
	return 0, false, false
}

// tally counts what a test has seen, so that one which tests nothing shows.
type tally struct{ pairs, found, optimal, cheaper int }

func (y tally) String() string {
	return fmt.Sprintf("%d pairs, %d found, %d optimal, %d with an alignment below the score", y.pairs, y.found, y.optimal, y.cheaper)
}

// checkApprox holds one pair against the slow rule and the optimum.
func checkApprox(t testing.TB, y *tally, p align.Penalties, band, lambda int, pattern, text []byte) {
	t.Helper()
	o := align.Options{Penalties: p, Approx: &align.Approx{Band: band, Lambda: lambda}}
	checkApproxWith(t, y, newAligners(t, o), o, pattern, text)
}

func checkApproxWith(t testing.TB, y *tally, as []*align.Aligner, o align.Options, pattern, text []byte) {
	t.Helper()
	p, band, lambda := o.Penalties, o.Approx.Band, o.Approx.Lambda
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: penalties %v, band %d, lambda %d\n%q\n%q", fmt.Sprintf(format, args...), p, band, lambda, pattern, text)
	}
	want, wantOK := slowApprox(pattern, text, p, *o.Approx)
	score, cost, c, ok, err := as[0].AlignApprox(pattern, text)
	if err != nil || ok != wantOK || score != want {
		fail("score %d, found %v, error %v, want %d, %v", score, ok, err, want, wantOK)
	}
	sameApprox(t, as, o, pattern, text)
	y.pairs++
	if !ok {
		return
	}
	y.found++
	if err := aligntest.Check(pattern, text, p, align.Result{Score: cost, CIGAR: c}); err != nil {
		fail("%v: %v", c, err)
	}
	best, _ := aligntest.Gotoh(pattern, text, p)
	if cost > score || cost < best {
		fail("alignment %v costs %d, score %d, optimum %d", c, cost, score, best)
	}
	if cost < score {
		y.cheaper++
	}
	if cost == best {
		y.optimal++
	}
	if band/2 > max(len(pattern), len(text)) && lambda > score && score != best {
		fail("score %d, optimum %d, though the band holds every cell", score, best)
	}
}

// sameApprox holds that all aligners make the same of a pair.
func sameApprox(t testing.TB, as []*align.Aligner, o align.Options, pattern, text []byte) {
	t.Helper()
	score, cost, c, ok, err := as[0].AlignApprox(pattern, text)
	for i, a := range as[1:] {
		score2, cost2, c2, ok2, err2 := a.AlignApprox(pattern, text)
		if score2 != score || cost2 != cost || ok2 != ok || err2 != err || !slices.Equal(c, c2) {
			t.Fatalf("aligner %d: score %d, cost %d, found %v, error %v, %v\nwant %d, %d, %v, %v, %v\n%v, %+v\n%q\n%q",
				i+1, score2, cost2, ok2, err2, c2, score, cost, ok, err, c, o.Penalties, *o.Approx, pattern, text)
		}
	}
}

// newAligners returns one for each level, and one without memory for all rows.
func newAligners(t testing.TB, o align.Options) (as []*align.Aligner) {
	t.Helper()
	for _, o.Level = range align.Levels() {
		as = append(as, newAligner(t, o))
	}
	o.Level, o.Memory = align.LevelAuto, 1
	return append(as, newAligner(t, o))
}

func newAligner(t testing.TB, o align.Options) *align.Aligner {
	t.Helper()
	a, err := align.NewAligner(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
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
			t.Log(all)
			if all.found < all.pairs/2 || all.optimal < all.found/4 {
				t.Error("hardly any pair was aligned")
			}
		})
	}
}

// TestApproxLevels compares the levels on longer pairs than the slow rule is for,
// in windows of any size.
func TestApproxLevels(t *testing.T) {
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
				sameApprox(t, newAligners(t, o), o, patterns[l], texts[l])
			}
		}
	}
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
	t.Log(all)
}

// TestApproxAutomatic has pairs that stray from the first window.
func TestApproxAutomatic(t *testing.T) {
	var all tally
	o := align.Options{Penalties: align.DefaultPenalties, Approx: &align.Approx{}}
	as := newAligners(t, o)
	a := as[0]
	for _, set := range []simulate.Options{
		{Length: 700, ErrorRate: 0.1, Seed: 1},
		{Length: 700, ErrorRate: 0.2, Model: simulate.Bursts, Seed: 2},
	} {
		patterns, texts := simulated(t, 15, set)
		for i := range patterns {
			checkApproxWith(t, &all, as, o, patterns[i], texts[i])
		}
	}
	t.Log(all, a.ApproxStats())
	if s := a.ApproxStats(); s.Aligned < 20 || s.Widened < 6 {
		t.Errorf("too little happens: %+v", s)
	}
}

// TestApproxWideBand holds that a band over the whole matrix loses nothing.
func TestApproxWideBand(t *testing.T) {
	for i, p := range aligntest.PenaltySets() {
		a := newAligner(t, align.Options{Penalties: p, Approx: &align.Approx{Band: 512, Lambda: align.MaxLambda}})
		for _, c := range aligntest.RandomCases(uint64(900+i), 60, 200) {
			if min(len(c.Pattern), len(c.Text)) == 0 {
				continue // there is nothing to be found
			}
			want, _ := aligntest.Gotoh(c.Pattern, c.Text, p)
			score, cost, _, ok, err := a.AlignApprox(c.Pattern, c.Text)
			if err != nil || !ok || score != want || cost != want {
				t.Fatalf("%v: score %d, cost %d, found %v, error %v, want %d\n%q\n%q", p, score, cost, ok, err, want, c.Pattern, c.Text)
			}
		}
	}
}

// TestApproxEngine holds that batches come out as single pairs do, that pairs
// that are lost are aligned exactly, and that they are counted.
func TestApproxEngine(t *testing.T) {
	for i, p := range aligntest.PenaltySets()[:6] {
		for _, approx := range []align.Approx{{}, {Band: 64}, {Band: 8, Lambda: 5}} {
			cases := aligntest.RandomCases(uint64(500+i), 200, 150)
			if i < 2 && !testing.Short() {
				cases = append(cases, aligntest.EdgeCases()...)
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
				before := a.ApproxStats()
				for j, c := range cases {
					score, cost, alignment, ok, err := a.AlignApprox(c.Pattern, c.Text)
					if err != nil {
						t.Fatal(err)
					}
					r := b.Results[j]
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
				want := a.ApproxStats()
				want.Aligned -= before.Aligned
				want.Widened -= before.Widened
				want.Fallback -= before.Fallback
				if s := e.ApproxStats(); s != want {
					t.Errorf("%v, %+v: counted %+v, want %+v", p, approx, s, want)
				}
			}
		}
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

// simulated returns pairs of a seeded set.
func simulated(t testing.TB, count int, o simulate.Options) (patterns, texts [][]byte) {
	t.Helper()
	g, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		p, q := g.Next()
		patterns, texts = append(patterns, slices.Clone(p)), append(texts, slices.Clone(q))
	}
	return patterns, texts
}

// BenchmarkApprox reports, besides the time, the share of pairs aligned by the
// approximate mode itself, of optimal scores among all, of alignments that
// cost less than score-only mode says, and the mean excess over the optimum.
func BenchmarkApprox(b *testing.B) {
	for _, set := range []simulate.Options{
		{Length: 150, ErrorRate: 0.05, Seed: 1},
		{Length: 1000, ErrorRate: 0.1, Seed: 1},
		{Length: 1000, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 1},
		{Length: 10000, ErrorRate: 0.1, Seed: 1},
		{Length: 10000, ErrorRate: 0.1, Model: simulate.Bursts, Seed: 1},
		{Length: 50000, ErrorRate: 0.15, Seed: 1},
	} {
		count := max(8, 400000/set.Length)
		patterns, texts := simulated(b, count, set)
		best := make([]int, count)
		exact := newAligner(b, align.Options{ScoreOnly: true})
		for i := range best {
			best[i], _, _ = exact.Align(patterns[i], texts[i], nil)
		}
		shape := fmt.Sprintf("%d/%.0f%%/%s", set.Length, 100*set.ErrorRate, cmp.Or(set.Model, simulate.Uniform))
		b.Run(shape+"/exact", func(b *testing.B) {
			a := newAligner(b, align.Options{})
			var c cigar.CIGAR
			pairs := 0
			for b.Loop() {
				_, c, _ = a.Align(patterns[pairs%count], texts[pairs%count], c)
				pairs++
			}
			b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
		})
		for _, approx := range []align.Approx{{}, {Band: 64}, {Band: 128}, {Band: 256}, {Band: 512}, {Band: 256, Lambda: 10}, {Band: 256, Lambda: 200}} {
			name := fmt.Sprintf("%s/band=%d/lambda=%d", shape, approx.Band, approx.Lambda)
			b.Run(name, func(b *testing.B) {
				a := newAligner(b, align.Options{Approx: &approx})
				var found, optimal, cheaper, pairs int
				var excess float64
				for b.Loop() {
					i := pairs % count
					pairs++
					score, cost, _, ok, err := a.AlignApprox(patterns[i], texts[i])
					if err != nil {
						b.Fatal(err)
					}
					if !ok {
						continue
					}
					found++
					if cost == best[i] {
						optimal++
					}
					if cost < score {
						cheaper++
					}
					excess += float64(cost-best[i]) / float64(max(1, best[i]))
				}
				b.ReportMetric(100*float64(found)/float64(pairs), "%found")
				b.ReportMetric(100*float64(optimal)/float64(pairs), "%optimal")
				b.ReportMetric(100*float64(cheaper)/float64(pairs), "%cheaper")
				b.ReportMetric(100*excess/float64(max(1, found)), "%excess")
				b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}
