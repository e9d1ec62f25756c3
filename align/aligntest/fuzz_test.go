package aligntest_test

import (
	"slices"
	"testing"

	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// FuzzAlign holds every code path, with and without CIGAR, with plenty of
// memory and with none, against Gotoh's dynamic program.
func FuzzAlign(f *testing.F) {
	// testdata/fuzz holds more, of shapes that are long to write here.
	f.Add([]byte("GATTACA"), []byte("GCATGCU"), byte(2), byte(3), byte(1))
	f.Add([]byte(""), []byte("A"), byte(1), byte(0), byte(1))

	f.Fuzz(func(t *testing.T, pattern, text []byte, x, o, e byte) {
		// Bases: speed finds more than length does. The work grows with the scores.
		most := 300 * 32 / max(32, int(x), int(e))
		pattern, text = pattern[:min(len(pattern), most)], text[:min(len(text), most)]
		if slices.Contains(pattern, 0) || slices.Contains(text, 0) ||
			slices.Contains(pattern, 0xff) || slices.Contains(text, 0xff) {
			t.Skip("0x00 and 0xff are not letters")
		}
		p := align.Penalties{Mismatch: max(1, int(x)), GapOpen: int(o), GapExtend: max(1, int(e))}
		want, _ := aligntest.Gotoh(pattern, text, p)

		var first align.Result
		for i, level := range align.Levels() {
			for _, memory := range []int{0, 1} {
				for _, scoreOnly := range []bool{false, true} {
					opts := align.Options{Penalties: p, Level: level, Memory: memory, ScoreOnly: scoreOnly, Threads: 1}
					b := &align.Batch{Pairs: []align.Pair{{Pattern: pattern, Text: text}}}
					if err := newEngine(t, opts).AlignBatch(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					r := b.Results[0]
					if r.Err != nil || r.Score != want {
						t.Fatalf("%+v: score %d, error %v, want %d", opts, r.Score, r.Err, want)
					}
					if scoreOnly {
						continue
					}
					if err := aligntest.Check(pattern, text, p, r); err != nil {
						t.Fatalf("%+v: %v", opts, err)
					}
					if i == 0 && memory == 0 {
						first = r
					}
					if !slices.Equal(r.CIGAR, first.CIGAR) {
						t.Fatalf("%+v: CIGAR %v, level %s with memory gives %v", opts, r.CIGAR, align.Levels()[0], first.CIGAR)
					}
				}
			}
		}
	})
}
