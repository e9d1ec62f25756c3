package pack

import (
	"encoding/binary"

	"wfagpu/align"
)

// packPairGo is Pair in Go, for any CPU.
func packPairGo(dst []uint32, pair, _ *align.Pair) bool {
	unknown := packGo(dst, pair.Pattern) | packGo(dst[Words(len(pair.Pattern)):], pair.Text)
	return unknown == 0
}

// Patterns of eight bytes.
const (
	each = 0x0101010101010101
	// small is the bit that distinguishes small from capital letters.
	small = 0x20 * each
	// codes are the bits whose values are the code of a letter.
	codes = 0x06 * each
	// acg is what a, c and g have in common beside their code.
	acg = 0x61 * each
)

// packGo packs letters into dst, eight at a time. The result is 0 if all letters are A,
// C, G, T or U, in either case.
func packGo(dst []uint32, letters []byte) (unknown uint64) {
	for i := 0; len(letters) > 0; i++ {
		if len(letters) < 16 {
			last := [16]byte{'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A'}
			copy(last[:], letters)
			letters = last[:]
		}
		high, low := binary.BigEndian.Uint64(letters), binary.BigEndian.Uint64(letters[8:])
		unknown |= strange(high) | strange(low)
		dst[i] = code8(high)<<16 | code8(low)
		letters = letters[16:]
	}
	return unknown
}

// strange returns 0 if all of eight letters are known. Bits 1 and 2 of a letter are its
// code, and the others must be those of a, c and g, or, where the code is that of t, of t
// and u, which differ in bit 0.
func strange(x uint64) uint64 {
	t := x >> 2 &^ (x >> 1) & each
	return ((x|small)&^codes ^ acg ^ t<<4) &^ t
}

// code8 returns the codes of eight letters, the first in the top bits.
func code8(x uint64) uint32 {
	x = x >> 1 & (0x03 * each)
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return uint32(x|x>>24) & 0xffff
}
