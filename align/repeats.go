package align

import (
	"math/bits"
	"unsafe"
)

// repeats finds the words of a text that it has twice, or that have the hash of another one, close to
// each other.
type repeats struct {
	kern  *kernels
	last  []int32 // by hash: base and the letter at which the last such word begins
	base  int
	marks []uint64 // a bit for each letter at which a word with a copy begins
}

const (
	// Bits of a hash: so many more than those of far that few words have the hash of another one by
	// chance, but a small table.
	moreWordBits  = 6
	leastWordBits = 10
	mostWordBits  = 16
	wordFactor    = 0x1d8af066a2c9d3b5 // odd, without a pattern
	mostBase      = 1 << 29            // also the most letters: sums of base, far and a letter fit their type
)

// find sets marks for words that begin at most far letters apart.
func (r *repeats) find(text *sequence, far int) {
	if r.last == nil {
		r.last = make([]int32, 1<<mostWordBits)
	}
	if r.base > mostBase {
		clear(r.last)
		r.base = 0
	}
	r.base += far + 1 // what the table has of other texts is further away
	r.marks = roomFor(r.marks, text.n/64+2)
	clear(r.marks)
	n := text.n - seedWord + 1
	if n <= 0 {
		return
	}
	hash := min(max(bits.Len(uint(far))+moreWordBits, leastWordBits), mostWordBits)
	r.kern.repeats((*byte)(text.first()), n, &r.last[0], 64-hash, r.base, far, &r.marks[0])
	r.base += n
}

// marked returns a bit for each of seedWords words, one behind the other from letter h on, that has a copy.
func (r *repeats) marked(h int) uint32 {
	i, shift := h/64, h%64
	marks := r.marks[i] >> shift
	if shift > 0 {
		marks |= r.marks[i+1] << (64 - shift)
	}
	const each = 0x0101010101010101
	// The lowest bit of byte j comes to bit 56+j.
	return uint32(marks & each * 0x0102040810204080 >> 56)
}

// repeatsGo marks the n words of eight letters from text on whose hash a word has that begins at most far
// letters before or behind, as repeats describes it. shift is 64 less the bits of a hash.
func repeatsGo(text *byte, n int, last *int32, shift, base, far int, marks *uint64) {
	table := (*[1 << mostWordBits]int32)(unsafe.Pointer(last))
	reach, first := int32(far), int32(base)
	for at := first; at < first+int32(n); at++ {
		entry := &table[load64(unsafe.Pointer(text), 0)*wordFactor>>(shift&63)&(1<<mostWordBits-1)]
		before := *entry
		*entry = at
		if at-before <= reach {
			mark(marks, at-first)
			mark(marks, before-first)
		}
		text = (*byte)(unsafe.Add(unsafe.Pointer(text), 1))
	}
}

func mark(marks *uint64, h int32) {
	*(*uint64)(unsafe.Add(unsafe.Pointer(marks), h>>6<<3)) |= 1 << (h & 63)
}
