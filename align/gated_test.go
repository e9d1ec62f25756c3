package align

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// gatedPair returns a pair of few errors: letters of which some are copies of others, near or far, as in
// tandem repeats and duplications, so that there are other alignments of about the same cost.
func gatedPair(r *rand.Rand, n int) (p, t []byte) {
	alphabet := "ACGT"[:2+r.IntN(3)]
	t = lettersOf(r, alphabet, n)
	if stay := r.IntN(12); stay > 2 { // runs of one letter, on which shifts have few errors
		for i := 1; i < n; i++ {
			if r.IntN(stay) > 0 {
				t[i] = t[i-1]
			}
		}
	}
	for range r.IntN(6) {
		unit := 1 + r.IntN(30)
		if r.IntN(4) == 0 {
			unit = 1 + r.IntN(n/2+1)
		}
		from := r.IntN(n)
		for i, end := from+unit, min(n, from+unit*(1+r.IntN(6))); i < end; i++ {
			t[i] = t[i-unit]
		}
	}
	rate := []float64{0.005, 0.01, 0.02, 0.04, 0.08}[r.IntN(5)]
	for i := 0; i < n; i++ {
		switch x := r.Float64() / rate; {
		case x < 0.3:
			p = append(p, alphabet[r.IntN(len(alphabet))])
		case x < 0.6:
			p = append(p, lettersOf(r, alphabet, 1+r.IntN(3)*r.IntN(3))...)
			p = append(p, t[i])
		case x < 0.9:
			i += r.IntN(3) * r.IntN(3)
		case x < 0.93:
			p = append(p, lettersOf(r, alphabet, r.IntN(40))...)
		case x < 0.96:
			i += r.IntN(40)
		case x < 0.99 && len(p) > 8: // letters twice
			from := max(0, len(p)-r.IntN(60))
			p = append(p, p[from:]...)
		default:
			p = append(p, t[i])
		}
	}
	for range r.IntN(2) * (1 + r.IntN(4)) { // errors near the end
		i := len(p) - 1 - r.IntN(50)
		if i < 0 {
			break
		}
		switch r.IntN(3) {
		case 0:
			p[i] = alphabet[r.IntN(len(alphabet))]
		case 1:
			p = slices.Insert(p, i, alphabet[r.IntN(len(alphabet))])
		default:
			p = slices.Delete(p, i, i+1)
		}
	}
	return p, t
}

var gatedPenalties = []Penalties{
	{2, 3, 1}, {1, 0, 1}, {5, 6, 1}, {10, 12, 3}, {3, 1, 4}, {1, 1, 1}, {19, 36, 2}, {4, 4, 1}, {30, 2, 1}, {7, 0, 3},
}

// costWithout returns what alignments cost at least that do not pass cell v,h or cross it by a gap alone.
func costWithout(pen Penalties, p, t []byte, v, h int) int {
	const far = 1 << 30
	row := make([][3]int, len(t)+1)
	before := slices.Clone(row)
	for i := range len(p) + 1 {
		row, before = before, row
		for j := range row {
			best, ins, del := far, far, far
			if i == 0 && j == 0 {
				best = 0
			}
			if i > 0 {
				ins = pen.GapExtend + min(before[j][compM]+pen.GapOpen, before[j][compIns])
			}
			if j > 0 {
				del = pen.GapExtend + min(row[j-1][compM]+pen.GapOpen, row[j-1][compDel])
			}
			if i > 0 && j > 0 {
				best = before[j-1][compM]
				if p[i-1] != t[j-1] {
					best += pen.Mismatch
				}
			}
			best = min(best, ins, del)
			if i == v && j == h {
				best = far
			}
			row[j] = [3]int{compM: best, compIns: ins, compDel: del}
		}
	}
	return row[len(t)][compM]
}

