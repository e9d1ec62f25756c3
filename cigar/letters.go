package cigar

// Canonical maps every byte to the letter it is compared as: upper case, and
// U as T. All other bytes stand for themselves, so N equals only N.
var Canonical = func() (t [256]byte) {
	for i := range t {
		b := byte(i)
		if b >= 'a' && b <= 'z' {
			b -= 'a' - 'A'
		}
		if b == 'U' {
			b = 'T'
		}
		t[i] = b
	}
	return t
}()
