package align_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
)

// editCases are pairs around the edges of strips, stages and vectors, of distances around those
// of words, and of all kinds of letters.
func editCases(r *rand.Rand, edges []int) (cases []aligntest.Case) {
	add := func(pattern, text []byte, what string, a ...any) {
		cases = append(cases, aligntest.Case{Name: fmt.Sprintf(what, a...), Pattern: pattern, Text: text})
	}
	for _, n := range edges {
		for _, m := range []int{n, n + 1, max(1, n-1), n + 64, 2*n + 1, 1 + r.IntN(2*n)} {
			text := letters(r, "ACGT", m)
			add(letters(r, "ACGT", n), text, "unrelated, %d and %d", n, m)
			add(text[m-min(n, m):], text, "the end of the text, %d of %d", n, m)
			add(text[:min(n, m)], text, "the start of the text, %d of %d", n, m)
			for _, alphabet := range []string{"ACGT", "ACGTN", "A", "acgtunRYK"} {
				text := letters(r, alphabet, m)
				pattern := edited(r, alphabet, text, r.Float64()/4)
				add(append(pattern, 'A'), text, "edited, %s, %d", alphabet, m)
				add(text, append(pattern, 'A'), "the other way round, %s, %d", alphabet, m)
			}
		}
		for _, d := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129} {
			if d > n {
				break
			}
			text := letters(r, "ACGT", n)
			pattern := bytes.Clone(text)
			for _, i := range r.Perm(n)[:d] {
				pattern[i] = 'N'
			}
			add(pattern, text, "%d letters, %d of them N", n, d)
			add(slices.Concat(text[:n/2], bytes.Repeat([]byte{'N'}, d), text[n/2:]), text, "%d letters, a gap of %d", n, d)
		}
	}
	return cases
}

// TestEdit holds what edit distance keeps for the traceback, on all code paths, to the rule for
// which alignment is reported, with bounds from the distance up.
func TestEdit(t *testing.T) {
	edges := []int{1, 2, 63, 64, 65, 127, 128, 129, 257}
	if testing.Short() {
		edges = []int{1, 63, 64, 65, 129}
	}
	r := rand.New(rand.NewPCG(31, 1))
	narrow := 0
	for _, c := range editCases(r, edges) {
		score, want := slowAlignment(c.Pattern, c.Text, align.EditPenalties)
		bounds := []int{score, score + r.IntN(100), len(c.Pattern) + len(c.Text)}
		for _, level := range align.Levels() {
			a := newAligner(t, align.Options{Penalties: align.EditPenalties, Level: level})
			if slices.Contains(align.Methods(a), align.ByEditNarrow) {
				s, got, ok, err := align.AlignBy(a, align.ByEditNarrow, c.Pattern, c.Text, score)
				if err != nil || ok && (s != score || !slices.Equal(got, want)) {
					t.Fatalf("%s: %d, %v, %v, want %d, %v, for %s\n%q\n%q", level, s, got, err, score, want, c.Name, c.Pattern, c.Text)
				}
				if ok {
					narrow++
				}
			}
			for _, method := range align.EditMethods() {
				for _, bound := range bounds {
					s, got, ok, err := align.AlignEdit(a, method, c.Pattern, c.Text, bound)
					if err != nil || !ok || s != score || !slices.Equal(got, want) {
						t.Fatalf("%s, %s, bound %d: %d, %v, %v, %v, want %d, %v, for %s\n%q\n%q",
							level, method, bound, s, got, ok, err, score, want, c.Name, c.Pattern, c.Text)
					}
				}
				for _, bound := range []int{score - 1, score / 2, r.IntN(score + 1)} {
					if bound < 0 || bound >= score {
						continue
					}
					if s, _, ok, _ := align.AlignEdit(a, method, c.Pattern, c.Text, bound); ok && s < score {
						t.Fatalf("%s, %s, bound %d: %d, want no less than %d, for %s\n%q\n%q",
							level, method, bound, s, score, c.Name, c.Pattern, c.Text)
					}
				}
			}
		}
	}
	if slices.Contains(align.Levels(), align.LevelAVX512) && narrow < 100 {
		t.Errorf("%s aligned only %d pairs", align.ByEditNarrow, narrow)
	}
}

// FuzzEdit holds edit distance on all code paths, with any bound, to the rule for which alignment
// is reported.
func FuzzEdit(f *testing.F) {
	f.Add([]byte("GATTACA"), []byte("GCATGCU"), byte(0))
	f.Add([]byte(strings.Repeat("ACGTN", 26)), []byte(strings.Repeat("ACGNT", 27)), byte(3))
	f.Add([]byte(strings.Repeat("A", 64)), []byte(strings.Repeat("A", 193)), byte(1))
	f.Fuzz(func(t *testing.T, pattern, text []byte, more byte) {
		const most = 400
		pattern, text = pattern[:min(len(pattern), most)], text[:min(len(text), most)]
		if len(pattern) == 0 || len(text) == 0 || slices.Contains(pattern, 0) || slices.Contains(text, 0) ||
			slices.Contains(pattern, 0xff) || slices.Contains(text, 0xff) {
			t.Skip("an empty side is one gap, and 0x00 and 0xff are not letters")
		}
		score, want := slowAlignment(pattern, text, align.EditPenalties)
		for _, level := range align.Levels() {
			a := newAligner(t, align.Options{Penalties: align.EditPenalties, Level: level})
			for _, method := range align.EditMethods() {
				s, c, ok, err := align.AlignEdit(a, method, pattern, text, score+int(more))
				if err != nil || ok && (s != score || !slices.Equal(c, want)) {
					t.Fatalf("%s, %s: %d, %v, %v, want %d, %v", level, method, s, c, err, score, want)
				}
			}
			if s, c, err := a.Align(pattern, text, nil); err != nil || s != score || !slices.Equal(c, want) {
				t.Fatalf("%s: %d, %v, %v, want %d, %v", level, s, c, err, score, want)
			}
		}
	})
}

