// Package pack packs the letters of sequences to two bits per base.
//
// Packed sequences are a quarter of the size, and memory bandwidth limits a host
// with many threads, so packing costs less time than it saves.
package pack

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

const (
	// Tail is the number of words past the last one that packing may overwrite.
	Tail = 3
	// Ahead is the prefetch distance of letters, in pairs: large enough for the
	// latency of memory, small enough for the cache.
	Ahead = 8
)

// Words returns the number of words of n packed bases.
func Words(n int) int { return (n + abi.LettersPerWord - 1) / abi.LettersPerWord }

// Pair packs a pair of non-empty sequences into dst: the pattern, then, at the next
// word, the text. It reports whether all letters are A, C, G, T or U, in either case;
// if not, the contents of dst are undefined. ahead is a later pair to prefetch.
// dst has Tail words more than the pair takes.
func Pair(dst []uint32, pair, ahead *align.Pair) bool {
	switch {
	case hasAVX512:
		return packPairAVX512(&dst[0], pair, ahead)
	case hasAVX2:
		return packEach(dst, pair, ahead)
	}
	return packPairGo(dst, pair, ahead)
}

// packEach packs one sequence after the other, with AVX2 and without prefetching.
func packEach(dst []uint32, pair, _ *align.Pair) bool {
	return packSequence(dst, pair.Pattern) && packSequence(dst[Words(len(pair.Pattern)):], pair.Text)
}

// packSequence packs letters into dst: sixteen per word, the first in the top bits;
// A is 0, C 1, T and U 2, G 3. It reports the same as Pair.
func packSequence(dst []uint32, letters []byte) bool {
	if n := len(letters); n >= 16 {
		return packLetters(&dst[0], &letters[0], n)
	}
	var few [16]byte
	for i := copy(few[:], letters); i < len(few); i++ {
		few[i] = 'A'
	}
	return packLetters(&dst[0], &few[0], len(few))
}
