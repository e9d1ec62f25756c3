package seqio

import (
	"bytes"
	"testing"
)

// Storage is empty, and zero as far as it goes, however it lies beside huge pages.
func TestLargeBytes(t *testing.T) {
	for _, n := range []int{0, 1, 1<<21 - 1, 1 << 21, 9<<20 + 5} {
		b := largeBytes(n)
		if len(b) != 0 || cap(b) < n || bytes.Count(b[:n], []byte{0}) != n {
			t.Errorf("%d bytes: %d of %d", n, len(b), cap(b))
		}
		for i := range b[:n] {
			b[:n][i] = byte(i)
		}
	}
}
