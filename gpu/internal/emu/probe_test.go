package emu_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"wfagpu/align"
	"wfagpu/gpu/internal/emu"
)

// TestProbe: a probe tells as many broken seeds as a plain count, and how far the ends of the pattern are apart.
func TestProbe(t *testing.T) {
	k := emu.ForTest(t)
	rounds, seed := emulationRounds()
	r := rand.New(rand.NewPCG(17, seed))
	var pairs []pair
	var ahead, behind []int
	add := func(begin, end int, pattern, middle string) {
		pairs = append(pairs, pair{pattern: pattern, text: letters(r, "ACGT", begin) + middle + letters(r, "ACGT", end)})
		ahead, behind = append(ahead, begin), append(behind, end)
	}
	for range 2 * rounds {
		p := letters(r, "ACGT", 1100+r.IntN(6000))
		add(r.IntN(300), r.IntN(300), p, edited(r, "ACGT", p, len(p)/(8+r.IntN(40)), 2))
	}
	add(0, 0, letters(r, "ACGT", 2000), letters(r, "ACGT", 1500)) // a shorter text
	add(0, 0, letters(r, "A", 1000), letters(r, "A", 1000))
	add(40, 50, letters(r, "AC", 1000), letters(r, "GT", 1000)) // no seed at all
	d := upload(t, k, align.DefaultPenalties, pairs)
	d.setTasks(anyScore(pairs))
	d.setRows(4, len(d.tasks))
	d.launch("wfa_probe", 3, 32, 0)
	for at, task := range d.tasks {
		p := pairs[task.Pair]
		got := d.results[at]
		broken := plainBroken(p)
		present := map[string]bool{}
		for i := 0; i+8 <= len(p.text); i++ {
			present[p.text[i:i+8]] = true
		}
		if want := broken * 65536 / (65536 - len(present)); int(got.Score) != want {
			t.Errorf("%d and %d letters: %d broken seeds, want %d", len(p.pattern), len(p.text), got.Score, want)
		}
		// The ends lie behind the letters ahead of the pattern, and before those behind it, but for a few indels near them.
		begin, end := ahead[task.Pair], len(p.text)-behind[task.Pair]-len(p.pattern)
		want := max(begin-end, end-begin) / 2
		if around := len(p.text) - len(p.pattern); around <= 0 {
			want = 0
		} else if broken == len(p.pattern)/8 {
			want = around / 2
		}
		if off := int(got.Cigar) - want; begin >= 0 && end >= 0 && begin <= len(p.text)-len(p.pattern) && end <= len(p.text)-len(p.pattern) && max(off, -off) > 20 {
			t.Errorf("%d and %d letters, %d ahead: ends %d apart, want %d", len(p.pattern), len(p.text), begin, got.Cigar, want)
		}
	}
}

// plainBroken counts the broken seeds of a pair.
func plainBroken(p pair) (n int) {
	for i := 0; i+8 <= len(p.pattern); {
		if strings.Contains(p.text, p.pattern[i:i+8]) {
			i++
		} else {
			n++
			i += 8
		}
	}
	return n
}
