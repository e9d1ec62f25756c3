package sam

import "wfagpu/io/internal/letters"

// What a letter of a sequence means in SAM.
const (
	ambiguous = 1 << iota // BAM stores it as N, which matches nothing
	star                  // no letter
	rna                   // U, which is written as T: BAM would store it as N
)

// kinds has this for every byte. BAM has codes for A, C, G and T, and for the letters that
// stand for two or three of these.
var kinds = func() (t [256]uint8) {
	for i := range t {
		t[i] = ambiguous
	}
	for _, b := range []byte("ACGTMRWSYKVHDB") {
		t[b], t[b+'a'-'A'] = 0, 0
	}
	t['*'] |= star
	t['U'], t['u'] = rna, rna
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

// asT returns a letter, T in place of U.
func asT(b byte) byte {
	if b|0x20 == 'u' {
		return b - 'U' + 'T'
	}
	return b
}

// canonical returns the capital letter, T in place of U.
func canonical(b byte) byte {
	if b >= 'a' && b <= 'z' {
		b -= 'a' - 'A'
	}
	return asT(b)
}
