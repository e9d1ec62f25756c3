package aligntest

import (
	"fmt"
	"testing"

	"wfagpu/align"
)

// forPenalties runs f once for each set, as a subtest.
func forPenalties(t *testing.T, sets []align.Penalties, f func(t *testing.T, o align.Options)) {
	for _, p := range sets {
		t.Run(p.String(), func(t *testing.T) { f(t, align.Options{Penalties: p}) })
	}
}

// somePenalties are for pairs too long to be run with every set.
func somePenalties() []align.Penalties {
	all := PenaltySets()
	return []align.Penalties{all[0], all[1], all[2], all[4]}
}

func (s suite) edges(t *testing.T) {
	cases := EdgeCases()
	forPenalties(t, PenaltySets(), func(t *testing.T, o align.Options) { s.exact(t, o, cases) })
}

func (s suite) lengths(t *testing.T) {
	cases := lengthCases(2, edgeLengths, 0, 0.02, 0.1, 0.4)
	sets := PenaltySets()
	if testing.Short() {
		sets = somePenalties()
	}
	forPenalties(t, sets, func(t *testing.T, o align.Options) { s.exact(t, o, cases) })
}

func (s suite) longLengths(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds: not run under -short")
	}
	cases := lengthCases(3, longEdgeLengths, 0.02, 0.2)
	forPenalties(t, somePenalties(), func(t *testing.T, o align.Options) { s.exact(t, o, cases) })
}

func (s suite) veryUnequalLengths(t *testing.T) {
	r := newRand(4)
	long := sequence(r, dna, 5000)
	e := &edges{r: r}
	e.addBoth("1 against 5000", long[4000:4001], long)
	e.addBoth("1 that does not occur against 5000", []byte("N"), long)
	e.addBoth("100 from inside against 3000", long[1000:1100], long[:3000])
	e.addBoth("100 unrelated against 3000", sequence(r, dna, 100), long[:3000])
	forPenalties(t, somePenalties(), func(t *testing.T, o align.Options) { s.exact(t, o, e.cases) })
}

func (s suite) random(t *testing.T) {
	many, longer := 2000, 60
	if testing.Short() {
		many, longer = 500, 10
	}
	for i, p := range PenaltySets() {
		t.Run(p.String(), func(t *testing.T) {
			seed := uint64(1000 + 10*i)
			s.exact(t, align.Options{Penalties: p}, RandomCases(seed, many, 40))
			s.exact(t, align.Options{Penalties: p}, RandomCases(seed+1, many/4, 150))
			s.exact(t, align.Options{Penalties: p}, RandomCases(seed+2, longer, 700))
		})
	}
}

// littleMemory leaves no room for a traceback of any size, then room for that
// of short pairs only.
func (s suite) littleMemory(t *testing.T) {
	cases := append(EdgeCases(), lengthCases(5, edgeLengths, 0.05, 0.3)...)
	many := 1000
	if testing.Short() {
		many = 200
	}
	for i, p := range PenaltySets() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			cases := append(RandomCases(uint64(2000+i), many, 60), cases...)
			for _, memory := range []int{1, 20_000} {
				s.exact(t, align.Options{Penalties: p, Memory: memory}, cases)
			}
		})
	}
}

// offset16Bits has offsets, diagonals and scores on both sides of what 15, 16
// and 17 bits hold.
func (s suite) offset16Bits(t *testing.T) {
	lengths := []int{16383, 16384, 32766, 32767, 32768, 32769, 65535, 65536, 65537}
	if testing.Short() {
		lengths = []int{32767, 32768}
	}
	r := newRand(6)
	var cases []Case
	add := func(n int, what string, pattern, text []byte) {
		cases = append(cases, Case{Name: fmt.Sprintf("length %d, %s, seed 6", n, what), Pattern: pattern, Text: text})
	}
	for _, n := range lengths {
		text := sequence(r, dna, n)
		add(n, "identical", text, text)
		add(n, "few errors", mutate(r, dna, text, 0.002), text)
		add(n, "a gap of 200", mutate(r, dna, cut(text, n/3, 200), 0.001), text)
		add(n, "an extra 200", text, mutate(r, dna, cut(text, n/3, 200), 0.001))
		add(n, "a base more", join(text, []byte("A")), text)
		add(n, "a base less at the start", text[1:], text)
	}
	sets := somePenalties()[:2]
	forPenalties(t, sets, func(t *testing.T, o align.Options) {
		s.exact(t, o, cases)
		o.Memory = 1
		s.exact(t, o, cases)
	})

	// Scores beyond 16 bits from short sequences.
	t.Run("255,255,255", func(t *testing.T) {
		a, b := sequence(r, "AC", 300), sequence(r, "GT", 420)
		s.exact(t, align.Options{Penalties: align.Penalties{Mismatch: 255, GapOpen: 255, GapExtend: 255}}, []Case{
			{Name: "score above 65535, seed 6", Pattern: a, Text: b},
			{Name: "score above 65535, swapped, seed 6", Pattern: b, Text: a},
		})
	})
	t.Run("251,241,239", func(t *testing.T) { // no common divisor
		a, b := sequence(r, "AC", 200), sequence(r, "GT", 290)
		s.exact(t, align.Options{Penalties: align.Penalties{Mismatch: 251, GapOpen: 241, GapExtend: 239}}, []Case{
			{Name: "score above 65535, seed 6", Pattern: a, Text: b},
			{Name: "score above 65535, swapped, seed 6", Pattern: b, Text: a},
		})
	})
}
