package letters

// complements has the complement of every letter of the IUPAC code in its case; other
// letters are their own. Those of U and T are A, and that of A is T, also in RNA: mappers write
// so, and BAM has one code for both.
var complements = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	for _, pair := range []string{"AT", "CG", "RY", "KM", "BV", "DH"} {
		a, b := pair[0], pair[1]
		t[a], t[b], t[a|0x20], t[b|0x20] = b, a, b|0x20, a|0x20
	}
	t['U'], t['u'] = 'A', 'a'
	return t
}()

// AppendReverseComplement appends the other strand of s.
func AppendReverseComplement(dst, s []byte) []byte {
	start := len(dst)
	dst = append(dst, s...)
	to := dst[start:]
	for i, b := range s {
		to[len(to)-1-i] = complements[b]
	}
	return dst
}

// AppendReverse appends s backwards.
func AppendReverse(dst, s []byte) []byte {
	start := len(dst)
	dst = append(dst, s...)
	to := dst[start:]
	for i, b := range s {
		to[len(to)-1-i] = b
	}
	return dst
}
