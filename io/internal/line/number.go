package line

import "strconv"

// AppendInt appends a number in decimal digits. Most numbers of a line are short, and for
// those it takes a third of strconv's time.
func AppendInt(dst []byte, n int) []byte {
	switch {
	case uint(n) < 10:
		return append(dst, byte('0'+n))
	case uint(n) < 100:
		return append(dst, byte('0'+n/10), byte('0'+n%10))
	case uint(n) < 1000:
		return append(dst, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	}
	return strconv.AppendInt(dst, int64(n), 10)
}
