package aligntest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// EdgeCases are pairs of extreme shapes: empty sequences, no common letter, one long gap, repeats,
// very unequal lengths, and letters outside ACGT.
func EdgeCases() []Case {
	e := &edges{r: newRand(1)}
	e.empty()
	e.identical()
	e.nothingInCommon()
	e.oneLongGap()
	e.repeats()
	e.unequalLengths()
	e.otherLetters()
	return e.cases
}

type edges struct {
	r     *rand.Rand
	cases []Case
}

func (e *edges) add(name string, pattern, text []byte) {
	e.cases = append(e.cases, Case{Name: "edge: " + name, Pattern: pattern, Text: text})
}

// addBoth adds the pair and its mirror image: insertions for deletions.
func (e *edges) addBoth(name string, a, b []byte) {
	e.add(name, a, b)
	e.add(name+", swapped", b, a)
}

func (e *edges) empty() {
	e.add("both empty", nil, nil)
	for _, n := range []int{1, 2, 8, 63, 64, 65, 150, 300} {
		e.addBoth(fmt.Sprintf("empty against %d", n), nil, sequence(e.r, dna, n))
	}
}

func (e *edges) identical() {
	for _, n := range []int{1, 2, 15, 16, 17, 64, 150, 1000, 5000} {
		s := sequence(e.r, dna, n)
		e.add(fmt.Sprintf("identical, %d", n), s, s)
	}
}

func (e *edges) nothingInCommon() {
	e.add("one base, different", []byte("A"), []byte("C"))
	for _, n := range []int{2, 3, 31, 32, 63, 64, 65, 129, 200} {
		e.add(fmt.Sprintf("all mismatch, one letter each, %d", n), bytes.Repeat([]byte("A"), n), bytes.Repeat([]byte("C"), n))
		e.add(fmt.Sprintf("all mismatch, two letters each, %d", n), sequence(e.r, "AC", n), sequence(e.r, "GT", n))
		e.addBoth(fmt.Sprintf("no common letter, %d against %d", n, n/2), sequence(e.r, "AC", n), sequence(e.r, "GT", n/2))
	}
	for _, n := range []int{20, 64, 150, 400} {
		e.add(fmt.Sprintf("unrelated, %d", n), sequence(e.r, dna, n), sequence(e.r, dna, n))
	}
}

func (e *edges) oneLongGap() {
	for _, n := range []int{150, 600} {
		s := sequence(e.r, dna, n)
		for _, gap := range []int{1, 7, 31, 32, 33, 62, 63, 64, 65, 66, 127, 128, 129} {
			places := []struct {
				name string
				at   int
			}{{"start", 0}, {"middle", (n - gap) / 2}, {"end", n - gap}}
			for _, p := range places {
				e.addBoth(fmt.Sprintf("gap of %d at the %s of %d", gap, p.name, n), cut(s, p.at, gap), s)
			}
		}
		// Two gaps that cancel out: the path leaves the diagonal and returns.
		e.addBoth(fmt.Sprintf("gap of 50 there and back, %d", n), cut(s, 20, 50), cut(s, n-70, 50))
		// The gaps fill a whole end of each sequence.
		e.addBoth(fmt.Sprintf("overlap of 40 in %d", n), s[:n/2+20], s[n/2-20:])
	}
}

func (e *edges) repeats() {
	for _, unit := range []string{"A", "AC", "ACG", "AACT", "ACGTTGCA"} {
		for _, n := range []int{1, 9, 40, 100} {
			long := strings.Repeat(unit, n+n/3+1)
			e.addBoth(fmt.Sprintf("repeat of %s, %d and %d times", unit, n, n+n/3+1), []byte(strings.Repeat(unit, n)), []byte(long))
			e.addBoth(fmt.Sprintf("repeat of %s, out of phase", unit), []byte(strings.Repeat(unit, n)), []byte(long[len(unit)/2:]))
		}
		left, right := sequence(e.r, dna, 60), sequence(e.r, dna, 60)
		short, long := []byte(strings.Repeat(unit, 6)), []byte(strings.Repeat(unit, 15))
		e.addBoth("repeat of "+unit+" between unique ends", join(left, short, right), join(left, long, right))
	}
}

func (e *edges) unequalLengths() {
	for _, n := range []int{2, 16, 65, 300, 500} {
		s := sequence(e.r, "ACG", n)
		e.addBoth(fmt.Sprintf("1 base that occurs, against %d", n), s[n/2:n/2+1], s)
		e.addBoth(fmt.Sprintf("1 base that does not occur, against %d", n), []byte("T"), s)
	}
	s := sequence(e.r, dna, 600)
	e.addBoth("20 from inside, against 600", s[300:320], s)
	e.addBoth("20 unrelated, against 600", sequence(e.r, dna, 20), s)
	e.addBoth("100 scattered letters, against 600", scattered(e.r, s, 100), s)
}

// scattered keeps n letters of s, in order.
func scattered(r *rand.Rand, s []byte, n int) []byte {
	var out []byte
	for i, b := range s {
		if r.IntN(len(s)-i) < n-len(out) {
			out = append(out, b)
		}
	}
	return out
}

func (e *edges) otherLetters() {
	s := sequence(e.r, dna, 200)
	withN := func(at ...int) []byte {
		t := join(s)
		for _, i := range at {
			t[i] = 'N'
		}
		return t
	}
	e.addBoth("N at word edges of one side", withN(0, 7, 8, 15, 16, 31, 32, 63, 64, 199), s)
	e.add("N at the same places of both", withN(0, 8, 32, 199), withN(0, 8, 32, 199))
	e.addBoth("N at different places", withN(3, 64), withN(4, 65))
	e.addBoth("run of N", join(s[:80], bytes.Repeat([]byte("N"), 40), s[120:]), s)
	e.add("nothing but N", bytes.Repeat([]byte("N"), 70), bytes.Repeat([]byte("N"), 70))
	e.addBoth("N against A", bytes.Repeat([]byte("N"), 70), bytes.Repeat([]byte("A"), 70))

	lower := bytes.ToLower(s)
	e.addBoth("lower against upper case", lower, s)
	e.add("lower case, with errors", mutate(e.r, "acgt", lower, 0.1), lower)
	e.addBoth("U against T", bytes.ReplaceAll(s, []byte("T"), []byte("U")), s)
	e.addBoth("u against T", bytes.ReplaceAll(s, []byte("T"), []byte("u")), s)
	e.addBoth("n against N", bytes.ToLower(withN(5, 6, 7)), withN(5, 6, 7))

	for _, a := range []struct{ name, letters string }{
		{"IUPAC", iupac}, {"protein", protein}, {"mixed case", mixed}, {"any byte", anyByte},
	} {
		for _, n := range []int{1, 16, 64, 150, 500} {
			t := sequence(e.r, a.letters, n)
			e.add(fmt.Sprintf("%s, %d, identical", a.name, n), t, t)
			e.add(fmt.Sprintf("%s, %d, 15 %% errors", a.name, n), mutate(e.r, a.letters, t, 0.15), t)
			e.add(fmt.Sprintf("%s, %d, unrelated", a.name, n), sequence(e.r, a.letters, n), t)
		}
	}
	// Bytes an implementation may use as padding or as an end mark.
	for _, b := range []byte{1, '$', '?', 0x7f, 0x80, 0xfe} {
		pad := bytes.Repeat([]byte{b}, 20)
		e.addBoth(fmt.Sprintf("trailing bytes %#x", b), s, join(s, pad))
		e.addBoth(fmt.Sprintf("leading bytes %#x", b), s, join(pad, s))
	}
}
