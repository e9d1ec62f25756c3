package gpu

import "wfagpu/align"

// packTail is the number of words behind the last that packing may overwrite.
const packTail = 3

// aheadPairs is how many pairs before its own a pair's letters are fetched from
// memory: late enough to be still there when they are packed, early enough to be
// there already.
const aheadPairs = 8

// packPair writes the bases of a pair, none of whose sequences is empty, to dst:
// first the pattern's, then, from a new word on, the text's. It reports whether
// all letters are A, C, G, T or U, in either case; if not, dst holds anything.
// ahead is a pair that will be packed soon.
//
// It must not be called unless canPack: the device packs on hosts for which plain
// Go would be all there is.
//
// Packing on the host costs less than it saves: what is bound for the device is
// a quarter, and memory bandwidth is what a host with many threads runs out of.
func packPair(dst []uint32, pair, ahead *align.Pair) bool {
	if packsPairs {
		return packPairAVX512(&dst[0], pair, ahead)
	}
	return packEach(dst, pair, ahead)
}

// packEach is packPair by one sequence after the other, without looking ahead.
func packEach(dst []uint32, pair, _ *align.Pair) bool {
	return pack(dst, pair.Pattern) && pack(dst[words(len(pair.Pattern)):], pair.Text)
}

// pack writes the bases of letters to dst as cuda/pack.cu does: sixteen to a
// word, the first on top, A 0, C 1, T and U 2, G 3. The rest is as with packPair.
func pack(dst []uint32, letters []byte) bool {
	if n := len(letters); n >= 16 {
		return packLetters(&dst[0], &letters[0], n)
	}
	var few [16]byte
	for i := copy(few[:], letters); i < len(few); i++ {
		few[i] = 'A'
	}
	return packLetters(&dst[0], &few[0], len(few))
}
