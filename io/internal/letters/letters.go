// Package letters looks at the letters of sequences, many at a time: readers and writers
// look at every base.
package letters

import (
	"encoding/binary"
	"math/bits"
)

// Is tells the bytes a sequence may hold: A to Z in either case for bases and IUPAC codes,
// and '*'.
var Is = func() (t [256]bool) {
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

// Run returns how many bytes at the start of s may stand in a sequence. In a line, the run
// ends where the line does unless something is wrong, so that one pass finds both.
func Run(s []byte) int {
	i, ended := runVectors(s)
	if ended {
		return i
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

// byteRun is Run for a few bytes.
func byteRun(s []byte) int {
	for i, b := range s {
		if !Is[b] {
			return i
		}
	}
	return len(s)
}

// Bases reports whether all bytes of s are A, C, G and T in either case.
func Bases(s []byte) bool {
	n := len(s)
	if n < 8 {
		for _, b := range s {
			switch b &^ 0x20 {
			case 'A', 'C', 'G', 'T':
			default:
				return false
			}
		}
		return true
	}
	if n >= 32 {
		if bases, known := basesVectors(s); known {
			return bases
		}
	}
	bad := notBases(binary.LittleEndian.Uint64(s[n-8:]))
	for ; len(s) >= 8; s = s[8:] {
		bad |= notBases(binary.LittleEndian.Uint64(s))
	}
	return bad == 0
}

// notBases is 0 if the eight bytes of w are A, C, G and T in either case. Without the bits of A
// and of case, these are 0, 2, 6 and 0x15: bits 1 and 2 tell them apart, and all others are
// clear, but for the 0x11 of T.
func notBases(w uint64) uint64 {
	x := (w ^ 'A'*everyByte) &^ caseBits
	t := x >> 2 &^ (x >> 1) & everyByte
	return x&^(6*everyByte) ^ t ^ t<<4
}
