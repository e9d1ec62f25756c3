package sam

import "encoding/binary"

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

// pairKinds has the kinds of two letters.
var pairKinds = func() *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	for i := range t {
		t[i] = kinds[i&255] | kinds[i>>8]
	}
	return t
}()

// kindsOf joins the kinds of some letters. It runs over every base written.
func kindsOf(letters []byte) uint8 {
	var a, b, c, d uint8
	for ; len(letters) >= 8; letters = letters[8:] {
		w := binary.LittleEndian.Uint64(letters)
		a |= pairKinds[uint16(w)]
		b |= pairKinds[uint16(w>>16)]
		c |= pairKinds[uint16(w>>32)]
		d |= pairKinds[uint16(w>>48)]
	}
	for _, l := range letters {
		a |= kinds[l]
	}
	return a | b | c | d
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
