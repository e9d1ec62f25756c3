package align

import "unsafe"

// endsGo returns the first diagonal, counted from k0, of the n diagonals of a row from k0 on whose
// offset has come to the end of its diagonal, which is the last letter of either sequence; n if
// there is none. pattern and text are the lengths. The assembly returns the first one of eight
// diagonals.
func endsGo(row *int32, n, k0, pattern, text int) int {
	for i, h := range unsafe.Slice(row, n) {
		if int(h) >= min(k0+i+pattern, text) {
			return i
		}
	}
	return n
}
