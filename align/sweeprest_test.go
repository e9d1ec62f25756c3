package align

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// What seeds bound from below is no more than what the rest of a pattern costs, wherever it is
// aligned, and where the text has the pattern with mismatches not much less.
func TestSweepRest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	for _, s := range []Scoring{
		{Penalties: DefaultPenalties}, {Penalties: Penalties{4, 6, 2}}, {Penalties: Penalties{9, 0, 1}},
		{Penalties: Penalties{6, 2, 3}, LongGap: Gap{11, 1}}, {Penalties: Penalties{3, 5, 1}},
	} {
		t.Run(fmt.Sprintf("%+v", s), func(t *testing.T) {
			m, err := NewModel(EndsFree, Free{TextBegin: FreeAll, TextEnd: FreeAll}, s)
			if err != nil {
				t.Fatal(err)
			}
			useful := 0
			for range 150 {
				text := randomLetters(r, 60+r.IntN(200))
				from := r.IntN(len(text) / 2)
				letters := append([]byte(nil), text[from:min(len(text), from+30+r.IntN(120))]...)
				for range r.IntN(12) {
					at := r.IntN(len(letters))
					switch r.IntN(4) {
					case 0:
						letters = append(letters[:at:at], letters[min(len(letters), at+1+r.IntN(20)):]...)
					case 1:
						letters = append(letters[:at:at], append(randomLetters(r, 1+r.IntN(20)), letters[at:]...)...)
					default:
						letters[at] = 'C'
					}
					if len(letters) == 0 {
						letters = randomLetters(r, 20)
					}
				}
				for _, k := range []*kernels{goKernels, kernelsFor(Levels()[0])} {
					var pattern, rest, target sequence
					if pattern.load(k, letters, patternPad) != nil || target.load(k, text, textPad) != nil {
						t.Fatal("letters")
					}
					var bound sweepRest
					bound.find(k, &m, &pattern, &target, -len(letters), len(text), nil)
					for v := 0; v < len(letters); v += 1 + r.IntN(20) {
						if err := rest.load(k, letters[v:], patternPad); err != nil {
							t.Fatal(err)
						}
						x := spanMatrix{scoreOnly: true}
						got, _, err := x.align(nil, &m, &rest, &target)
						if err != nil || bound.from(v) > got.cost {
							t.Fatalf("%d letters on: at least %d, costs %d (%v) for %q, %q", v, bound.from(v), got.cost, err, letters, text)
						}
						if bound.from(v) > 0 {
							useful++
						}
					}
				}
			}
			if useful == 0 {
				t.Error("no bound is above 0")
			}
		})
	}
}

// Of each seed the least number of mismatches is found that the text has it with, or a lower one where the
// text has half of it in many places.
func TestSweepRestErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 18))
	m, err := NewModel(EndsFree, Free{TextBegin: FreeAll, TextEnd: FreeAll}, Scoring{Penalties: DefaultPenalties})
	if err != nil {
		t.Fatal(err)
	}
	var rest sweepRest
	counts := [3]int{}
	for i := range 60 {
		text := randomLetters(r, 20+r.IntN(600))
		if i%3 == 0 {
			unit := randomLetters(r, 1+r.IntN(30))
			for len(text) < 700 {
				text = append(text, unit...)
			}
		}
		letters := append([]byte(nil), text[r.IntN(len(text)/2):]...)
		for range len(letters) / 8 {
			letters[r.IntN(len(letters))] = "ACGTN"[r.IntN(5)]
		}
		var pattern, target sequence
		k := kernelsFor(Levels()[0])
		if pattern.load(k, letters, patternPad) != nil || target.load(k, text, textPad) != nil {
			t.Fatal("letters")
		}
		first, last := -r.IntN(100), r.IntN(len(text))
		rest.find(k, &m, &pattern, &target, first, last, nil)
		for v := 0; v+seedLetters <= len(letters); v++ {
			seed, least, halves := letters[v:v+seedLetters], 2, [2]int{}
			for h := 0; h+restHalf <= len(text); h++ {
				for side := range halves {
					same := true // of the same hash
					for j, c := range seed[side*restHalf:][:restHalf] {
						same = same && (text[h+j]^c)>>1&3 == 0
					}
					if same {
						halves[side]++
					}
				}
			}
			for h := max(0, v+first); h <= min(v+last, len(text)-seedLetters); h++ {
				differ := 0
				for j, c := range seed {
					if text[h+j] != c {
						differ++
					}
				}
				least = min(least, differ)
			}
			got := int(rest.errors[v+restHalf])
			if got > least || got < least && max(halves[0], halves[1]) <= restPlaces && v+last < len(text)-seedLetters && v+first >= 0 {
				t.Fatalf("letter %d: %d mismatches, want %d, of %q in %q, diagonals %d to %d, %v places of halves", v, got, least, letters, text, first, last, halves)
			}
			counts[got]++
		}
	}
	if min(counts[0], counts[1], counts[2]) < 100 {
		t.Errorf("seeds with 0, 1 and 2 mismatches: %v", counts)
	}
}
