package align

import (
	"encoding/binary"
	"math/bits"
)

// planeLetters are the letters of a pair, A, C, G and T alone, in two bits each: those of the text
// and, back to front, of the pattern.
type planeLetters struct {
	text, reverse [2][]uint64
	// Bits, from which on the letters of the text are, and from which on those of the pattern would
	// be if its last one were a whole word's last.
	textAt, reverseAt int
}

// load encodes a pair, with pad words of any letters on either side. It reports false for a pair
// with other letters.
func (l *planeLetters) load(pattern, text *sequence, pad int) bool {
	n, m := (pattern.n+63)/64, (text.n+63)/64
	for p := range l.text {
		l.text[p] = roomFor(l.text[p], m+2*pad)
		l.reverse[p] = roomFor(l.reverse[p], n+2*pad)
	}
	l.textAt, l.reverseAt = 64*pad, 64*(n+pad)
	var bad uint64
	letters := text.letters()
	for i := range m {
		x, y, odd := planeGroupOf(letters, 64*i)
		l.text[0][pad+i], l.text[1][pad+i] = x, y
		bad |= odd
	}
	letters = pattern.letters()
	for i := range n {
		x, y, odd := planeGroupOf(letters, 64*i)
		at := pad + n - 1 - i
		l.reverse[0][at], l.reverse[1][at] = bits.Reverse64(x), bits.Reverse64(y)
		bad |= odd
	}
	return bad == 0
}

// planeGroupOf encodes 64 letters from letter i on, and reports by odd if there are others than the
// four. Behind the last letter come some of them.
func planeGroupOf(letters []byte, i int) (x, y, odd uint64) {
	var group [64]byte
	var g []byte
	if i+64 <= len(letters) {
		g = letters[i : i+64]
	} else {
		group = restOf(letters[i:])
		g = group[:]
	}
	for j := 0; j < 64; j += 8 {
		a, b, c, o := editBits(binary.LittleEndian.Uint64(g[j:]))
		x |= a * gatherBits >> 56 << j
		y |= b * gatherBits >> 56 << j
		odd |= c | o
	}
	return x, y, odd
}

// planeWindow returns 64 bits of a plane.
func planeWindow(plane []uint64, bit int) uint64 {
	i, s := bit>>6, bit&63
	return plane[i]>>s | plane[i+1]<<1<<(63-s)
}
