package align_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// kindsOf counts pairs by what a sample tells of their errors.
func kindsOf(patterns, texts [][]byte) (kinds [3]int) {
	for i := range patterns {
		kinds[align.Approx{}.Errors(patterns[i], texts[i])]++
	}
	return kinds
}

// TestErrors has what a sample tells of pairs of one kind: nearly always the same.
func TestErrors(t *testing.T) {
	for _, length := range []int{17_000, 30_000, 100_000} {
		count := max(20, 1_000_000/length)
		for _, tc := range []struct {
			rate float64
			want align.Errors
		}{{0, align.FewErrors}, {0.005, align.FewErrors}, {0.05, align.ManyErrors}, {0.15, align.ManyErrors}} {
			kinds := kindsOf(simulated(t, count, simulate.Options{Length: length, ErrorRate: tc.rate, Seed: 1}))
			if kinds[tc.want] < count*9/10 {
				t.Errorf("%d letters, error rate %v: %v", length, tc.rate, kinds)
			}
		}
	}
	for _, kind := range simulate.VariantKinds() {
		patterns, texts := withVariants(t, 60, 26_000, 0.005, simulate.Variants{Least: 3000, Most: 6000, Kinds: string(kind)}, 3)
		if kinds := kindsOf(patterns, texts); kinds[align.FewAtEnds] < 50 {
			t.Errorf("%s of 3,000 to 6,000 letters: %v", kind, kinds)
		}
		patterns, texts = withVariants(t, 60, 26_000, 0.005, simulate.Variants{Least: 50, Most: 180, Kinds: string(kind)}, 4)
		if kinds := kindsOf(patterns, texts); kinds[align.FewErrors] < 50 {
			t.Errorf("%s of 50 to 180 letters: %v", kind, kinds)
		}
	}
}

// TestErrorsOfOtherLetters holds that case, and U for T, make no difference, nor does which of two
// sequences of unequal lengths is the pattern, and that there are no pairs of few errors where the
// band is given, or sequences are short.
func TestErrorsOfOtherLetters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var seen [3]int
	for _, rate := range []float64{0.005, 0.02, 0.05} {
		patterns, texts := withVariants(t, 30, 20_000, rate, simulate.Variants{Least: 10, Most: 6000}, 5)
		for i, p := range patterns {
			want := align.Approx{}.Errors(p, texts[i])
			seen[want]++
			other := bytes.ToLower(bytes.ReplaceAll(p, []byte("T"), []byte("U")))
			for j := range other {
				if r.IntN(2) == 0 {
					other[j] = p[j]
				}
			}
			if got := (align.Approx{Lambda: 9}).Errors(texts[i], other); got != want {
				t.Errorf("pair %d, error rate %v: %v, want %v", i+1, rate, got, want)
			}
			if got := (align.Approx{Band: 64}).Errors(p, texts[i]); got != align.ManyErrors {
				t.Errorf("in a given band: %v", got)
			}
		}
	}
	if slices.Min(seen[:]) < 5 {
		t.Errorf("too little happens: %v", seen)
	}
	s := randomBases(r, 20_000)
	for _, n := range []int{0, 1, 16, 1<<14 - 1} {
		if got := (align.Approx{}).Errors(s[:n], s); got != align.ManyErrors {
			t.Errorf("%d of 20,000 letters: %v", n, got)
		}
	}
	for n := 1 << 14; n < len(s); n += 71 { // any lengths
		(align.Approx{}).Errors(s[:n], s)
		(align.Approx{}).Errors(s, s[len(s)-n:])
	}
	if got := (align.Approx{}).Errors(s[:1<<14], s[1:1<<14+1]); got != align.FewErrors {
		t.Errorf("2^14 equal letters: %v", got)
	}
}
