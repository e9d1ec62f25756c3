package gpu

// pack writes the bases of letters to dst as cuda/pack.cu does: sixteen to a
// word, the first on top, A 0, C 1, T and U 2, G 3. It may overwrite one word
// behind the last. It reports whether all are A, C, G, T or U, in either case;
// if not, dst holds anything.
//
// It must not be called unless canPack: the device packs on hosts for which plain
// Go would be all there is.
//
// Packing on the host costs less than it saves: what is bound for the device is
// a quarter, and memory bandwidth is what a host with many threads runs out of.
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
