package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/cigar"
)

// cost is the lower of the scheme's costs of a gap, doubled.
func (s scheme) cost(k int) int {
	cost := 2*s.gap.open + k*int(2*s.gap.extend)
	if s.longer != nil {
		cost = min(cost, 2*s.longer.open+k*int(2*s.longer.extend))
	}
	return cost
}

// best is the largest doubled score of a global alignment: a dynamic program over
// cells that tries every gap, with the other program's numbers alone.
func (s scheme) best(query, target string) int {
	n, m := len(query), len(target)
	h := make([][]int, n+1)
	for i := range h {
		h[i] = make([]int, m+1)
		for j := range h[i] {
			if i == 0 && j == 0 {
				continue
			}
			v := math.MinInt
			if i > 0 && j > 0 {
				step := -2 * s.mismatch
				if query[i-1] == target[j-1] {
					step = 2 * s.match
				}
				v = h[i-1][j-1] + step
			}
			for k := 1; k <= i; k++ {
				v = max(v, h[i-k][j]-s.cost(k))
			}
			for k := 1; k <= j; k++ {
				v = max(v, h[i][j-k]-s.cost(k))
			}
			h[i][j] = v
		}
	}
	return h[n][m]
}

// score is the doubled score of an alignment, and its longest gap.
func (s scheme) score(c cigar.CIGAR) (score, longest int) {
	for _, e := range c {
		switch e.Op() {
		case cigar.Match:
			score += 2 * s.match * e.Len()
		case cigar.Mismatch:
			score -= 2 * s.mismatch * e.Len()
		default:
			score -= s.cost(e.Len())
			longest = max(longest, e.Len())
		}
	}
	return score, longest
}

// schemePairs are unrelated and related pairs, some with a long gap.
func schemePairs() [][2]string {
	rng := rand.New(rand.NewPCG(7, 16))
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ACGT"[rng.IntN(4)]
		}
		return string(b)
	}
	var pairs [][2]string
	for range 40 {
		pairs = append(pairs, [2]string{random(rng.IntN(30)), random(rng.IntN(30))})
		target := random(20 + rng.IntN(50))
		query := []byte(target)
		for range rng.IntN(8) {
			query[rng.IntN(len(query))] = "ACGT"[rng.IntN(4)]
		}
		at := rng.IntN(len(query))
		gap := min(rng.IntN(45), len(query)-at)
		pairs = append(pairs, [2]string{string(query[:at]) + string(query[at+gap:]), target})
	}
	return pairs
}

// Every row of the table: the alignments of these penalties have the best score of the
// other program, which follows from the penalty.
func TestSchemePenalties(t *testing.T) {
	for _, s := range schemes {
		one := s
		one.longer = nil
		testScheme(t, one)
		if s.longer != nil {
			one.gap = *s.longer
			testScheme(t, one)
			testTwoPieces(t, s)
		}
	}
}

func testScheme(t *testing.T, s scheme) {
	t.Helper()
	p, d := s.penalties(s.gap)
	alignPairs(t, p, func(query, target string, score int, c cigar.CIGAR) {
		want := s.best(query, target)
		if got, _ := s.score(c); got != want {
			t.Errorf("%s, %s: -g %v aligns %q with %q at twice the score %d, the best is %d", s.program, s.preset, p, query, target, got, want)
		}
		if got := s.match*(len(query)+len(target)) - d*score; got != want {
			t.Errorf("%s, %s: -g %v gives twice the score %d for %q and %q, the best is %d", s.program, s.preset, p, got, query, target, want)
		}
	})
}

// The penalties of short gaps give the score of two pieces where gaps are short, and
// less where one is longer.
func testTwoPieces(t *testing.T, s scheme) {
	t.Helper()
	p, d := s.penalties(s.gap)
	short, long := 0, 0
	alignPairs(t, p, func(query, target string, score int, c cigar.CIGAR) {
		ours := s.match*(len(query)+len(target)) - d*score
		theirs, gap := s.score(c)
		switch {
		case gap <= s.shortGaps():
			short++
			if ours != theirs {
				t.Errorf("%s, %s: twice the score is %d, not %d, with gaps of up to %d", s.program, s.preset, theirs, ours, gap)
			}
		default:
			long++
			if ours >= theirs {
				t.Errorf("%s, %s: twice the score is %d, not above %d, with a gap of %d", s.program, s.preset, theirs, ours, gap)
			}
		}
	})
	if short < 5 || long < 5 {
		t.Errorf("%s, %s: %d alignments with short gaps alone, %d with longer ones", s.program, s.preset, short, long)
	}
}

func alignPairs(t *testing.T, p align.Penalties, each func(query, target string, score int, c cigar.CIGAR)) {
	t.Helper()
	a, err := align.NewAligner(align.Options{Penalties: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range schemePairs() {
		score, c, err := a.Align([]byte(pair[0]), []byte(pair[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		each(pair[0], pair[1], score, c)
	}
}

// The help and the man page have the table with the numbers worked out by hand.
func TestSchemeTable(t *testing.T) {
	out := runOn(t, noGPUs, "", "help", "penalties")
	_, _, pages := manPages(t)
	page := strings.NewReplacer(`\-`, "-", `\&`, "").Replace(pages["wfagpu-align.1"])
	if out.code != exitOK {
		t.Errorf("exit code %d", out.code)
	}
	for _, row := range []string{
		"minimap2 default, map-ont 2 4 4 2 6,4,3 L - s",
		"gaps longer than 20 24 1 3,12,1 L - 2s",
		"minimap2 map-hifi, asm20 1 4 6 2 10,12,5 (L - s)/2",
		"gaps longer than 20 26 1 10,52,3 (L - s)/2",
		"minimap2 asm10 1 9 16 2 20,32,5 (L - s)/2",
		"gaps longer than 25 41 1 20,82,3 (L - s)/2",
		"minimap2 asm5 1 19 39 3 40,78,7 (L - s)/2",
		"gaps longer than 21 81 1 40,162,3 (L - s)/2",
		"minimap2 sr 2 8 12 2 10,12,3 L - s",
		"gaps longer than 20 32 1 5,16,1 L - 2s",
		"bwa mem default 1 4 6 1 10,12,3 (L - s)/2",
		"blastn default, megablast 1 2 0 2.5 1,0,1 (L - 6s)/2",
		"blastn blastn, dc-megablast 2 3 5 2 5,5,3 L - s",
		"blastn blastn-short 1 3 5 2 8,10,5 (L - s)/2",
		"WFA2-lib default 0 4 6 2 4,6,2 -s",
	} {
		for name, text := range map[string]string{"the help": out.stdout, "the man page": page} {
			found := false
			for line := range strings.Lines(text) {
				found = found || strings.Join(strings.Fields(line), " ") == row
			}
			if !found {
				t.Errorf("%s lacks %q in\n%s", name, row, text)
			}
		}
	}
}
