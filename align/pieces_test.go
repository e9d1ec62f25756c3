package align_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// withVariants returns pairs of which all have a structural variant of some kinds.
func withVariants(t testing.TB, count, length int, rate float64, v simulate.Variants, seed uint64) (patterns, texts [][]byte) {
	t.Helper()
	v.Share = 1
	return simulated(t, count, simulate.Options{
		Length: length, ErrorRate: rate / 5, MaxErrorRate: rate, Model: simulate.SV, Variants: v, Seed: seed,
	})
}

// inPieces aligns a pair in pieces if the rule says so. left tells that it has left its first band.
func inPieces(t testing.TB, a *align.Aligner, approx align.Approx, c aligntest.Case, left bool) (score int, alignment cigar.CIGAR, cut bool) {
	t.Helper()
	cuts, early := approx.Cuts(len(c.Pattern), len(c.Text))
	for _, first := range []bool{true, false} {
		if cut || !cuts || first && !early || !first && !left {
			continue
		}
		var err error
		if score, alignment, cut, err = align.AlignPieces(a, c.Pattern, c.Text, first); err != nil {
			t.Fatal(err)
		}
	}
	return score, alignment, cut
}

// TestPiecesFindOptima has reads with few errors and structural variants of all kinds and sizes.
// Nearly all scores are optimal, and all aligners report the same.
func TestPiecesFindOptima(t *testing.T) {
	count := 25
	if testing.Short() {
		count = 10
	}
	for _, kind := range simulate.VariantKinds() {
		for i, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 4, GapOpen: 6, GapExtend: 2}, align.EditPenalties, {Mismatch: 5, GapOpen: 1, GapExtend: 3}} {
			t.Run(fmt.Sprintf("%s/%v", kind, p), func(t *testing.T) {
				t.Parallel()
				v := simulate.Variants{Least: 50, Most: 3000, Kinds: string(kind)}
				patterns, texts := withVariants(t, count, 6000, 0.01, v, uint64(i+1))
				o := align.Options{Penalties: p, Approx: &align.Approx{}}
				as := newAligners(t, o)
				o.ScoreOnly = true
				scoreOnly := newAligner(t, o)
				align.TakeShortBands(append(as, scoreOnly)...)
				exact := newAligner(t, align.Options{Penalties: p, ScoreOnly: true})
				missed, excess, sum := 0, 0, 0
				for j := range patterns {
					score, c, err := as[0].Align(patterns[j], texts[j], nil)
					if err != nil {
						t.Fatal(err)
					}
					if err := aligntest.Check(patterns[j], texts[j], p, align.Result{Score: score, CIGAR: c}); err != nil {
						t.Fatalf("pair %d: %v", j+1, err)
					}
					if s, _, err := scoreOnly.Align(patterns[j], texts[j], nil); s != score || err != nil {
						t.Errorf("pair %d: score %d, error %v without alignments, want %d", j+1, s, err, score)
					}
					for l, a := range as[1:] {
						s, d, err := a.Align(patterns[j], texts[j], nil)
						if s != score || !slices.Equal(c, d) || err != nil {
							t.Fatalf("pair %d, aligner %d: score %d, error %v\n%v\nwant %d\n%v", j+1, l+1, s, err, d, score, c)
						}
					}
					optimum, _, err := exact.Align(patterns[j], texts[j], nil)
					if err != nil || score < optimum {
						t.Fatalf("pair %d: score %d, optimum %d, error %v", j+1, score, optimum, err)
					}
					if score > optimum {
						missed++
					}
					excess += score - optimum
					sum += optimum
				}
				s := as[0].ApproxStats()
				t.Logf("%d of %d optima missed, by %d of %d; %+v", missed, count, excess, sum, s)
				if missed > 1 || 2000*excess > sum {
					t.Errorf("%d of %d optima missed, by %d of %d", missed, count, excess, sum)
				}
				if s.Pieces < int64(count)/4 {
					t.Errorf("too few pairs were cut: %+v", s)
				}
			})
		}
	}
}

