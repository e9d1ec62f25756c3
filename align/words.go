package align

import "unsafe"

// wordsBlock is how many letters the search for words looks at together.
const wordsBlock = 32

// wordsGo returns a letter, of n letters from s on, in whose block of wordsBlock letters the first
// one is at which one of two words of eight letters begins; n or more if there is none. Eight
// letters more than a block can be read behind the n letters. Here it is the letter itself;
// the assembly returns the first one of the block.
func wordsGo(s *byte, n int, a, b uint64) int {
	for i := range n {
		if w := load64(unsafe.Pointer(s), i); w == a || w == b {
			return i
		}
	}
	return n
}
