package emu_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wfagpu/gpu/internal/emu"
)

// segmentLetters is that of cuda/indels.cuh.
const segmentLetters = 64

// TestSegments compares the distances of segments from a text, by indels and by affine gaps, with plain dynamic programming: they are
// the least, or less by one.
func TestSegments(t *testing.T) {
	k := emu.ForTest(t)
	rounds, seed := emulationRounds()
	r := rand.New(rand.NewPCG(11, seed))
	less := [2]int{}
	for range 15 * rounds {
		const segments = 32
		pattern := letters(r, "ACGT"[r.IntN(3):], segmentLetters*segments)
		text := segmentText(r, pattern)
		from := r.IntN(len(text))
		to := from + r.IntN(len(text)-from+1)
		words := memory[uint32](t, 4+2*segments+len(pattern)/16+(len(text)+15)/16)
		copy(words, []uint32{segments, uint32(len(text)), uint32(from), uint32(to)})
		out := words[4:][:2*segments]
		packBases(words[4+2*segments:], pattern)
		packBases(words[4+2*segments+len(pattern)/16:], text)
		mustLaunch(t, k, "emu_segments", 256, words)

		// Some letters behind the part are taken, too, those behind the text from its last word.
		whole := text + strings.Repeat("A", -len(text)&15)
		whole += whole[len(whole)-16:] + whole[len(whole)-16:]
		taken := [2]int{(to - from + 15) &^ 15, max((to-from+segmentLetters+14)&^15-segmentLetters+1, 0)}
		for s := range segments {
			segment := pattern[segmentLetters*s:][:segmentLetters]
			for by, open := range []int{0, 2} {
				part := ""
				if from < to {
					part = whole[from:][:taken[by]]
				}
				want, got := leastAffine(segment, part, open), int(int32(out[2*s+by]))
				if got > want || got < want-1 {
					t.Fatalf("openings cost %d: distance %d, want %d; segment %s, letters %d to %d of %s", open, got, want, segment, from, to, text)
				}
				less[by] += want - got
			}
		}
	}
	if slices.Min(less[:]) == 0 {
		t.Errorf("%v distances are less by one", less)
	}
}

// segmentText returns letters much like some of a pattern's, with short and long gaps, or any.
func segmentText(r *rand.Rand, pattern string) string {
	text := letters(r, "ACGT", r.IntN(80))
	for range 1 + r.IntN(5) {
		at := r.IntN(len(pattern) - 200)
		part := pattern[at : at+r.IntN(200)]
		switch r.IntN(4) {
		case 0:
			part = letters(r, "ACGT", len(part))
		case 1:
			part = edited(r, "ACGT", part, len(part)/8, 3)
		case 2:
			part = edited(r, "ACGT", part, 2+len(part)/50, 30)
		}
		text += part
	}
	return text + letters(r, "ACGT", 1+r.IntN(80))
}