// TestGapsAnywhere has one long gap in a read, at and near its ends too, and of lengths around
// those at which pairs are cut.
func TestGapsAnywhere(t *testing.T) {
	patterns, _ := simulated(t, 1, simulate.Options{Length: 3000, Seed: 4})
	read := patterns[0]
	r := rand.New(rand.NewPCG(6, 6))
	a := newAligner(t, align.Options{Approx: &align.Approx{}})
	exact := newAligner(t, align.Options{ScoreOnly: true})
	for _, length := range []int{1, 20, 24, 25, 31, 32, 33, 62, 63, 100, 1000, 2400} {
		for _, at := range []int{0, 1, 10, 60, 64, 65, 100, 500, 1500} {
			for _, at := range []int{at, len(read) - at} {
				if at+length > len(read) {
					continue
				}
				without := slices.Concat(read[:at], read[at+length:])
				for range 8 {
					without[r.IntN(len(without))] = "ACGT"[r.IntN(4)]
				}
				for _, p := range [][2][]byte{{without, read}, {read, without}} {
					score, c, err := a.Align(p[0], p[1], nil)
					if err != nil {
						t.Fatal(err)
					}
					if err := aligntest.Check(p[0], p[1], align.DefaultPenalties, align.Result{Score: score, CIGAR: c}); err != nil {
						t.Fatal(err)
					}
					if optimum, _, _ := exact.Align(p[0], p[1], nil); score != optimum {
						t.Errorf("gap of %d at %d: score %d, optimum %d", length, at, score, optimum)
					}
				}
			}
		}
	}
	if s := a.ApproxStats(); s.Pieces < 100 || s.Aligned == 0 {
		t.Errorf("too little happens: %+v", s)
	}
}

// alignBoth returns the score of an approximate Aligner, whose alignment it checks, and the optimum.
func alignBoth(t *testing.T, approx, exact *align.Aligner, pattern, text []byte) (score, optimum int) {
	t.Helper()
	score, c, err := approx.Align(pattern, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := aligntest.Check(pattern, text, align.DefaultPenalties, align.Result{Score: score, CIGAR: c}); err != nil {
		t.Fatal(err)
	}
	optimum, _, err = exact.Align(pattern, text, nil)
	if err != nil || score < optimum {
		t.Fatalf("score %d, optimum %d, error %v", score, optimum, err)
	}
	return score, optimum
}

// TestTwoVariants has reads with two long gaps, of which one may make up for the other.
func TestTwoVariants(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	a := newAligner(t, align.Options{Approx: &align.Approx{}})
	exact := newAligner(t, align.Options{ScoreOnly: true})
	patterns, texts := simulated(t, 30, simulate.Options{Length: 9000, ErrorRate: 0.004, Seed: 4})
	missed, excess, sum := 0, 0, 0
	for i := range patterns {
		pattern, text := patterns[i], texts[i]
		at, length := 500+r.IntN(3000), 50<<r.IntN(6)
		pattern = slices.Delete(pattern, at, at+length)
		if i%2 == 0 {
			at, length = 4500+r.IntN(2000), length+[]int{-5, 7, 60, 700}[r.IntN(4)]
		} else { // nearby
			at += 2*length + 200 + r.IntN(300)
		}
		text = slices.Delete(text, at, at+length)
		score, optimum := alignBoth(t, a, exact, pattern, text)
		if score > optimum {
			missed++
			t.Logf("pair %d: score %d, optimum %d", i+1, score, optimum)
		}
		excess += score - optimum
		sum += optimum
	}
	t.Logf("%d optima missed, by %d of %d; %+v", missed, excess, sum, a.ApproxStats())
	if missed > 0 {
		t.Errorf("%d optima missed, by %d of %d", missed, excess, sum)
	}
}

// TestRepeats has tandem repeats with copies that differ a little, of which the read has some
// more or fewer: neighbouring diagonals look alike there.
func TestRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	change := func(b []byte, rate float64) []byte {
		b = slices.Clone(b)
		for i := range b {
			if r.Float64() < rate {
				b[i] = "ACGT"[r.IntN(4)]
			}
		}
		return b
	}
	a := newAligner(t, align.Options{Approx: &align.Approx{}})
	exact := newAligner(t, align.Options{ScoreOnly: true})
	count, missed, excess, sum := 0, 0, 0, 0
	for _, unit := range []int{3, 17, 40, 160} {
		for _, differ := range []float64{0, 0.02, 0.1} {
			for range 6 {
				copies := 2 + r.IntN(2400/unit)
				one := randomBases(r, unit)
				var all [][]byte
				for range copies {
					all = append(all, change(one, differ))
				}
				fewer := slices.Clone(all)
				from := r.IntN(copies)
				fewer = slices.Delete(fewer, from, from+1+r.IntN(copies-from))
				before, behind := randomBases(r, 2000+r.IntN(2000)), randomBases(r, 2000+r.IntN(2000))
				text := slices.Concat(before, bytes.Join(all, nil), behind)
				pattern := change(slices.Concat(before, bytes.Join(fewer, nil), behind), 0.005)
				if r.IntN(2) == 0 {
					pattern, text = text, pattern
				}
				score, optimum := alignBoth(t, a, exact, pattern, text)
				count++
				if score > optimum {
					missed++
					t.Logf("%d copies of %d letters, %v differ, %d from %d on: score %d, optimum %d", copies, unit, differ, copies-len(fewer), from, score, optimum)
				}
				excess += score - optimum
				sum += optimum
			}
		}
	}
	t.Logf("%d of %d optima missed, by %d of %d; %+v", missed, count, excess, sum, a.ApproxStats())
	if missed > 1 || 1000*excess > sum {
		t.Errorf("%d of %d optima missed, by %d of %d", missed, count, excess, sum)
	}
}

