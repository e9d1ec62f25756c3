// Package pack packs the letters of sequences to two bits a base on the host, as
// cuda/pack.cu does on the device.
//
// Packing on the host costs less than it saves: what travels to the device is a
// quarter, and memory bandwidth is what a host with many threads runs out of. It
// needs AVX2; the device packs for hosts without it.
package pack

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

const (
	// Tail is the number of words behind the last that packing may overwrite.
	Tail = 3
	// Ahead is how many pairs before its own a pair's letters are prefetched:
	// late enough to be still in the cache when they are packed, early enough to
	// be there already.
	Ahead = 8
)

// Words is the number of words that the bases of n letters take.
func Words(n int) int { return (n + abi.LettersPerWord - 1) / abi.LettersPerWord }

// Pair writes the bases of a pair, none of whose sequences is empty, to dst:
// first the pattern's, then, from a new word on, the text's. It reports whether
// all letters are A, C, G, T or U, in either case; if not, dst holds anything.
// ahead is a pair that is to be packed soon.
//
// Pair must not be called unless Available.
func Pair(dst []uint32, pair, ahead *align.Pair) bool {
	if packsPairs {
		return packPairAVX512(&dst[0], pair, ahead)
	}
	return packEach(dst, pair, ahead)
}

// packEach is Pair by one sequence after the other, without prefetching.
func packEach(dst []uint32, pair, _ *align.Pair) bool {
	return packSequence(dst, pair.Pattern) && packSequence(dst[Words(len(pair.Pattern)):], pair.Text)
}

// packSequence writes the bases of letters to dst: sixteen to a word, the first in
// the top bits, A 0, C 1, T and U 2, G 3. The rest is as with Pair.
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
