package letters

import "encoding/binary"

// Values reports whether all bytes of s are quality values of FASTQ, '!' to '~'.
func Values(s []byte) bool {
	n := len(s)
	if n < 8 {
		for _, b := range s {
			if b < '!' || b > '~' {
				return false
			}
		}
		return true
	}
	if n >= 32 {
		if values, known := valuesVectors(s); known {
			return values
		}
	}
	bad := notValues(binary.LittleEndian.Uint64(s[n-8:]))
	for ; len(s) >= 8; s = s[8:] {
		bad |= notValues(binary.LittleEndian.Uint64(s))
	}
	return bad == 0
}

// notValues is 0 if the eight bytes of w are quality values: none has its high bit set or gets it
// from an addition of 1, and none loses it, if it had it, by a subtraction of '!'.
func notValues(w uint64) uint64 {
	return (w | (w + everyByte) | ^((w | highBits) - '!'*everyByte)) & highBits
}
