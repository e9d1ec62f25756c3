// Package line has what the formats of results have in common: names, and ordinals in the
// place of names.
package line

import (
	"encoding/binary"
	"math/bits"
)

// Ordinal is a number in decimal digits. Counting takes less time than printing every
// number anew.
type Ordinal struct {
	digits [20]byte // enough for every int64; those of the number are the last ones
	start  int
}

// NewOrdinal returns n, which is 0 or more.
func NewOrdinal(n int64) Ordinal {
	o := Ordinal{start: 20}
	for {
		o.start--
		o.digits[o.start] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return o
		}
	}
}

// Next adds 1.
func (o *Ordinal) Next() {
	for i := len(o.digits) - 1; i >= o.start; i-- {
		if o.digits[i] < '9' {
			o.digits[i]++
			return
		}
		o.digits[i] = '0'
	}
	o.start--
	o.digits[o.start] = '1'
}

// Add adds n, which is 0 or more.
func (o *Ordinal) Add(n int64) {
	if n == 1 {
		o.Next()
		return
	}
	var value int64
	for _, d := range o.digits[o.start:] {
		value = 10*value + int64(d-'0')
	}
	*o = NewOrdinal(value + n)
}

// Name returns the first word of a name, and the digits where a pair has none. They are
// valid until the number changes.
func (o *Ordinal) Name(name []byte) []byte {
	if name == nil {
		return o.digits[o.start:]
	}
	return FirstWord(name)
}

// FirstWord returns the name in a header: what stands before the first white space, blanks
// at the very start aside.
func FirstWord(header []byte) []byte {
	if WordRun(header) == len(header) {
		return header // as most are
	}
	start := 0
	for start < len(header) && isSpace(header[start]) {
		start++
	}
	word := header[start:]
	for i := WordRun(word); i < len(word); i++ {
		if isSpace(word[i]) {
			return word[:i]
		}
	}
	return word
}

// WordRun returns how many bytes at the start of s are above the blank.
func WordRun(s []byte) int {
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		if low := notAbove(s[i:]); low != 0 {
			return i + bits.TrailingZeros64(low)/8
		}
	}
	if i > 0 { // the last eight bytes, of which some have been looked at
		if low := notAbove(s[len(s)-8:]); low != 0 {
			return len(s) - 8 + bits.TrailingZeros64(low)/8
		}
		return len(s)
	}
	for i < len(s) && s[i] > ' ' {
		i++
	}
	return i
}

// notAbove is 0 if the first eight bytes of s are above the blank. The lowest bit that is set belongs to
// the first byte that is not; higher bits mean nothing.
func notAbove(s []byte) uint64 {
	w := binary.LittleEndian.Uint64(s)
	return (w - (' '+1)*everyByte) &^ w & highBits
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x80 * everyByte
)

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
