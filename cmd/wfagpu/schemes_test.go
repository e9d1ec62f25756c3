package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

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
	for range 25 {
		pairs = append(pairs, [2]string{random(1 + rng.IntN(30)), random(1 + rng.IntN(30))})
		target := random(20 + rng.IntN(50))
		query := []byte(target)
		for range rng.IntN(8) {
			query[rng.IntN(len(query))] = "ACGT"[rng.IntN(4)]
		}
		at := rng.IntN(len(query) - 1)
		gap := min(rng.IntN(45), len(query)-at-1)
		pairs = append(pairs, [2]string{string(query[:at+1]) + string(query[at+1+gap:]), target})
	}
	return pairs
}

// The presets, from the manuals of the programs: match, mismatch, gap open and extend.
var presetNumbers = map[string][]int{
	"minimap2": {2, 4, 4, 2, 24, 1}, "map-ont": {2, 4, 4, 2, 24, 1}, "map-pb": {2, 4, 4, 2, 24, 1},
	"map-hifi": {1, 4, 6, 2, 26, 1}, "asm20": {1, 4, 6, 2, 26, 1}, "asm10": {1, 9, 16, 2, 41, 1},
	"asm5": {1, 19, 39, 3, 81, 1}, "sr": {2, 8, 12, 2, 32, 1},
	"bwa": {1, 4, 6, 1}, "pacbio": {1, 1, 1, 1}, "ont2d": {1, 1, 1, 1}, "intractg": {1, 9, 16, 1},
}

// Scores and alignments with each preset are those of the definition, and pass --check.
func TestPresets(t *testing.T) {
	var input strings.Builder
	pairs := schemePairs()
	for _, p := range pairs {
		fmt.Fprintf(&input, ">%s\n<%s\n", p[0], p[1])
	}
	if n := len(strings.Fields(presetNames(" "))); n != len(presetNumbers) {
		t.Errorf("%d presets, want %d", n, len(presetNumbers))
	}
	for name, v := range presetNumbers {
		o := align.Options{Penalties: align.Penalties{Mismatch: v[1], GapOpen: v[2], GapExtend: v[3]}, Match: v[0]}
		if len(v) > 4 {
			o.LongGap = align.Gap{Open: v[4], Extend: v[5]}
		}
		for span := range spanNames {
			o.Span = align.Span(span)
			if o.Span == align.EndsFree {
				o.Free = readInTarget
			}
			out := runOn(t, noGPUs, input.String(), "align", "--check", "--preset", name, "--span", spanNames[span])
			if out.code != exitOK {
				t.Fatalf("%s, %s: %+v", name, spanNames[span], out)
			}
			rows := strings.Split(strings.TrimSuffix(out.stdout, "\n"), "\n")
			if len(rows) != len(pairs) {
				t.Fatalf("%d rows for %d pairs", len(rows), len(pairs))
			}
			oracle := aligntest.Of(o)
			for i, p := range pairs {
				want := oracle.Align([]byte(p[0]), []byte(p[1]))
				got := strings.Split(rows[i], "\t")
				if got[2] != strconv.Itoa(want.Score) || got[3] != want.CIGAR.String() {
					t.Errorf("%s, %s: %v, want %d %v for %q and %q", name, spanNames[span], got, want.Score, want.CIGAR, p[0], p[1])
				}
			}
		}
	}
}

// The help and the man page have the table.
func TestSchemeTable(t *testing.T) {
	out := runOn(t, noGPUs, "", "help", "penalties")
	_, _, pages := manPages(t)
	page := strings.NewReplacer(`\-`, "-", `\&`, "").Replace(pages["wfagpu-align.1"])
	if out.code != exitOK {
		t.Errorf("exit code %d", out.code)
	}
	for _, row := range []string{
		"minimap2 default, map-ont, map-pb 2 4,4,2,24,1 minimap2, map-ont, map-pb",
		"minimap2 map-hifi, asm20 1 4,6,2,26,1 map-hifi, asm20",
		"minimap2 asm10 1 9,16,2,41,1 asm10",
		"minimap2 asm5 1 19,39,3,81,1 asm5",
		"minimap2 sr 2 8,12,2,32,1 sr",
		"bwa mem default 1 4,6,1 bwa",
		"bwa mem pacbio, ont2d 1 1,1,1 pacbio, ont2d",
		"bwa mem intractg 1 9,16,1 intractg",
		"blastn default, megablast 2 4,0,5 (twice its score)",
		"blastn blastn, dc-megablast 2 3,5,2",
		"blastn blastn-short 1 3,5,2",
		"WFA2-lib default 0 4,6,2",
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
