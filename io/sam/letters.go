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

// complements has the complement of every letter of nucleic acids, in the same case; other
// bytes stand for themselves.
var complements = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	const from, to = "ACGTUMRWSYKVHDBN", "TGCAAKYWSRMBDHVN"
	for i := range from {
		t[from[i]], t[from[i]+'a'-'A'] = to[i], to[i]+'a'-'A'
	}
	return t
}()

// appendReverse appends the reverse complement.
func appendReverse(dst, letters []byte) []byte {
	for i := len(letters) - 1; i >= 0; i-- {
		dst = append(dst, complements[letters[i]])
	}
	return dst
}

// appendBackward appends values from the last one to the first.
func appendBackward(dst, values []byte) []byte {
	for i := len(values) - 1; i >= 0; i-- {
		dst = append(dst, values[i])
	}
	return dst
}
