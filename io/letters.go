package seqio

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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
// to z, and none otherwise. The lowest such bit belongs to the first such byte;
// higher bits mean nothing. With case folded, subtracting 'a' from a letter gives
// at most 25, and adding 0x7f-25 to that keeps the high bit clear. Other bytes
// have the high bit set after one of the two steps, and borrow from or carry into
// higher bytes alone.
func nonLetters(w uint64) uint64 {
	x := (w | caseBits) - 'a'*everyByte
	return x | (x + (0x7f-25)*everyByte)
}

// letterRun returns how many bytes at the start of s may stand in a sequence.
// It runs over every base read, hence eight at a time. The run ends where the
// line does unless something is wrong, so that one pass finds both.
func letterRun(s []byte) int {
	i := 0
	for ; len(s)-i >= 32; i += 32 {
		w := s[i : i+32 : i+32]
		a := nonLetters(binary.LittleEndian.Uint64(w))
		b := nonLetters(binary.LittleEndian.Uint64(w[8:]))
		c := nonLetters(binary.LittleEndian.Uint64(w[16:]))
		d := nonLetters(binary.LittleEndian.Uint64(w[24:]))
		if (a|b|c|d)&highBits == 0 {
			continue
		}
		n := 0
		switch {
		case a&highBits != 0:
		case b&highBits != 0:
			n, a = 8, b
		case c&highBits != 0:
			n, a = 16, c
		default:
			n, a = 24, d
		}
		n += bits.TrailingZeros64(a&highBits) / 8
		if w[n] != '*' {
			return i + n
		}
		if n += byteRun(w[n:]); n < len(w) {
			return i + n
		}
	}
	for ; len(s)-i >= 8; i += 8 {
		if bad := nonLetters(binary.LittleEndian.Uint64(s[i:])) & highBits; bad != 0 {
			n := bits.TrailingZeros64(bad) / 8
			if n += byteRun(s[i+n : i+8]); n < 8 {
				return i + n
			}
		}
	}
	return i + byteRun(s[i:])
}

// byteRun is letterRun for a few bytes.
func byteRun(s []byte) int {
	for i, b := range s {
		if !isLetter[b] {
			return i
		}
	}
	return len(s)
}

// badLetter returns the index of the first byte that may not stand in a
// sequence, or -1.
func badLetter(s []byte) int {
	if n := letterRun(s); n < len(s) {
		return n
	}
	return -1
}

// checkLetters is badLetter as an error that calls the sequence what.
func checkLetters(s []byte, what string) error {
	i := badLetter(s)
	if i < 0 {
		return nil
	}
	if s[i] == '\r' {
		return fmt.Errorf("%s position %d: %s is not a sequence letter: %w", what, i+1, showByte(s[i]), errLoneCR)
	}
	return fmt.Errorf("%s position %d: %s is not a sequence letter", what, i+1, showByte(s[i]))
}
