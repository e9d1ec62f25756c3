package aligntest_test

import (
	"bytes"
	"fmt"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/align/aligntest/wfa2"
	"wfagpu/align/simulate"
)

// peerSets have four error rates. The peer aligns the long pairs of each in little memory.
func peerSets() []simulate.Options {
	var sets []simulate.Options
	for i, rate := range []float64{0.02, 0.05, 0.1, 0.2} {
		seed := uint64(10 * i)
		sets = append(sets,
			simulate.Options{Length: 150, ErrorRate: rate, Seed: seed},
			simulate.Options{Length: 150, ErrorRate: rate, Seed: seed + 1, Model: simulate.Bursts},
			simulate.Options{Length: 1000, ErrorRate: rate, Seed: seed + 2},
			simulate.Options{Length: 10_000, ErrorRate: rate, Seed: seed + 3},
		)
	}
	return sets
}

func peerPairs(length int) int {
	many := map[int]int{150: 400, 1000: 30, 10_000: 1}[length]
	if testing.Short() {
		many = (many + 9) / 10
	}
	return many
}

// TestAgainstWFA2 compares scores with WFA2-lib's. scripts/compare does the same with many more
// pairs.
func TestAgainstWFA2(t *testing.T) {
	library, err := wfa2.Installed()
	if err != nil {
		t.Skipf("WFA2-lib is not installed (Debian: libwfa2-dev and gcc): %v", err)
	}
	driver, err := wfa2.Build(library, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []align.Penalties{
		{Mismatch: 2, GapOpen: 3, GapExtend: 1},
		{Mismatch: 4, GapOpen: 6, GapExtend: 2},
		{Mismatch: 1, GapOpen: 0, GapExtend: 1},
		{Mismatch: 1, GapOpen: 2, GapExtend: 1},
		{Mismatch: 3, GapOpen: 1, GapExtend: 4},
		{Mismatch: 5, GapOpen: 3, GapExtend: 2},
		{Mismatch: 6, GapOpen: 2, GapExtend: 3},
	} {
		t.Run(p.String(), func(t *testing.T) {
			for _, set := range peerSets() {
				compareWithPeer(t, driver, p, set)
			}
		})
	}
}

func compareWithPeer(t *testing.T, driver *wfa2.Driver, p align.Penalties, set simulate.Options) {
	t.Helper()
	g, err := simulate.New(set)
	if err != nil {
		t.Fatal(err)
	}
	var cases []aligntest.Case
	var seq bytes.Buffer
	for i := range peerPairs(set.Length) {
		pattern, text := g.Next()
		cases = append(cases, aligntest.Case{
			Name:    fmt.Sprintf("%+v pair %d", set, i),
			Pattern: bytes.Clone(pattern),
			Text:    bytes.Clone(text),
		})
		fmt.Fprintf(&seq, ">%s\n<%s\n", pattern, text)
	}
	memory := wfa2.High
	if set.Length >= 10_000 {
		memory = wfa2.UltraLow
	}
	want, err := driver.Scores(t.Context(), &seq, wfa2.Options{Penalties: p, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range align.Levels() {
		b := alignCases(t, align.Options{Penalties: p, Level: level}, cases)
		for i, c := range cases {
			r := b.Results[i]
			if r.Err != nil || r.Score != want[i] {
				t.Errorf("level %s at %v: score %d, error %v, WFA2-lib has %d, for %s\n>%s\n<%s",
					level, p, r.Score, r.Err, want[i], c.Name, c.Pattern, c.Text)
			} else if err := aligntest.Check(c.Pattern, c.Text, p, r); err != nil {
				t.Errorf("level %s at %v: %v, for %s", level, p, err, c.Name)
			}
		}
	}
}
