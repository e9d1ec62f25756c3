package align

import (
	"math/bits"
	"unsafe"
)

// codeLetters is how many letters a code has: two bits of each, which tell A, C, G and T apart.
const codeLetters = 4

// codes are those that begin at the letters of a text, for the search for many words.
type codes struct {
	kern   *kernels
	text   *sequence
	margin int // letters beside the text at which codes are read, seqPad or more; 0 is seqPad
	room   []byte
	buf    []byte // of which margin bytes can be read before the first one
	places [placesMost]int32
}

// placesMost is how many places are looked at at a time.
const placesMost = 64

// load sets the text.
func (c *codes) load(text *sequence) {
	c.text, c.margin = text, max(c.margin, seqPad)
	c.room = roomFor(c.room, text.n+2*c.margin+2*seqPad)
	c.buf = c.room[c.margin:]
	c.kern.codes(&c.buf[0], (*byte)(text.first()), text.n)
}

// codeAt returns the code of the letters from s[i] on.
func codeAt(s unsafe.Pointer, i int) (code uint8) {
	for j := range codeLetters {
		code |= *(*uint8)(unsafe.Add(s, i+j)) >> 1 & 3 << (2 * j)
	}
	return code
}

// each calls do for the letters from..to-1 of the text from which on it may have so many letters,
// codeLetters to twice as many, from s[i] on, until do returns false.
func (c *codes) each(s unsafe.Pointer, i, letters, from, to int, do func(h int) bool) {
	from, to = max(0, from), min(to, c.text.n-letters+1)
	behind := letters - codeLetters
	first, second := codeAt(s, i), codeAt(s, i+behind)
	for from < to {
		n := c.kern.places(&c.buf[from], to-from, behind, first, second, &c.places[0], placesMost)
		for _, h := range c.places[:n] {
			if !do(from + int(h)) {
				return
			}
		}
		if n < placesMost {
			return
		}
		from += int(c.places[n-1]) + 1
	}
}

// codesGo writes the codes at n letters from s on, rounded up to words of eight, to dst. So many
// more letters and a code can be read behind them.
func codesGo(dst, s *byte, n int) {
	p, q := unsafe.Pointer(s), unsafe.Pointer(dst)
	const two = 0x0606060606060606
	for i := 0; i < n; i += 8 {
		w := load64(p, i)&two>>1 | load64(p, i+1)&two<<1 | load64(p, i+2)&two<<3 | load64(p, i+3)&two<<5
		*(*uint64)(unsafe.Add(q, i)) = w
	}
}

// placesGo writes the first places, of n from codes on, at which there is one code and so many
// behind it another one, at most so many, to out, and returns their number. Codes behind them can
// be read.
func placesGo(codes *byte, n, behind int, first, second uint8, out *int32, most int) int {
	p, places := unsafe.Pointer(codes), unsafe.Slice(out, most)
	const ones = 0x0101010101010101
	a, b := ones*uint64(first), ones*uint64(second)
	count := 0
	for i := 0; i < n; i += 8 {
		w := (load64(p, i) ^ a) | (load64(p, i+behind) ^ b)
		// The lowest of the bytes that are marked is zero; those above it may not be.
		for marks := (w - ones) &^ w & (0x80 * ones); marks != 0; marks &= marks - 1 {
			j := bits.TrailingZeros64(marks) >> 3
			if i+j >= n || count == most {
				return count
			}
			if w>>(8*j)&0xff == 0 {
				places[count] = int32(i + j)
				count++
			}
		}
	}
	return count
}
