package align_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/cigar"
)

func letters(r *rand.Rand, alphabet string, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = alphabet[r.IntN(len(alphabet))]
	}
	return s
}

// edited returns s with substitutions, insertions and deletions at a rate.
func edited(r *rand.Rand, alphabet string, s []byte, rate float64) []byte {
	var e []byte
	for _, c := range s {
		if r.Float64() >= rate {
			e = append(e, c)
			continue
		}
		switch r.IntN(3) {
		case 0:
			e = append(e, letters(r, alphabet, 1)[0])
		case 1:
			e = append(e, c)
			e = append(e, letters(r, alphabet, 1+r.IntN(4))...)
		}
	}
	return e
}

// unequalCases are pairs whose lengths have a ratio of 2 to 1000: the shorter sequence lacks one
// stretch or several of the longer, anywhere, or is unrelated; letters are random or repeats.
func unequalCases(seed uint64, n, longest int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 15))
	for i := range n {
		alphabet := []string{"ACGT", "ACGT", "AC", "A"}[r.IntN(4)]
		short := 1 + r.IntN(1+r.IntN(150))
		m := min(longest, short*(2+r.IntN(1+r.IntN(999))))
		long := letters(r, alphabet, m)
		if r.IntN(4) == 0 {
			unit := []string{"A", "AC", "AACAC"}[r.IntN(3)]
			long = []byte(strings.Repeat(unit, m))[:m]
		}
		var s []byte
		what := []string{"at the start", "inside", "at the end", "in two", "in pieces", "unrelated"}[r.IntN(6)]
		switch what {
		case "at the start":
			s = bytes.Clone(long[:short])
		case "inside":
			at := r.IntN(m - short + 1)
			s = bytes.Clone(long[at : at+short])
		case "at the end":
			s = bytes.Clone(long[m-short:])
		case "in two":
			at := r.IntN(short + 1)
			s = slices.Concat(long[:at], long[m-short+at:])
		case "in pieces":
			for len(s) < short {
				at, l := r.IntN(m), 1+r.IntN(30)
				s = append(s, long[at:min(m, at+l)]...)
			}
		default:
			s = letters(r, "ACGT", short)
		}
		s = edited(r, alphabet, s, []float64{0, 0.02, 0.2}[r.IntN(3)])
		c := aligntest.Case{Name: fmt.Sprintf("%s, seed %d, number %d", what, seed, i), Pattern: s, Text: long}
		if r.IntN(2) == 0 {
			c.Pattern, c.Text = c.Text, c.Pattern
		}
		cases = append(cases, c)
	}
	return cases
}

// unequalPenalties make the pairs below dear for the other methods, or reach far back.
func unequalPenalties() []align.Penalties {
	return append(tiePenalties(),
		align.Penalties{Mismatch: 2, GapOpen: 0, GapExtend: 255},
		align.Penalties{Mismatch: 1, GapOpen: 40, GapExtend: 1},
		align.Penalties{Mismatch: 50, GapOpen: 1, GapExtend: 1},
		align.Penalties{Mismatch: 7, GapOpen: 5, GapExtend: 20},
	)
}

// TestUnequalPairs holds unequal pairs, at several memory bounds, to the rule for which alignment
// is reported, by each method for them and by the one that is chosen.
func TestUnequalPairs(t *testing.T) {
	many, longest := 20, 4000
	if testing.Short() {
		many = 6
	}
	for i, p := range unequalPenalties() {
		cases := unequalCases(uint64(i), many, longest)
		type result struct {
			score int
			c     cigar.CIGAR
		}
		want := make([]result, len(cases))
		for j, c := range cases {
			want[j].score, want[j].c = slowAlignment(c.Pattern, c.Text, p)
		}
		chosen, asked := 0, 0
		for _, level := range align.Levels() {
			for _, memory := range []int{0, 1 << 20, 64 << 10, 1} {
				o := align.Options{Penalties: p, Level: level, Memory: memory}
				a := newAligner(t, o)
				o.ScoreOnly = true
				scores := newAligner(t, o)
				for j, c := range cases {
					check := func(how string, s int, got cigar.CIGAR, err error) {
						t.Helper()
						if err != nil || s != want[j].score || !slices.Equal(got, want[j].c) {
							t.Fatalf("%s, %s at %v, memory %d: score %d, %v (%v), want %d, %v, for %s\n%q\n%q",
								how, level, p, memory, s, got, err, want[j].score, want[j].c, c.Name, c.Pattern, c.Text)
						}
					}
					for _, method := range []string{align.ByMatrix, align.ByDirected, align.ByDirectedParts} {
						s, got, _, err := align.AlignBy(a, method, c.Pattern, c.Text, want[j].score)
						check(method, s, got, err)
						s, _, _, err = align.AlignBy(scores, method, c.Pattern, c.Text, want[j].score)
						check(method+", score only", s, want[j].c, err)
					}
					s, got, ok, err := align.AlignUnequal(a, c.Pattern, c.Text)
					if asked++; ok {
						chosen++
						check("chosen", s, got, err)
					}
					s, got, err = a.Align(c.Pattern, c.Text, nil)
					check("by Align", s, got, err)
					s, _, err = scores.Align(c.Pattern, c.Text, nil)
					check("chosen, score only", s, want[j].c, err)
				}
			}
		}
		// At 1,0,1 edit distance costs less for nearly all of them.
		if p != align.EditPenalties && 2*chosen < asked {
			t.Errorf("%v: %d of %d times by the methods for unequal pairs", p, chosen, asked)
		}
	}
}

