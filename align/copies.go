package align

import "unsafe"

// seedWords is how many words of seedWord letters the search for copies looks at together.
const (
	seedWord  = 8
	seedWords = 8
)

// copiesGo returns a bit for each of seedWords words, one behind the other from seeds on, that the
// text has at one of n shifts: word j begins at letter 8j+i, for an i from 0 to n-1.
func copiesGo(seeds, text *byte, n int) (found uint32) {
	p, t := unsafe.Pointer(seeds), unsafe.Pointer(text)
	for j := range seedWords {
		w := load64(p, seedWord*j)
		for i := range n {
			if load64(t, seedWord*j+i) == w {
				found |= 1 << j
				break
			}
		}
	}
	return found
}
