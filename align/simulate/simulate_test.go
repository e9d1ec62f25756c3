package simulate_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"wfagpu/align/simulate"
)

func generator(t *testing.T, o simulate.Options) *simulate.Generator {
	t.Helper()
	g, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The first pair of a seed is a promise: published figures name their set by
// its options alone.
func TestFirstPairNeverChanges(t *testing.T) {
	for _, tc := range []struct {
		opts          simulate.Options
		pattern, text string
	}{
		{simulate.Options{Length: 60, ErrorRate: 0.1, Seed: 1},
			"ATGACGAACTAGCGGCTAGTGAGAACGGTGACACAGGCGAAGTGCATTAAAGCGAGTA",
			"ATGAGGAAATAGCGGCTAGTGAGAACGGTGACACATGTGCGAAGTGCATTAAAGCGAGTA",
		},
		{simulate.Options{Length: 60, ErrorRate: 0.1, Seed: 2, Model: simulate.Substitution},
			"TCGACGCAACTGAGAGGCCAATCTACAATGTCATCCCCACGAGTCGGCTGCTCGTGGCCA",
			"TCGACGCAACTGAGGAGCCAATCTGGAATGTCATCCCCACGAGACGGCTGTTCGTGGCCA",
		},
		{simulate.Options{Length: 120, ErrorRate: 0.05, Seed: 3, Model: simulate.Bursts, NRate: 0.1},
			"CCAACGGTCCTNCGGATACTTATGGCNGCCTCTAATGCGTTCNNAG",
			"CCAACGGTCCTATCGGATACTTATGGCAGCCTCTAAATGTGTTCCCAGTTATCTATACCTCAGTGCTGAAGCTGGAATCCGTATGAAGCTATAGCAACGGGTAATGGGTACGATTGAATA",
		},
		{simulate.Options{Length: 50, ErrorRate: 0.02, MaxErrorRate: 0.2, Seed: 4, Model: simulate.SV, Variants: simulate.Variants{Share: 1, Least: 5, Most: 20}},
			"GTCACAGAAGGAAAAAAGTAGGGTATAGCGCATCTGGGATCGTTGGATTCA",
			"GTCACAGACCTAGCTTTTTTCTTATGAGCGCATCTGAGATCTTGGATTCA",
		},
	} {
		pattern, text := generator(t, tc.opts).Next()
		if string(pattern) != tc.pattern || string(text) != tc.text {
			t.Errorf("%+v:\npattern %s\n   want %s\ntext    %s\n   want %s", tc.opts, pattern, tc.pattern, text, tc.text)
		}
	}
}

func TestSameSeedSameSet(t *testing.T) {
	for _, m := range simulate.Models() {
		o := simulate.Options{Length: 300, ErrorRate: 0.1, Model: m, NRate: 0.01, Seed: 7}
		a, b := generator(t, o), generator(t, o)
		o.Seed++
		c := generator(t, o)
		for i := range 20 {
			p, x := a.Next()
			q, y := b.Next()
			if !bytes.Equal(p, q) || !bytes.Equal(x, y) {
				t.Fatalf("%s: pair %d differs between two generators of one seed", m, i)
			}
			if r, _ := c.Next(); bytes.Equal(p, r) {
				t.Fatalf("%s: pair %d is the same under another seed", m, i)
			}
		}
	}
}

func TestLengths(t *testing.T) {
	for _, n := range []int{0, 1, 2, 31, 32, 33, 150, 10000} {
		for _, rate := range []float64{0, 0.1, 1} {
			for _, m := range simulate.Models() {
				pattern, text := generator(t, simulate.Options{Length: n, ErrorRate: rate, Model: m}).Next()
				if len(text) != n {
					t.Errorf("length %d, %s: text of %d bases", n, m, len(text))
				}
				if m == simulate.Substitution && len(pattern) != n {
					t.Errorf("length %d, %s: pattern of %d bases", n, m, len(pattern))
				}
				if rate == 0 && m != simulate.Bursts && m != simulate.SV && !bytes.Equal(pattern, text) {
					t.Errorf("length %d, %s: sequences differ without errors", n, m)
				}
			}
		}
	}
}

// Mismatches are drawn with replacement, so a few fall on the same base.
func TestSubstitutionRate(t *testing.T) {
	const n, rate = 100_000, 0.1
	pattern, text := generator(t, simulate.Options{Length: n, ErrorRate: rate, Model: simulate.Substitution}).Next()
	differ := 0
	for i := range text {
		if text[i] != pattern[i] {
			differ++
		}
	}
	want := n * (1 - math.Exp(-rate)) // distinct bases hit by n*rate draws
	if math.Abs(float64(differ)-want) > 300 {
		t.Errorf("%d of %d bases differ, want about %.0f", differ, n, want)
	}
}

func TestNRate(t *testing.T) {
	const n, rate = 100_000, 0.02
	pattern, text := generator(t, simulate.Options{Length: n, NRate: rate}).Next()
	if got := bytes.Count(pattern, []byte("N")); math.Abs(float64(got)-n*rate) > 250 {
		t.Errorf("%d of %d bases are N, want about %.0f", got, n, n*rate)
	}
	if bytes.ContainsRune(text, 'N') {
		t.Error("N in the text")
	}
}

func TestBurstsMakeLongGaps(t *testing.T) {
	g := generator(t, simulate.Options{Length: 1000, Model: simulate.Bursts, Seed: 5})
	longer, shorter := 0, 0
	for range 200 {
		pattern, text := g.Next()
		switch d := len(pattern) - len(text); {
		case d >= 10 && d <= 100:
			longer++
		case d >= -100 && d < 0:
			shorter++
		default:
			t.Errorf("length difference %d, want one gap of 10 to 100", d)
		}
	}
	if longer < 60 || shorter < 60 {
		t.Errorf("%d insertions and %d deletions in 200 pairs", longer, shorter)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []simulate.Options{
		{Length: -1},
		{Length: 10, ErrorRate: -0.1},
		{Length: 10, ErrorRate: 1.1},
		{Length: 10, ErrorRate: math.NaN()},
		{Length: 10, NRate: 2},
		{Length: 10, Model: "other"},
		{Length: 10, ErrorRate: 0.2, MaxErrorRate: 0.1},
		{Length: 10, MaxErrorRate: 1.1},
		{Length: 10, MaxErrorRate: math.NaN()},
		{Length: 10, Model: simulate.SV, Variants: simulate.Variants{Share: -1, Least: 1, Most: 1}},
		{Length: 10, Model: simulate.SV, Variants: simulate.Variants{Share: math.NaN(), Least: 1, Most: 1}},
		{Length: 10, Model: simulate.SV, Variants: simulate.Variants{Share: 1, Least: 2, Most: 1}},
		{Length: 10, Model: simulate.SV, Variants: simulate.Variants{Share: 1, Most: 1}},
		{Length: 10, Model: simulate.SV, Variants: simulate.Variants{Least: 1, Most: 1, Kinds: "insertion,"}},
	} {
		if _, err := simulate.New(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func ExampleNew() {
	g, err := simulate.New(simulate.Options{Length: 12, ErrorRate: 0.25, Seed: 1})
	if err != nil {
		panic(err)
	}
	for range 2 {
		pattern, text := g.Next()
		fmt.Printf(">%s\n<%s\n", pattern, text)
	}
	// Output:
	// >ATTGAGGAATATAG
	// <ATGAGGAAATAG
	// >TTGTCGCTTTGCC
	// <TTGTCGTTTTCC
}
