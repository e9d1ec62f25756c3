package sam

import "wfagpu/io/internal/letters"

// What a letter of a sequence means in SAM.
const (
	ambiguous = 1 << iota // BAM stores it as N, which matches nothing
	star                  // no letter
)

// kinds has this for every byte. BAM has codes for A, C, G, T (and U) and for the letters that
// stand for two or three of these.
var kinds = func() (t [256]uint8) {
	for i := range t {
		t[i] = ambiguous
	}
	for _, b := range []byte("ACGTUMRWSYKVHDB") {
		t[b], t[b+'a'-'A'] = 0, 0
	}
	t['*'] |= star
	return t
}()

// kindsOf joins the kinds of some letters.
func kindsOf(s []byte) (all uint8) {
	if letters.Bases(s) {
		return 0
	}
	for _, b := range s {
		all |= kinds[b]
	}
	return all
}
