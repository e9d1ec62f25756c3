package align_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/cigar"
)

// slowAlignment is the package comment's rule word for word, over the costs of all cells.
func slowAlignment(pattern, text []byte, p align.Penalties) (score int, c cigar.CIGAR) {
	const inf = 1 << 30
	n, m := len(pattern), len(text)
	cost, ins, del := make([][]int, n+1), make([][]int, n+1), make([][]int, n+1)
	equal := func(v, h int) bool { return cigar.Canonical[pattern[v-1]] == cigar.Canonical[text[h-1]] }
	for v := range cost {
		cost[v], ins[v], del[v] = make([]int, m+1), make([]int, m+1), make([]int, m+1)
		for h := range cost[v] {
			best, i, d := inf, inf, inf
			if v == 0 && h == 0 {
				best = 0
			}
			if v > 0 {
				i = min(ins[v-1][h], cost[v-1][h]+p.GapOpen) + p.GapExtend
			}
			if h > 0 {
				d = min(del[v][h-1], cost[v][h-1]+p.GapOpen) + p.GapExtend
			}
			if v > 0 && h > 0 {
				best = cost[v-1][h-1]
				if !equal(v, h) {
					best += p.Mismatch
				}
			}
			cost[v][h], ins[v][h], del[v][h] = min(best, i, d), i, d
		}
	}
	v, h := n, m
	for v > 0 || h > 0 {
		if v > 0 && h > 0 && equal(v, h) {
			c, v, h = c.Append(cigar.Match, 1), v-1, h-1
			continue
		}
		if v > 0 && h > 0 && cost[v-1][h-1]+p.Mismatch == cost[v][h] {
			c, v, h = c.Append(cigar.Mismatch, 1), v-1, h-1
			continue
		}
		for l := 1; ; l++ {
			if l <= v && cost[v-l][h]+p.Gap(l) == cost[v][h] {
				c, v = c.Append(cigar.Ins, l), v-l
				break
			}
			if l <= h && cost[v][h-l]+p.Gap(l) == cost[v][h] {
				c, h = c.Append(cigar.Del, l), h-l
				break
			}
		}
	}
	c.Reverse()
	return cost[n][m], c
}

// tiePenalties make different steps cost the same.
func tiePenalties() []align.Penalties {
	return []align.Penalties{
		{Mismatch: 2, GapOpen: 3, GapExtend: 1},
		{Mismatch: 4, GapOpen: 6, GapExtend: 2},
		{Mismatch: 2, GapOpen: 0, GapExtend: 1}, // a mismatch is an insertion and a deletion
		{Mismatch: 4, GapOpen: 1, GapExtend: 1},
		{Mismatch: 1, GapOpen: 0, GapExtend: 1},
		{Mismatch: 6, GapOpen: 0, GapExtend: 1},
		{Mismatch: 3, GapOpen: 1, GapExtend: 4},
		{Mismatch: 5, GapOpen: 3, GapExtend: 2},
	}
}

// tieCases are pairs with many optimal alignments: repeats of short units that differ in number,
// in phase or by scattered letters, gaps of up to half the length, and segments without a common
// letter, which are an insertion and a deletion of the same length.
func tieCases(seed uint64, n int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 9))
	for i := range n {
		unit := []string{"A", "AC", "AAC", "ACGT", "AACAC"}[r.IntN(5)]
		text := []byte(strings.Repeat(unit, (10+r.IntN(120))/len(unit)+1))
		pattern := slices.Clone(text[r.IntN(len(unit)):])
		for range r.IntN(6) {
			pattern[r.IntN(len(pattern))] = "ACGT"[r.IntN(4)]
		}
		at := r.IntN(len(pattern))
		pattern = slices.Delete(pattern, at, at+r.IntN((len(pattern)-at)/2+1))
		if r.IntN(2) == 0 {
			pattern, text = text, pattern
		}
		cases = append(cases, aligntest.Case{Name: fmt.Sprintf("ties, seed %d, number %d", seed, i), Pattern: pattern, Text: text})
	}
	for i := range n {
		text := []byte(strings.Repeat("ACAAC", 3+r.IntN(20)))
		at, l := r.IntN(len(text)), 1+r.IntN(60)
		between := func(letter string) []byte {
			return slices.Concat(text[:at], []byte(strings.Repeat(letter, l)), text[at:])
		}
		cases = append(cases, aligntest.Case{
			Name:    fmt.Sprintf("segments without a common letter, seed %d, number %d", seed, i),
			Pattern: between("G"), Text: between("T"),
		})
	}
	return append(cases, aligntest.RandomCases(seed+100, n, 130)...)
}

// TestReportedAlignment holds every method on every code path to the rule for which alignment is
// reported.
func TestReportedAlignment(t *testing.T) {
	many := 60
	if testing.Short() {
		many = 20
	}
	for _, level := range align.Levels() {
		t.Run(string(level), func(t *testing.T) {
			finished := map[string]int{}
			for i, p := range tiePenalties() {
				a := newAligner(t, align.Options{Penalties: p, Level: level})
				for _, c := range tieCases(uint64(i), many) {
					score, want := slowAlignment(c.Pattern, c.Text, p)
					for _, method := range align.Methods(a) {
						s, got, ok, err := align.AlignBy(a, method, c.Pattern, c.Text, score)
						if err != nil {
							t.Fatalf("%s at %v: %v, for %s\n%q\n%q", method, p, err, c.Name, c.Pattern, c.Text)
						}
						if !ok {
							continue
						}
						finished[method]++
						err = aligntest.Check(c.Pattern, c.Text, p, align.Result{Score: s, CIGAR: got})
						if err != nil || s != score || !slices.Equal(got, want) {
							t.Fatalf("%s at %v: score %d, %v (%v), want %d, %v, for %s\n%q\n%q",
								method, p, s, got, err, score, want, c.Name, c.Pattern, c.Text)
						}
					}
				}
			}
			t.Log(finished)
			for _, method := range align.Methods(newAligner(t, align.Options{Level: level})) {
				least := 8 * many
				if method == align.ByPlanes || method == align.ByGroup && level == align.LevelGo { // two penalties, four letters
					least = 4 * many
				}
				if finished[method] < least {
					t.Errorf("%s aligned only %d pairs", method, finished[method])
				}
			}
		})
	}
}
