package sam

import (
	"encoding/binary"
	"hash/maphash"

	"wfagpu/io/internal/letters"
)

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

// hashLetters returns the hash of a sequence, whatever the case of its letters, and with T in place of U.
func (t *nameTable) hashLetters(s []byte) uint64 {
	if usual(s) {
		return t.hash(s)
	}
	var h maphash.Hash
	h.SetSeed(t.seed)
	for piece := [4096]byte{}; len(s) > 0; {
		n := copy(piece[:], s)
		s = s[n:]
		for i, b := range piece[:n] {
			piece[i] = asT(upper(b))
		}
		h.Write(piece[:n])
	}
	return h.Sum64()
}

// usual reports whether no letter of s is a small one or U. It may miss that where there are other characters.
func usual(s []byte) bool {
	const each = 0x0101010101010101
	for ; len(s) >= 8; s = s[8:] {
		w := binary.LittleEndian.Uint64(s)
		u := w ^ 'U'*each
		if w&(0x20*each)|(u-each)&^u&(0x80*each) != 0 {
			return false
		}
	}
	for _, b := range s {
		if b&0x20 != 0 || b == 'U' {
			return false
		}
	}
	return true
}