// TestEditLong compares alignments with those of wavefronts.
func TestEditLong(t *testing.T) {
	sets := []simulate.Options{
		{Length: 1000, ErrorRate: 0.05}, {Length: 1500, ErrorRate: 0.3}, {Length: 3000, ErrorRate: 0.1},
		{Length: 4097, ErrorRate: 0.2}, {Length: 5000, ErrorRate: 0.06, Model: simulate.Bursts},
	}
	if testing.Short() {
		sets = sets[:3]
	}
	for i, o := range sets {
		o.Seed = uint64(70 + i)
		patterns, texts := simulated(t, 1, o)
		for j := range patterns {
			for k, pair := range [][2][]byte{{patterns[j], texts[j]}, {patterns[j][o.Length/3:], texts[j]}, {patterns[j], texts[j][:o.Length/2]}} {
				var score int
				var want string
				for _, level := range align.Levels() {
					a := newAligner(t, align.Options{Penalties: align.EditPenalties, Level: level})
					for _, method := range append([]string{align.ByWavefronts}, align.EditMethods()...) {
						s, c, ok, err := align.AlignBy(a, method, pair[0], pair[1], score)
						if err != nil || !ok {
							t.Fatalf("%s, %s: %v, %v, for pair %d of %+v, part %d", level, method, ok, err, j, o, k)
						}
						if want == "" {
							score, want = s, c.String()
						}
						if s != score || c.String() != want {
							t.Fatalf("%s, %s: %d, %s, want %d, %s, for pair %d of %+v, part %d", level, method, s, c, score, want, j, o, k)
						}
					}
				}
			}
		}
	}
}

// TestEditLetters: pairs with more kinds of letters than edit distance can tell apart are left to
// other methods, all others are not.
func TestEditLetters(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		ok            bool
	}{
		{"ACGT", "acgu", true},
		{"ACGTNRYK", "ACGTNRYK", true},
		{"ACGTNRY", "ACGTNRYKMSWBDHV", true},
		{"ACGTNRYK", "ACGTNRYKM", false},
		{"ACGTNRYKM", "ACGT", false},
		{"ABCDEFGHIJ", "A", false},
		{"@P0", "A", true},
	} {
		for _, level := range align.Levels() {
			a := newAligner(t, align.Options{Penalties: align.EditPenalties, Level: level})
			for _, n := range []int{1, 9, 20} {
				p, x := []byte(strings.Repeat(c.pattern, n)), []byte(strings.Repeat(c.text, n))
				want, wantC := slowAlignment(p, x, align.EditPenalties)
				s, got, ok, err := align.AlignEdit(a, align.ByEditCells, p, x, want)
				if err != nil || ok != c.ok || ok && (s != want || !slices.Equal(got, wantC)) {
					t.Errorf("%s: %d, %v, %v, %v, want %d, %v, %v, for %s and %s", level, s, got, ok, err, want, wantC, c.ok, p, x)
				}
				s, got, err = a.Align(p, x, nil)
				if err != nil || s != want || !slices.Equal(got, wantC) {
					t.Errorf("%s: %d, %v, %v, want %d, %v, for %s and %s", level, s, got, err, want, wantC, p, x)
				}
			}
		}
	}
}

// TestEditMemory: with less memory the alignments are the same, and the storage is in bounds.
func TestEditMemory(t *testing.T) {
	patterns, texts := simulated(t, 2, simulate.Options{Length: 20_000, ErrorRate: 0.08, Seed: 5})
	for _, level := range align.Levels() {
		var want []string
		for _, memory := range []int{0, 400 << 10, 100 << 10, 1} {
			a := newAligner(t, align.Options{Penalties: align.EditPenalties, Level: level, Memory: memory})
			for i := range patterns {
				_, c, err := a.Align(patterns[i], texts[i], nil)
				if err != nil {
					t.Fatal(err)
				}
				if memory == 0 {
					want = append(want, c.String())
				}
				if c.String() != want[i] {
					t.Errorf("%s, memory %d: pair %d differs", level, memory, i)
				}
			}
			stored, states := align.EditStorage(a)
			if memory > 0 && stored > memory {
				t.Errorf("%s, memory %d: %d bytes are stored", level, memory, stored)
			}
			if (memory == 100<<10) != (states > 0) {
				t.Errorf("%s, memory %d: %d states", level, memory, states)
			}
		}
	}
}
