package align

// eachByte is 1 in each byte of a word.
const eachByte = 0x0101010101010101

// editBits returns the three bits of the codes of eight letters, and anything but 0 if not all of
// them are among editCodes.
func editBits(w uint64) (x, y, z, odd uint64) {
	x, y, z = w>>1&eachByte, w>>2&eachByte, w>>3&eachByte
	t := y &^ (x | z)
	// T is 0x54; the other letters below 8 have bit 0, those from 8 on have not.
	letters := 0x40*eachByte | x<<1 | y<<2 | z<<3 | t<<4 | eachByte ^ (t | z)
	return x, y, z, w ^ letters
}
