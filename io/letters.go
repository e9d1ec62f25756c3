package seqio

import (
	"encoding/binary"
	"fmt"
)

// isLetter tells the bytes a sequence may hold: A to Z in either case for bases
// and IUPAC codes, and '*'.
var isLetter = func() (t [256]bool) {
	for b := byte('A'); b <= 'Z'; b++ {
		t[b], t[b|0x20] = true, true
	}
	t['*'] = true
	return t
}()

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
	caseBits  = 0x20 * everyByte
)

// nonLetters has, under highBits, a bit set if any byte of w is not A to Z or a
// to z, and none otherwise. With case folded away, adding 0x7f-'z' to a byte sets
// its high bit from 'z'+1 on, and subtracting it from 0x80+('a'-1) sets it up to
// 'a'-1. Bytes do not disturb each other unless one is 0x80 or more, and then w
// itself has a high bit.
func nonLetters(w uint64) uint64 {
	folded := w | caseBits
	return w | (folded + (0x7f-'z')*everyByte) | ((0x80+'a'-1)*everyByte - folded)
}

// badLetter returns the index of the first byte that may not stand in a
// sequence, or -1. It runs over every base read, hence eight at a time.
func badLetter(s []byte) int {
	i := 0
	for ; len(s)-i >= 32; i += 32 {
		w := s[i : i+32 : i+32]
		bad := nonLetters(binary.LittleEndian.Uint64(w)) |
			nonLetters(binary.LittleEndian.Uint64(w[8:])) |
			nonLetters(binary.LittleEndian.Uint64(w[16:])) |
			nonLetters(binary.LittleEndian.Uint64(w[24:]))
		if bad&highBits != 0 {
			// Perhaps only a '*': look closer.
			if j := badByte(w); j >= 0 {
				return i + j
			}
		}
	}
	for ; len(s)-i >= 8; i += 8 {
		if nonLetters(binary.LittleEndian.Uint64(s[i:]))&highBits != 0 {
			if j := badByte(s[i : i+8]); j >= 0 {
				return i + j
			}
		}
	}
	// The last eight bytes again are cheaper than a few bytes one by one.
	if len(s) >= 8 && nonLetters(binary.LittleEndian.Uint64(s[len(s)-8:]))&highBits == 0 {
		return -1
	}
	if j := badByte(s[i:]); j >= 0 {
		return i + j
	}
	return -1
}

func badByte(s []byte) int {
	for i, b := range s {
		if !isLetter[b] {
			return i
		}
	}
	return -1
}

// checkLetters is badLetter as an error that calls the sequence what.
func checkLetters(s []byte, what string) error {
	i := badLetter(s)
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%s position %d: %s is not a sequence letter", what, i+1, showByte(s[i]))
}
