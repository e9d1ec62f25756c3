package align_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// Tandem repeats within texts, which have seeds on many diagonals: an optimal alignment may pass others than those from
// which its end was found first.
func TestSpanRepeats(t *testing.T) {
	many := 400
	if testing.Short() {
		many = 150
	}
	for i, p := range []align.Penalties{{Mismatch: 2, GapOpen: 3, GapExtend: 1}, {Mismatch: 1, GapExtend: 1}, {Mismatch: 1, GapOpen: 2, GapExtend: 1}, {Mismatch: 5, GapOpen: 3, GapExtend: 2}, {Mismatch: 3, GapOpen: 1, GapExtend: 4}} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			t.Parallel()
			o := align.Options{Penalties: p, Span: align.EndsFree, Free: align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}}
			checkSpanMethods(t, o, tandems(uint64(i), many), byMatrix(t, o))
		})
	}
}

// tandems are repeats of up to 60 letters, of units of up to three, each within random letters, with few errors.
func tandems(seed uint64, count int) []aligntest.Case {
	r := rand.New(rand.NewPCG(seed, 16))
	random := func(n int) []byte { return letters(r, "ACGT", n) }
	cases := make([]aligntest.Case, count)
	for i := range cases {
		pattern := bytes.Repeat(random(1+r.IntN(3)), 60)[:16+r.IntN(45)]
		text := bytes.Clone(pattern)
		for range r.IntN(4) {
			switch at := r.IntN(len(text)); r.IntN(3) {
			case 0:
				text[at] = random(1)[0]
			case 1:
				text = append(text[:at], text[at+1:]...)
			default:
				text = append(text[:at:at], append(random(1), text[at:]...)...)
			}
		}
		text = append(append(random(r.IntN(60)), text...), random(r.IntN(60))...)
		cases[i] = aligntest.Case{Name: fmt.Sprint("tandem ", i), Pattern: pattern, Text: text}
	}
	return cases
}
