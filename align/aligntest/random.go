package aligntest

import "fmt"

// RandomCases returns n pairs of up to maxLen letters: any alphabet, related
// at 0 to 40 % errors, related with a long gap, or not related at all. Short
// lengths are as likely as long ones, for that is where edges meet.
func RandomCases(seed uint64, n, maxLen int) []Case {
	r := newRand(seed)
	alphabets := []string{dna, dna, dna, dna, twoBases, oneBase, dnaN, mixed, iupac, protein, anyByte}
	cases := make([]Case, n)
	for i := range cases {
		letters := alphabets[r.IntN(len(alphabets))]
		length := r.IntN(r.IntN(maxLen+1) + 1)
		text := sequence(r, letters, length)
		var pattern []byte
		kind := "related"
		switch r.IntN(8) {
		case 0:
			kind = "unrelated"
			pattern = sequence(r, letters, r.IntN(length+8))
		case 1:
			kind = "long gap"
			at := r.IntN(length + 1)
			pattern = mutate(r, letters, cut(text, at, r.IntN(length-at+1)), 0.05)
			if r.IntN(2) == 0 {
				pattern, text = text, pattern
			}
		default:
			pattern = mutate(r, letters, text, 0.4*r.Float64())
		}
		cases[i] = Case{
			Name:    fmt.Sprintf("random seed %d, number %d, %s", seed, i, kind),
			Pattern: pattern,
			Text:    text,
		}
	}
	return cases
}
