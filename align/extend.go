package align

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// extend moves every reached offset of row m along its diagonal while letters match (the
// paper's LCP). The row's first element is diagonal lo. pattern and text point at the first
// letters of padded sequences.
func extend(m []int32, lo int, pattern, text unsafe.Pointer) {
	for i, off := range m {
		if off < 0 {
			continue
		}
		h := int(off)
		m[i] = int32(h + matchesFrom(pattern, text, h-(lo+i), h))
	}
}

// furthest returns the largest antidiagonal h + v that row m has reached, or a negative
// number when it has reached none.
func furthest(m []int32, lo int) int {
	best, k := null, lo
	for _, h := range m {
		if h := int(h); h >= 0 {
			best = max(best, 2*h-k)
		}
		k++
	}
	return best
}

// matchesFrom counts the equal letters that start at pattern[v] and text[h], eight letters
// at a time. The sentinels behind the sequences are unequal, so the count stops at either
// end.
func matchesFrom(pattern, text unsafe.Pointer, v, h int) int {
	n := 0
	for {
		x := load64(pattern, v+n) ^ load64(text, h+n)
		if x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
		n += 8
	}
}

// mismatchFrom is matchesFrom for letters that are likely to be equal, of which the pattern has so many.
func mismatchFrom(pattern, text unsafe.Pointer, v, h, letters int) int {
	n := 0
	for v+n+32 <= letters {
		p, t := unsafe.Add(pattern, v+n), unsafe.Add(text, h+n)
		x := (load64(p, 0) ^ load64(t, 0)) | (load64(p, 8) ^ load64(t, 8))
		if x|(load64(p, 16)^load64(t, 16))|(load64(p, 24)^load64(t, 24)) != 0 {
			break
		}
		n += 32
	}
	return n + matchesFrom(pattern, text, v+n, h+n)
}

// matchesBefore counts the equal letters that end just before pattern[v] and text[h]. The
// sentinels before the sequences are unequal, so the count stops at either start.
func matchesBefore(pattern, text unsafe.Pointer, v, h int) int {
	n := 0
	for {
		x := load64(pattern, v-n-8) ^ load64(text, h-n-8)
		if x != 0 {
			return n + bits.LeadingZeros64(x)>>3
		}
		n += 8
	}
}

// load64 reads eight letters, the first in the low byte.
func load64(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}
