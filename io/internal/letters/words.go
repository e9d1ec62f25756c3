package letters

import "encoding/binary"

// runWords is the start of Run without vectors: it returns a part of the run, up to the 32
// bytes that have something else than A to Z.
func runWords(s []byte) int {
	i := 0
	for ; len(s)-i >= 32; i += 32 {
		w := s[i : i+32 : i+32]
		a := nonLetters(binary.LittleEndian.Uint64(w))
		b := nonLetters(binary.LittleEndian.Uint64(w[8:]))
		c := nonLetters(binary.LittleEndian.Uint64(w[16:]))
		d := nonLetters(binary.LittleEndian.Uint64(w[24:]))
		if (a|b|c|d)&highBits != 0 && byteRun(w) < 32 {
			break
		}
	}
	return i
}
