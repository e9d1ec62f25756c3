package emu_test

import (
	"math/rand/v2"
	"strings"
)

// letters returns n random ones of an alphabet.
func letters(r *rand.Rand, alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// edited returns s after some errors: mismatches and gaps of up to longest.
func edited(r *rand.Rand, alphabet, s string, errors, longest int) string {
	for range errors {
		at, n := r.IntN(len(s)+1), 1+r.IntN(longest)
		switch r.IntN(3) {
		case 0:
			s = s[:at] + letters(r, alphabet, 1) + s[min(at+1, len(s)):]
		case 1:
			s = s[:at] + letters(r, alphabet, n) + s[at:]
		default:
			s = s[:at] + s[min(at+n, len(s)):]
		}
	}
	if s == "" {
		s = alphabet[:1]
	}
	return s
}

// edges are lengths at which words, table entries and lanes end.
var edges = []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 80, 95, 96, 97, 127, 128, 129}

// smallPairs are pairs of up to about 130 letters, count of them of each kind:
// with few and many errors, with letters that repeat, so that many alignments cost
// the same, with long gaps, equal, and unrelated ones.
func smallPairs(r *rand.Rand, count int) []pair {
	var pairs []pair
	length := func() int { return edges[r.IntN(len(edges))] }
	for range count {
		a := letters(r, "ACGT", length())
		pairs = append(pairs, pair{a, edited(r, "ACGT", a, 1+len(a)/20, 2)})
		a = letters(r, "ACGT", length())
		pairs = append(pairs, pair{edited(r, "ACGT", a, 1+len(a)/8, 3), a})
		a = letters(r, "AC", length())
		pairs = append(pairs, pair{a, edited(r, "AC", a, 1+len(a)/10, 4)})
		a = strings.Repeat(letters(r, "ACGT", 1+r.IntN(3)), 40)[:1+r.IntN(40)]
		pairs = append(pairs, pair{a, edited(r, a[:min(len(a), 3)], a, 3, 5)})
		a = letters(r, "ACGT", 40+r.IntN(80))
		pairs = append(pairs, pair{a, edited(r, "ACGT", a, 2, 30)})
		a = letters(r, "ACGT", length())
		pairs = append(pairs, pair{a, a})
		pairs = append(pairs, pair{letters(r, "ACGT", 1+length()/2), letters(r, "ACGT", 1+length()/2)})
	}
	return pairs
}

// gapPairs are pairs with gaps of all lengths among errors, so that gaps begin and end
// everywhere between two checkpoints.
func gapPairs(r *rand.Rand, longest int) []pair {
	var pairs []pair
	for n := 1; n <= longest; n++ {
		a := letters(r, "ACGT", 150+r.IntN(150))
		b := edited(r, "ACGT", a, r.IntN(25), 3)
		for range 3 { // about as long as the scores between two checkpoints, or twice that
			at := r.IntN(len(b))
			b = b[:at] + letters(r, "ACGT", 13+r.IntN(6)<<r.IntN(2)) + b[at:]
		}
		at := r.IntN(len(b))
		with := b[:at] + letters(r, "ACGT", n) + b[at:]
		if r.IntN(2) == 0 {
			pairs = append(pairs, pair{a, with})
		} else {
			pairs = append(pairs, pair{with, a})
		}
	}
	return pairs
}

// longPairs are pairs of some hundred letters, most of them with a gap that takes
// the alignment from one stride of diagonals to others.
func longPairs(r *rand.Rand, length int) []pair {
	a := letters(r, "ACGT", length)
	gap := letters(r, "ACGT", length/2)
	b := letters(r, "AC", length/2)
	middle := length / 3
	return []pair{
		{a, a[:middle] + gap + edited(r, "ACGT", a[middle:], 4, 3)},
		{a[:middle] + gap + edited(r, "ACGT", a[middle:], 4, 3), a},
		{a, edited(r, "ACGT", a, length/10, 3)},
		{b, edited(r, "AC", b, length/12, 8)},
		{a, edited(r, "ACGT", a[:middle]+gap[:length/4]+a[middle:length-length/4], 3, 3)},
		{letters(r, "ACGT", length/4), letters(r, "ACGT", length/4)},
		{a, a},
	}
}

// runPairs are pairs with long runs of matches: as long as the entries that the lanes of a warp
// look up at a time, a bit shorter and longer, and many of them beside each other in repeats.
func runPairs(r *rand.Rand) []pair {
	var pairs []pair
	for _, run := range []int{15, 16, 17, 31, 33, 495, 496, 511, 512, 513, 527, 528, 1030} {
		a := letters(r, "ACGT", run)
		b := a + "A" + letters(r, "ACGT", 40)
		pairs = append(pairs, pair{a, b}, pair{b, a + "C" + b[run+1:]}, pair{b[:run] + b[run+1:], b})
	}
	for _, unit := range []string{"A", "AC", "ACG", "ACGTTGCAAT"} {
		a := letters(r, "ACGT", 60)
		b := a + strings.Repeat(unit, 400/len(unit)) + a
		pairs = append(pairs, pair{b, edited(r, "ACGT", b, 3, 3)}, pair{edited(r, "ACGT", b, 2, 25), b})
	}
	return pairs
}

// relatedPairs are two pairs of one random length, up to the longest: of any letters with edits of
// up to some letters, and of few letters with shorter ones.
func relatedPairs(r *rand.Rand, longest, edit int) []pair {
	n := 1 + r.IntN(longest)
	a := letters(r, "ACGT", n)
	pairs := []pair{{a, edited(r, "ACGT", a, r.IntN(2+n/8), 1+r.IntN(edit))}}
	b := letters(r, "AC"[:1+r.IntN(2)], n)
	return append(pairs, pair{edited(r, "ACG", b, r.IntN(2+n/8), 1+r.IntN(20)), b})
}