// FuzzPieces has reads with variants, errors and repeats that a few numbers describe.
func FuzzPieces(f *testing.F) {
	f.Add(uint64(1), uint16(2000), uint16(300), uint16(700), byte(1), byte(10), byte(2), byte(3), byte(1))
	f.Add(uint64(2), uint16(3000), uint16(0), uint16(90), byte(2), byte(0), byte(1), byte(0), byte(1))
	f.Add(uint64(3), uint16(4000), uint16(1000), uint16(1500), byte(3), byte(30), byte(4), byte(6), byte(2))
	f.Add(uint64(4), uint16(1000), uint16(990), uint16(400), byte(0), byte(5), byte(5), byte(1), byte(3))
	f.Fuzz(func(t *testing.T, seed uint64, length, at, size uint16, kind, errors, x, o, e byte) {
		patterns, _ := simulated(t, 1, simulate.Options{Length: 1 + int(length)%5000, Seed: seed})
		text := patterns[0]
		from := int(at) % (len(text) + 1)
		to := min(from+int(size), len(text))
		stretch := slices.Clone(text[from:to])
		switch kind % 4 {
		case 0:
			stretch = nil
		case 1:
			stretch = slices.Repeat(stretch, 2)
		case 2:
			slices.Reverse(stretch)
		case 3:
			stretch = slices.Concat(text[:int(size)%(len(text)+1)], stretch)
		}
		pattern := slices.Concat(text[:from], stretch, text[to:])
		r := rand.New(rand.NewPCG(seed, 1))
		for range min(int(errors), len(pattern)) {
			pattern[r.IntN(len(pattern))] = "ACGT"[r.IntN(4)]
		}
		if kind >= 128 {
			pattern, text = text, pattern
		}
		p := align.Penalties{Mismatch: 1 + int(x)%16, GapOpen: int(o) % 32, GapExtend: 1 + int(e)%16}
		options := align.Options{Penalties: p, Approx: &align.Approx{}}
		as := newAligners(t, options)
		score, c, err := as[0].Align(pattern, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := aligntest.Check(pattern, text, p, align.Result{Score: score, CIGAR: c}); err != nil {
			t.Fatal(err)
		}
		if optimum, _, err := newAligner(t, align.Options{Penalties: p, ScoreOnly: true}).Align(pattern, text, nil); err != nil || score < optimum {
			t.Fatalf("score %d, optimum %d, error %v", score, optimum, err)
		}
		for i, a := range as[1:] {
			if s, d, err := a.Align(pattern, text, nil); s != score || !slices.Equal(c, d) || err != nil {
				t.Fatalf("aligner %d: score %d, error %v\n%v\nwant %d\n%v", i+1, s, err, d, score, c)
			}
		}
	})
}

// randomBases returns so many bases.
func randomBases(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGT"[r.IntN(4)]
	}
	return b
}
