package aligntest

import (
	"fmt"
	"math/rand/v2"

	"wfagpu/align"
)

// Scorings are the scorings that spans are tested with: penalties, similarities, linear gaps,
// gaps of two costs, ties between steps, and the ends of the range.
func Scorings() []align.Scoring {
	penalties := func(x, o, e int) align.Penalties {
		return align.Penalties{Mismatch: x, GapOpen: o, GapExtend: e}
	}
	return []align.Scoring{
		{Penalties: penalties(2, 3, 1)},
		{Penalties: penalties(1, 0, 1)},
		{Penalties: penalties(4, 6, 2), LongGap: align.Gap{Open: 12, Extend: 1}},
		{Penalties: penalties(4, 6, 1), Match: 1},
		{Penalties: penalties(4, 4, 2), Match: 2, LongGap: align.Gap{Open: 24, Extend: 1}},
		{Penalties: penalties(3, 2, 2), Match: 2, LongGap: align.Gap{Open: 5, Extend: 1}},
		{Penalties: penalties(1, 0, 1), Match: 1},
		{Penalties: penalties(1, 0, 2), Match: 3, LongGap: align.Gap{Open: 3, Extend: 1}},
		{Penalties: penalties(2, 1, 1), Match: 5},
		{Penalties: penalties(4, 6, 37), Match: 1, LongGap: align.Gap{Open: 8, Extend: 24}}, // the lower one always
		{Penalties: penalties(4, 8, 24), Match: 1},                                          // dear letters of gaps
		{Penalties: penalties(4, 6, 30), LongGap: align.Gap{Open: 30, Extend: 6}},           // equal for one letter
		{Penalties: penalties(255, 255, 255), Match: 255},
		{Penalties: penalties(251, 0, 239), Match: 254, LongGap: align.Gap{Open: 255, Extend: 1}},
	}
}

// SpanOptions are the spans with the scorings that each of them takes. Free is for the test to
// set.
func SpanOptions() (all []align.Options) {
	for _, s := range Scorings() {
		o := align.Options{Penalties: s.Penalties, Match: s.Match, LongGap: s.LongGap}
		for _, o.Span = range []align.Span{align.Global, align.EndsFree, align.Extension, align.Local} {
			if s.Match == 0 && o.Span > align.EndsFree {
				continue
			}
			all = append(all, o)
			if o.Span == align.Extension {
				for _, o.ZDrop = range []int{1, 3 * s.Match, 10 * s.Match} {
					all = append(all, o)
				}
				o.ZDrop = 0
			}
		}
	}
	return all
}

// RandomFree returns free numbers: none, all, or up to most.
func RandomFree(r *rand.Rand, most int) align.Free {
	number := func() int {
		switch r.IntN(4) {
		case 0:
			return 0
		case 1:
			return align.FreeAll
		}
		return r.IntN(most + 1)
	}
	return align.Free{PatternBegin: number(), PatternEnd: number(), TextBegin: number(), TextEnd: number()}
}

// SpanCases returns n pairs of up to maxLen letters: those of RandomCases, with flanks around one
// of the two sequences or both, repeats, whose alignments are many, and empty sequences.
func SpanCases(seed uint64, n, maxLen int) []Case {
	r := newRand(seed)
	cases := RandomCases(seed, n, maxLen)
	for i := range cases {
		c := &cases[i]
		letters := []string{dna, twoBases, oneBase, dnaN}[r.IntN(4)]
		flank := func(s []byte) []byte {
			return join(sequence(r, letters, r.IntN(maxLen/3+1)), s, sequence(r, letters, r.IntN(maxLen/3+1)))
		}
		kind := r.IntN(8)
		switch kind {
		case 0, 1:
			c.Text = flank(c.Text)
		case 2:
			c.Pattern = flank(c.Pattern)
		case 3:
			c.Pattern, c.Text = flank(c.Pattern), flank(c.Text)
		case 4:
			c.Pattern, c.Text = sequence(r, twoBases, r.IntN(maxLen+1)), sequence(r, twoBases, r.IntN(maxLen+1))
		case 5:
			unit := sequence(r, dna, 1+r.IntN(4))
			for c.Text = nil; len(c.Text) < maxLen; c.Text = join(c.Text, unit) {
			}
			c.Text = c.Text[:r.IntN(maxLen)]
			c.Pattern = mutate(r, dna, c.Text, 0.1)
		case 6:
			c.Text = mutate(r, letters, c.Text, 0.9)
		}
		c.Name += fmt.Sprintf(", changed by %d", kind)
	}
	return cases
}

// EdgeSpanCases are pairs of empty sequences, of one letter, of equal ones, and of sequences with
// several equally good ends.
func EdgeSpanCases() []Case {
	var cases []Case
	for _, pair := range [][2]string{
		{"", ""}, {"A", ""}, {"", "A"}, {"A", "A"}, {"A", "C"}, {"ACGTACGT", ""}, {"", "ACGTACGT"},
		{"ACGTACGT", "ACGTACGT"}, {"acgu", "ACGT"}, {"N", "N"}, {"NNNN", "ACGT"}, {"NACGN", "NNACG"},
		{"ACG", "ACGTTTTTACG"}, {"ACGTTTTTACG", "ACG"}, {"ACGCCCCCACG", "ACGGGGGGACG"},
		{"AAAAAAAA", "AAAAAAAAAAAAAAAA"}, {"ACACACAC", "CACACACACA"}, {"GGGGACGT", "ACGTCCCC"}, {"ACGTCCCC", "GGGGACGT"},
		{"T", "ACGACGACGACGACGACGACGACGACGACGACGACG"}, {"ACGACGACGACGACGACGACGACGACGACGACGACG", "G"},
	} {
		cases = append(cases, Case{Name: "edge", Pattern: []byte(pair[0]), Text: []byte(pair[1])})
	}
	return cases
}
