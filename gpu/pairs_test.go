package gpu

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/simulate"
)

// simulated makes a batch.
func simulated(t testing.TB, count int, o simulate.Options) *align.Batch {
	t.Helper()
	g, err := simulate.New(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &align.Batch{First: 1}
	for range count {
		p, q := g.Next()
		b.Pairs = append(b.Pairs, align.Pair{Pattern: bytes.Clone(p), Text: bytes.Clone(q)})
	}
	return b
}

// mixedPairs are pairs of many lengths and error rates, some with long gaps, N
// or empty sequences, in no order.
func mixedPairs(t testing.TB, count int, seed uint64) *align.Batch {
	t.Helper()
	b := &align.Batch{First: 1}
	for i, length := range []int{20, 100, 150, 150, 400, 1000, 2500} {
		n := count/8 + 1
		if length >= 1000 {
			n = count/30 + 1
		}
		for j, rate := range []float64{0.01, 0.06, 0.25} {
			o := simulate.Options{Length: length, ErrorRate: rate, Seed: seed*100 + uint64(10*i+j)}
			if i%2 == 1 {
				o.Model = simulate.Bursts
			}
			if length == 400 {
				o.NRate = 0.002
			}
			b.Pairs = append(b.Pairs, simulated(t, n/3+1, o).Pairs...)
		}
	}
	b.Pairs = append(b.Pairs, align.Pair{}, align.Pair{Pattern: []byte("ACGT")}, align.Pair{Text: []byte("ACGTACGT")})
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(b.Pairs), func(i, j int) { b.Pairs[i], b.Pairs[j] = b.Pairs[j], b.Pairs[i] })
	b.Pairs = b.Pairs[:min(count, len(b.Pairs))]
	return b
}

// longPairs repeated 70 times are several loads.
func longPairs(t testing.TB) *align.Batch {
	return simulated(t, 4, simulate.Options{Length: 150_000, ErrorRate: 0.0002, Seed: 17})
}

// repeated returns a batch that has a few pairs many times, and shares their
// letters.
func repeated(few *align.Batch, times int) *align.Batch {
	return &align.Batch{First: 1, Pairs: slices.Repeat(few.Pairs, times)}
}

// manyOf returns pairs of which each has, for both sequences, one of some lengths.
func manyOf(r *rand.Rand, count int, lengths ...int) []align.Pair {
	letters := bytes.Repeat([]byte("ACGT"), slices.Max(lengths)/4+1)
	pairs := make([]align.Pair, count)
	for i := range pairs {
		pairs[i].Pattern = letters[:lengths[r.IntN(len(lengths))]]
		pairs[i].Text = letters[:lengths[r.IntN(len(lengths))]]
	}
	return pairs
}

// randomLetters returns some letters of DNA.
func randomLetters(r *rand.Rand, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = "ACGT"[r.IntN(4)]
	}
	return s
}

// flanked returns a text between two flanks of random letters, 10 to most of them.
func flanked(r *rand.Rand, text []byte, most int) []byte {
	flank := func() []byte { return randomLetters(r, 10+r.IntN(most-9)) }
	return slices.Concat(flank(), text, flank())
}

// prefixes are a pair of sequences of which one begins with the other.
func prefixes(r *rand.Rand, pattern, text int) align.Pair {
	a := randomLetters(r, max(pattern, text))
	return align.Pair{Pattern: bytes.Clone(a[:pattern]), Text: bytes.Clone(a[:text])}
}

// hardPairs are pairs whose rows fill the smallest device.
func hardPairs(t testing.TB, count int) *align.Batch {
	t.Helper()
	return simulated(t, count, simulate.Options{Length: 8000, ErrorRate: 0.25, Seed: 12})
}
