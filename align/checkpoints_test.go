package align_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/simulate"
	"wfagpu/cigar"
)

// TestCheckpointsAtUnequalLengths has costly gap extensions and diagonals that end early.
func TestCheckpointsAtUnequalLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 19))
	pairs := 1500
	if testing.Short() {
		pairs = 200
	}
	for _, p := range []align.Penalties{{Mismatch: 4, GapOpen: 5, GapExtend: 19}, {Mismatch: 1, GapOpen: 3, GapExtend: 12}, {Mismatch: 1, GapOpen: 11, GapExtend: 17}} {
		for _, level := range align.Levels() {
			a := newAligner(t, align.Options{Penalties: p, Level: level})
			for range pairs {
				pattern, text := letters(r, "AC", r.IntN(12)), letters(r, "AC", r.IntN(60))
				want, alignment := slowAlignment(pattern, text, p)
				for _, method := range []string{align.ByCheckpoints, align.ByFewCheckpoints} {
					score, c, _, err := align.AlignBy(a, method, pattern, text, want)
					if err != nil || score != want || !slices.Equal(c, alignment) {
						t.Fatalf("%s, %s, %v: score %d, %v (%v), want %d, %v, for %q against %q",
							level, method, p, score, c, err, want, alignment, pattern, text)
					}
				}
			}
		}
	}
}

// longGapCases are pairs with long gaps, segments that are replaced by others, repeats and Ns.
func longGapCases(seed uint64, n, longest int) (cases []aligntest.Case) {
	r := rand.New(rand.NewPCG(seed, 23))
	for i := range n {
		text := letters(r, "ACGT", longest/2+r.IntN(longest/2))
		if r.IntN(3) == 0 {
			at := r.IntN(len(text))
			text = slices.Concat(text[:at], bytes.Repeat([]byte("AAC"), r.IntN(longest/6)), text[at:])
		}
		pattern := edited(r, "ACGTN", text, []float64{0.01, 0.1, 0.3}[r.IntN(3)])
		var what []string
		for range 1 + r.IntN(3) {
			at, l := r.IntN(len(pattern)), r.IntN(longest/8)
			end := min(len(pattern), at+l)
			var between []byte
			switch r.IntN(4) {
			case 0:
				what = append(what, "deletion")
			case 1:
				what = append(what, "insertion")
				between, end = letters(r, "ACGT", l), at
			case 2:
				what = append(what, "replacement")
				between = letters(r, "ACGT", l)
			default:
				what = append(what, "no common letter")
				between = bytes.Repeat([]byte("R"), l)
			}
			pattern = slices.Concat(pattern[:at], between, pattern[end:])
		}
		c := aligntest.Case{Name: fmt.Sprintf("%v, seed %d, number %d", what, seed, i), Pattern: pattern, Text: text}
		if r.IntN(2) == 0 {
			c.Pattern, c.Text = c.Text, c.Pattern
		}
		cases = append(cases, c)
	}
	return cases
}

