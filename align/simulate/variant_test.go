package simulate_test

import (
	"bytes"
	"slices"
	"testing"

	"wfagpu/align/simulate"
)

// variantOf finds the only difference of a pattern without errors: what both ends share with the
// text surrounds from in the text and to in the pattern.
func variantOf(pattern, text []byte) (at int, from, to []byte) {
	least := min(len(pattern), len(text))
	for at < least && pattern[at] == text[at] {
		at++
	}
	tail := 0
	for tail < least-at && pattern[len(pattern)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	return at, text[at : len(text)-tail], pattern[at : len(pattern)-tail]
}

func otherStrand(s []byte) []byte {
	r := slices.Clone(s)
	slices.Reverse(r)
	for i, b := range r {
		r[i] = "TGCA"[bytes.IndexByte([]byte("ACGT"), b)]
	}
	return r
}

func TestVariantKinds(t *testing.T) {
	for _, kind := range simulate.VariantKinds() {
		g := generator(t, simulate.Options{
			Length: 2000, Model: simulate.SV, Seed: 9,
			Variants: simulate.Variants{Share: 1, Least: 30, Most: 700, Kinds: string(kind)},
		})
		short, long, atStart, atEnd := 0, 0, 0, 0
		for i := range 400 {
			pattern, text := g.Next()
			at, from, to := variantOf(pattern, text)
			start, length := at, len(to)
			right := len(from) == 0 // an insertion
			switch kind {
			case simulate.Deletion:
				length, right = len(from), len(to) == 0
			case simulate.Duplication:
				right = right && bytes.HasSuffix(text[:at], to)
				start -= length // to the original
			case simulate.Inversion:
				// The ends of the stretch may look the same.
				right = len(to) == len(from) && bytes.Contains(otherStrand(text), to)
			}
			if !right {
				t.Fatalf("%s, pair %d: %d bases in place of %d", kind, i, len(to), len(from))
			}
			if length > 700 || length < 30 && kind != simulate.Inversion || length < 10 {
				t.Fatalf("%s, pair %d: %d bases, want 30 to 700", kind, i, length)
			}
			if length < 60 {
				short++
			}
			if length >= 480 {
				long++
			}
			if start < 20 {
				atStart++
			}
			if at+len(from) > len(text)-20 {
				atEnd++
			}
		}
		if short < 40 || long < 20 {
			t.Errorf("%s: %d of less than 60 bases and %d of 480 and more", kind, short, long)
		}
		if atStart < 3 || atEnd < 3 {
			t.Errorf("%s: %d at the start and %d at the end", kind, atStart, atEnd)
		}
	}
}

func TestVariantShare(t *testing.T) {
	g := generator(t, simulate.Options{Length: 400, Model: simulate.SV, Seed: 2})
	varied := 0
	for range 2000 {
		if pattern, text := g.Next(); !bytes.Equal(pattern, text) {
			varied++
		}
	}
	if varied < 140 || varied > 260 {
		t.Errorf("%d of 2000 pairs have a variant, want about 200", varied)
	}
}

// A variant changes the sequence that gets the errors, inserted bases included.
func TestErrorsInVariants(t *testing.T) {
	g := generator(t, simulate.Options{
		Length: 100, ErrorRate: 1, Model: simulate.SV, Seed: 3,
		Variants: simulate.Variants{Share: 1, Least: 5000, Most: 5000, Kinds: "duplication"},
	})
	pattern, text := g.Next() // no variant is longer than its text
	if len(pattern) < 150 || len(pattern) > 250 || bytes.Contains(pattern, text[:20]) {
		t.Errorf("%d bases of a text of %d, duplicated", len(pattern), len(text))
	}
}

func TestErrorRates(t *testing.T) {
	g := generator(t, simulate.Options{Length: 2000, ErrorRate: 0.05, MaxErrorRate: 0.15, Model: simulate.Substitution, Seed: 6})
	least, most := 1.0, 0.0
	for range 300 {
		pattern, text := g.Next()
		differ := 0
		for i := range text {
			if text[i] != pattern[i] {
				differ++
			}
		}
		rate := float64(differ) / 2000
		least, most = min(least, rate), max(most, rate)
	}
	// Of errors drawn at the same base one is seen: 0.049 to 0.139.
	if least < 0.045 || least > 0.055 || most < 0.13 || most > 0.145 {
		t.Errorf("%v to %v errors per base, want 0.05 to 0.14", least, most)
	}
}
