package kernel

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// outcome is what a kernel makes of a set.
type outcome struct {
	results []abi.Result
	cigars  []uint32 // none with scores alone
}

// agreed is what the CPU engine and kernels have found of the pairs of a set: scores, negative
// where none has found one, and alignments, nil where there is none.
type agreed struct {
	scores []int32
	cigars [][]uint32
}

// agreedByCPU has what the CPU engine finds of the first pairs, few if they are long.
func agreedByCPU(tb testing.TB, o align.Options, pairs []align.Pair) *agreed {
	a := &agreed{scores: slices.Repeat([]int32{-1}, len(pairs)), cigars: make([][]uint32, len(pairs))}
	cpu, err := align.NewAligner(o)
	if err != nil {
		tb.Fatal(err)
	}
	letters := len(pairs[0].Text)
	if letters > 200_000 {
		return a // takes minutes
	}
	for i := range min(len(pairs), max(1, 30_000/letters)) {
		score, cigar, err := cpu.Align(pairs[i].Pattern, pairs[i].Text, nil)
		if err != nil {
			tb.Fatal(err)
		}
		a.scores[i] = int32(score)
		a.cigars[i] = slices.Clone(unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(cigar))), len(cigar)))
		if place := cpu.Place(); o.Span != align.Global {
			a.cigars[i] = append([]uint32{uint32(place.PatternBegin), uint32(place.TextBegin)}, a.cigars[i]...)
		}
	}
	return a
}

// add compares an outcome with what is agreed, adds to it what is new, and returns the number of
// pairs that the kernel certifies. A kernel may leave a pair without a score if its score is above
// the bound, or if it does not take the pair's own lengths, which are less alike than the set's.
func (a *agreed) add(o *outcome, bound int, takes func(at int) bool) (certified int, err error) {
	for i := range o.results {
		r := &o.results[i]
		switch {
		case r.Flags&^abi.FlagSlack != 0:
			return 0, fmt.Errorf("pair %d: flags %#x", i, r.Flags)
		case r.Score >= 0 && a.scores[i] >= 0 && r.Score != a.scores[i]:
			return 0, fmt.Errorf("pair %d: score %d, want %d", i, r.Score, a.scores[i])
		case r.Score < 0 && a.scores[i] >= 0 && int(a.scores[i]) <= bound && takes(i):
			return 0, fmt.Errorf("pair %d: no score, want %d", i, a.scores[i])
		case r.Score < 0:
			continue
		}
		certified++
		a.scores[i] = r.Score
		if o.cigars == nil {
			continue
		}
		c := o.cigars[r.Cigar : r.Cigar+r.CigarLength]
		if a.cigars[i] != nil && !slices.Equal(c, a.cigars[i]) {
			return 0, fmt.Errorf("pair %d: another alignment than the CPU engine's or another kernel's", i)
		}
		a.cigars[i] = c
	}
	return certified, nil
}

// A kernel fails by a wrong result, not by pairs that it does not certify.
func TestAgreed(t *testing.T) {
	pair := func(p, t string) align.Pair { return align.Pair{Pattern: []byte(p), Text: []byte(t)} }
	pairs := []align.Pair{pair("ACGT", "ACGT"), pair("ACGT", "ACTT"), pair("ACGT", "AC"), pair("ACGT", "ACGTA")}
	const bound = 5
	unequal := func(at int) bool { return len(pairs[at].Pattern) == len(pairs[at].Text) }
	elements := []uint32{4<<4 | 7, 2<<4 | 7, 1<<4 | 8, 1<<4 | 7, 2<<4 | 7, 2<<4 | 1}
	right := []abi.Result{{Score: 0, Cigar: 0, CigarLength: 1}, {Score: 2, Cigar: 1, CigarLength: 3}, {Score: 5, Cigar: 4, CigarLength: 2}, {Score: -1, Cigar: 6}}
	for name, tc := range map[string]struct {
		change    func(results []abi.Result)
		certified int // negative: an error
	}{
		"right":               {func([]abi.Result) {}, 3},
		"does not take it":    {func(r []abi.Result) { r[2] = abi.Result{Score: -1, Cigar: 7} }, 2},
		"takes it":            {func(r []abi.Result) { r[1] = abi.Result{Score: -1} }, -1},
		"another score":       {func(r []abi.Result) { r[1].Score = 4 }, -1},
		"another alignment":   {func(r []abi.Result) { r[1].Cigar++; r[1].CigarLength = 1 }, -1},
		"flags":               {func(r []abi.Result) { r[3].Flags = abi.FlagMemory }, -1},
		"no result":           {func(r []abi.Result) { r[0] = abi.Result{Score: -1, Flags: abi.UnreachedFlags} }, -1},
		"a score of the last": {func(r []abi.Result) { r[3] = abi.Result{Score: 4, CigarLength: 1} }, -1},
	} {
		a := agreedByCPU(t, align.Options{Penalties: align.DefaultPenalties}, pairs)
		results := slices.Clone(right)
		tc.change(results)
		certified, err := a.add(&outcome{results, elements}, bound, unequal)
		if tc.certified >= 0 && (err != nil || certified != tc.certified) || tc.certified < 0 && err == nil {
			t.Errorf("%s: %d certified, %v", name, certified, err)
		}
	}
}

// What one kernel finds is held against the next one.
func TestAgreedBetweenKernels(t *testing.T) {
	a := &agreed{scores: []int32{-1, -1}, cigars: make([][]uint32, 2)}
	all := func(int) bool { return true }
	first := &outcome{results: []abi.Result{{Score: 2}, {Score: -1}}}
	if n, err := a.add(first, 10, all); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	for _, results := range [][]abi.Result{{{Score: 3}, {Score: 9}}, {{Score: -1}, {Score: 9}}} {
		if n, err := a.add(&outcome{results: results}, 10, all); err == nil {
			t.Errorf("%+v: %d certified", results, n)
		}
	}
	if n, err := a.add(&outcome{results: []abi.Result{{Score: 2}, {Score: 9}}}, 10, all); n != 2 || err != nil {
		t.Error(n, err)
	}
	if n, err := a.add(first, 8, all); n != 1 || err != nil {
		t.Errorf("above the bound: %d certified, %v", n, err)
	}
}