// TestCheckpointsOfLongPairs holds wavefronts with checkpoints, whose blocks are found on several
// levels, against those that store all rows.
func TestCheckpointsOfLongPairs(t *testing.T) {
	many := 12
	if testing.Short() {
		many = 3
	}
	penalties := append(unequalPenalties(), align.Penalties{Mismatch: 10, GapOpen: 12, GapExtend: 3})
	for i, p := range penalties {
		a := newAligner(t, align.Options{Penalties: p})
		for _, c := range longGapCases(uint64(i), many, 1500) {
			score, want, _, err := align.AlignBy(a, align.ByWavefronts, c.Pattern, c.Text, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range []string{align.ByCheckpoints, align.ByFewCheckpoints} {
				s, got, _, err := align.AlignBy(a, method, c.Pattern, c.Text, score)
				if err != nil || s != score || !slices.Equal(got, want) {
					t.Fatalf("%s at %v: score %d, %v (%v), want %d, %v, for %s", method, p, s, got, err, score, want, c.Name)
				}
			}
		}
	}
}

// TestWhateverTheMemory holds that memory, threads and neighbours have no influence on alignments.
func TestWhateverTheMemory(t *testing.T) {
	many, longest := 40, 6000
	if testing.Short() {
		many, longest = 8, 3000
	}
	for i, p := range []align.Penalties{align.DefaultPenalties, {Mismatch: 10, GapOpen: 12, GapExtend: 3}, {Mismatch: 1, GapOpen: 0, GapExtend: 1}} {
		cases := longGapCases(uint64(50+i), many, longest)
		var want *align.Batch
		for _, o := range []align.Options{
			{Threads: 1, Memory: 1 << 30}, {Threads: 4, Memory: 1 << 30},
			{Threads: 1, Memory: 1}, {Threads: 4, Memory: 1}, {Threads: 1, Memory: 1 << 20}, {Threads: 2, Memory: 4 << 20},
		} {
			o.Penalties = p
			e, err := align.New(o)
			if err != nil {
				t.Fatal(err)
			}
			b := aligntest.NewBatch(cases)
			if err := e.AlignBatch(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = b
			}
			for j, r := range b.Results {
				if w := want.Results[j]; r.Err != nil || r.Score != w.Score || !slices.Equal(r.CIGAR, w.CIGAR) {
					t.Fatalf("%+v: score %d, %v (%v), want %d, %v, for %s", o, r.Score, r.CIGAR, r.Err, w.Score, w.CIGAR, cases[j].Name)
				}
			}
			if s := e.Stats(); o.Memory == 1 && s.Checkpointed < int64(many/2) {
				t.Errorf("%+v: %+v", o, s)
			}
		}
	}
}

// TestLittleMemory holds that pairs above the memory bound are aligned with checkpoints, on every
// code path, and as those with plenty of memory.
func TestLittleMemory(t *testing.T) {
	patterns, texts := simulated(t, 4, simulate.Options{Length: 2500, ErrorRate: 0.15, Seed: 3})
	for _, level := range align.Levels() {
		e, err := align.New(align.Options{Level: level, Memory: 1, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		b := &align.Batch{}
		for i := range patterns {
			b.Pairs = append(b.Pairs, align.Pair{Pattern: patterns[i], Text: texts[i]})
		}
		if err := e.AlignBatch(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for i, r := range b.Results {
			if want := aligntest.BandedScore(patterns[i], texts[i], align.DefaultPenalties); r.Err != nil || r.Score != want {
				t.Errorf("%s: score %d, error %v, want %d", level, r.Score, r.Err, want)
			}
			if err := aligntest.Check(patterns[i], texts[i], align.DefaultPenalties, r); err != nil {
				t.Errorf("%s: %v", level, err)
			}
		}
		if s := e.Stats(); s.Checkpointed != int64(len(patterns)) {
			t.Errorf("%s: %+v, want %d pairs with checkpoints", level, s, len(patterns))
		}
	}
}

// Bounded memory is kept, as long as it holds a few states, and has no influence on the alignment.
func TestCheckpointMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 19))
	text := letters(r, "ACGT", 8000)
	pattern := edited(r, "ACGT", text, 0.2)
	var want cigar.CIGAR
	for _, memory := range []int{1 << 30, 16 << 20, 4 << 20, 2 << 20} {
		a := newAligner(t, align.Options{Memory: memory, Level: align.LevelGo})
		_, c, err := a.Align(pattern, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = slices.Clone(c)
		}
		stored, states := align.CheckpointStorage(a)
		if stored > memory || !slices.Equal(c, want) || (states > 0) != (memory < 1<<30) {
			t.Errorf("memory %d: %d bytes and %d states stored, %v, want %v", memory, stored, states, c, want)
		}
		t.Logf("memory %d: %d bytes, %d states", memory, stored, states)
	}
}
