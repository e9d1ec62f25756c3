package aligntest_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

func newEngine(t testing.TB, o align.Options) aligntest.Engine {
	t.Helper()
	e, err := align.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Every code path that this machine runs meets the contract.
func TestEngine(t *testing.T) {
	for _, level := range []align.Level{align.LevelAVX512, align.LevelAVX2, align.LevelGo} {
		t.Run(string(level), func(t *testing.T) {
			if !slices.Contains(align.Levels(), level) {
				t.Skipf("this machine does not run the %s code path", level)
			}
			aligntest.Run(t, func(t testing.TB, o align.Options) aligntest.Engine {
				o.Level = level
				return newEngine(t, o)
			})
		})
	}
}

// All code paths give the same bytes, and the same scores where a pair exceeds the memory bound.
func TestLevelsAgree(t *testing.T) {
	if len(align.Levels()) == 1 {
		t.Skip("this machine runs one code path alone: there is nothing to compare")
	}
	cases := aligntest.EdgeCases()
	many := 2000
	if testing.Short() {
		many = 400
	}
	for i, p := range aligntest.PenaltySets() {
		cases := append(aligntest.RandomCases(uint64(3000+i), many, 200), cases...)
		var want *align.Batch
		for _, memory := range []int{1 << 30, 1} {
			o := align.Options{Penalties: p, Memory: memory}
			for _, o.Level = range align.Levels() {
				b := alignCases(t, o, cases)
				if want == nil {
					want = b
				}
				sameBytes(t, o, cases, b, want)
			}
		}
	}
}

func alignCases(t *testing.T, o align.Options, cases []aligntest.Case) *align.Batch {
	t.Helper()
	b := aligntest.NewBatch(cases)
	if err := newEngine(t, o).AlignBatch(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return b
}

func sameBytes(t *testing.T, o align.Options, cases []aligntest.Case, got, want *align.Batch) {
	t.Helper()
	for i, c := range cases {
		g, w := got.Results[i], want.Results[i]
		if g.Score != w.Score || !slices.Equal(g.CIGAR, w.CIGAR) {
			t.Fatalf("level %s at %v, memory %d: score %d, CIGAR %v; level %s: score %d, CIGAR %v; for %s\n%q\n%q",
				o.Level, o.Penalties, o.Memory, g.Score, g.CIGAR, align.Levels()[0], w.Score, w.CIGAR, c.Name, c.Pattern, c.Text)
		}
	}
}