// Long pairs whose optimum is the gap between their lengths, which no alignment goes below, and
// others that are checked by their CIGARs, end soon and within the memory bound.
func TestUnequalLongPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 15))
	long := letters(r, "ACGT", 1_000_000)
	cut := slices.Concat(long[:10_000], long[110_000:120_000])
	gap := align.DefaultPenalties.Gap
	for _, c := range []struct {
		name          string
		pattern, text []byte
		score         int // 0 where unknown
	}{
		{"empty", nil, long[:200_000], gap(200_000)},
		{"one base", long[:1], long, gap(1_000_000 - 1)},
		{"100 bases", edited(r, "ACGT", long[500_000:500_100], 0.02), long, 0},
		{"a deletion of 100 kbp", cut, long[:120_000], gap(100_000)},
		{"a deletion of 100 kbp and errors", edited(r, "ACGT", cut, 0.005), long[:120_000], 0},
		{"homopolymers", bytes.Repeat([]byte("A"), 200_000), bytes.Repeat([]byte("A"), 100_000), gap(100_000)},
	} {
		if testing.Short() && c.score == 0 {
			continue
		}
		for _, swap := range []bool{false, true} {
			pattern, text := c.pattern, c.text
			if swap {
				pattern, text = text, pattern
			}
			a := newAligner(t, align.Options{})
			start := time.Now()
			s, cg, err := a.Align(pattern, text, nil)
			took := time.Since(start)
			if err == nil {
				err = aligntest.Check(pattern, text, align.DefaultPenalties, align.Result{Score: s, CIGAR: cg})
			}
			if err != nil || c.score != 0 && s != c.score {
				t.Errorf("%s, swapped %t: score %d, want %d, %v", c.name, swap, s, c.score, err)
			}
			// Nothing is stored by other methods, which would take minutes, nor for an
			// empty side.
			stored := align.UnequalStorage(a)
			if stored > align.DefaultMemory || stored == 0 && len(c.pattern) > 0 {
				t.Errorf("%s, swapped %t: %d bytes stored", c.name, swap, stored)
			}
			t.Logf("%s, swapped %t: score %d in %v, %d bytes stored", c.name, swap, s, took, align.UnequalStorage(a))
		}
	}
}

// Bounded memory is kept, as long as it holds a few lines.
func TestUnequalMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 15))
	long := letters(r, "ACGT", 60_000)
	short := edited(r, "ACGT", slices.Concat(long[3000:3050], long[9000:9050]), 0.1)
	var want cigar.CIGAR
	for _, memory := range []int{64 << 20, 8 << 20, 1 << 20, 256 << 10, 64 << 10} {
		a := newAligner(t, align.Options{Memory: memory})
		_, c, ok, err := align.AlignUnequal(a, short, long)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = slices.Clone(c)
		}
		if stored := align.UnequalStorage(a); !ok || stored > memory || !slices.Equal(c, want) {
			t.Errorf("memory %d: %d bytes stored, %v, want %v", memory, stored, c, want)
		}
	}
}

// An empty side is one gap, in every mode.
func TestEmptySide(t *testing.T) {
	text := bytes.Repeat([]byte("ACGT"), 25_000)
	n := len(text)
	for _, o := range []align.Options{
		{}, {ScoreOnly: true}, {Approx: &align.Approx{}}, {Approx: &align.Approx{}, ScoreOnly: true}, {Memory: 1},
		{Penalties: align.Penalties{Mismatch: 4, GapOpen: 6, GapExtend: 2}},
	} {
		a := newAligner(t, o)
		p := o.Penalties
		if p == (align.Penalties{}) {
			p = align.DefaultPenalties
		}
		for _, c := range []struct {
			pattern, text []byte
			score         int
			want          string
		}{
			{nil, text, p.Gap(n), fmt.Sprintf("%dD", n)},
			{text, nil, p.Gap(n), fmt.Sprintf("%dI", n)},
			{nil, nil, 0, "*"},
		} {
			if o.ScoreOnly {
				c.want = "*"
			}
			s, got, err := a.Align(c.pattern, c.text, nil)
			if err != nil || s != c.score || got.String() != c.want {
				t.Errorf("%+v, %d and %d letters: %d, %v, %v", o, len(c.pattern), len(c.text), s, got, err)
			}
		}
		if _, _, err := a.Align(nil, []byte{'A', 0}, nil); !errors.Is(err, align.ErrLetter) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A long unequal pair stops when it is told to, in the traceback as well.
func TestUnequalCancelled(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 15))
	pattern, text := letters(r, "ACGT", 4000), letters(r, "ACGT", 60_000)
	e, err := align.New(align.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{time.Millisecond, 30 * time.Millisecond, 300 * time.Millisecond, 600 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		start := time.Now()
		err := e.AlignBatch(ctx, &align.Batch{Pairs: []align.Pair{{Pattern: pattern, Text: text}}})
		cancel()
		took := time.Since(start)
		if err == nil {
			break // faster than that
		}
		if !errors.Is(err, context.DeadlineExceeded) || took > after+time.Second {
			t.Errorf("after %v: %v in %v", after, err, took)
		}
	}
}