// TestGates has pairs with gates: alignments that do not pass one cost more than the optimal ones.
func TestGates(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	found := 0
	for range 20_000 {
		pen := gatedPenalties[r.IntN(len(gatedPenalties))]
		pattern, text := gatedPair(r, 20+r.IntN(130))
		x := exactFor(t, pen, pattern, text)
		if !x.gated.along.run(x.pattern, x.text) {
			continue
		}
		optimum := costWithout(x.pen, pattern, text, -1, -1)
		x.gated.findGates()
		gates := x.gated.gates.gates
		found += len(gates)
		for range min(8, len(gates)) {
			g := gates[r.IntN(len(gates))]
			if h := g.v + x.along.runs[g.run].k; costWithout(x.pen, pattern, text, g.v, h) <= optimum {
				t.Fatalf("%v: an alignment of cost %d does not pass the gate %d,%d:\n%s\n%s", pen, optimum, g.v, h, pattern, text)
			}
		}
	}
	if found < 1000 {
		t.Fatalf("%d gates", found)
	}
}

// TestGated compares alignments by parts with those by wavefronts or a band.
func TestGated(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	parts := 0
	for i := range 2000 {
		o := Options{Penalties: gatedPenalties[r.IntN(len(gatedPenalties))], Level: Levels()[r.IntN(len(Levels()))]}
		a, err := NewAligner(o)
		if err != nil {
			t.Fatal(err)
		}
		pattern, text := gatedPair(r, 100+r.IntN(1200))
		want, wantCIGAR, ok, err := AlignBy(a, ByWavefronts, pattern, text, 0)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		got, c, ok, err := AlignBy(a, ByGated, pattern, text, want)
		if err != nil {
			t.Fatalf("%d: %v:\n%s\n%s", i, err, pattern, text)
		}
		if !ok {
			continue
		}
		parts += len(a.exact.gated.parts)
		if got != want || !slices.Equal(c, wantCIGAR) {
			t.Fatalf("%d: %v: score %d %s, want %d %s:\n%s\n%s", i, o.Penalties, got, c, want, wantCIGAR, pattern, text)
		}
		o.ScoreOnly = true
		if a, err = NewAligner(o); err != nil {
			t.Fatal(err)
		}
		if got, _, _, err := AlignBy(a, ByGated, pattern, text, want); got != want || err != nil {
			t.Fatalf("%d: %v: score alone %d, want %d: %v", i, o.Penalties, got, want, err)
		}
	}
	if parts < 1500 {
		t.Fatal(fmt.Sprint(parts, " parts"))
	}
}

// TestGatedInside compares alignments along runs of equal letters, of patterns within texts that may have
// copies of the pattern's ends beside it, with those of the plain matrix.
func TestGatedInside(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	done := 0
	for i := range 3000 {
		o := Options{
			Penalties: gatedPenalties[r.IntN(len(gatedPenalties))], Level: Levels()[r.IntN(len(Levels()))],
			Span: EndsFree, Free: Free{TextBegin: FreeAll, TextEnd: FreeAll}, ScoreOnly: r.IntN(4) == 0,
		}
		if r.IntN(4) == 0 {
			o.Free = Free{TextBegin: r.IntN(80), TextEnd: r.IntN(80)}
		}
		inside, err := NewSpanBy(SpanByInside, o)
		if err != nil || inside == nil {
			t.Fatal(inside, err)
		}
		matrix, err := NewSpanBy(SpanByMatrix, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			p, s := gatedPair(r, 100+r.IntN(600))
			before, behind := lettersOf(r, "ACGT", r.IntN(60)), lettersOf(r, "ACGT", r.IntN(60))
			if n := r.IntN(60); n < len(s) && r.IntN(2) == 0 {
				before, behind = append(before, s[:n]...), append(slices.Clone(s[len(s)-n:]), behind...)
			}
			text := slices.Concat(before, s, behind)
			got, ok := inside.AlignRuns(p, text)
			if got.Err != nil {
				t.Fatalf("%d: %v: %v\n%s\n%s", i, o, got.Err, p, text)
			}
			if !ok {
				continue
			}
			done++
			want, _ := matrix.Align(p, text, nil)
			if got.Score != want.Score || !o.ScoreOnly && (got.Place != want.Place || !slices.Equal(got.CIGAR, want.CIGAR)) {
				t.Fatalf("%d: %v: %d %v %s, want %d %v %s\n%s\n%s", i, o, got.Score, got.Place, got.CIGAR, want.Score, want.Place, want.CIGAR, p, text)
			}
		}
	}
	if done < 500 {
		t.Errorf("%d results", done)
	}
}

// lettersOf returns n letters of an alphabet.
func lettersOf(r *rand.Rand, alphabet string, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = alphabet[r.IntN(len(alphabet))]
	}
	return s
}
