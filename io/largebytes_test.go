package seqio

import (
	"bytes"
	"runtime"
	"testing"
)

// Storage is empty, and zero as far as it goes, however it lies beside huge pages.
func TestLargeBytes(t *testing.T) {
	for _, n := range []int{0, 1, 1<<21 - 1, 1 << 21, 9<<20 + 5, 70_000} {
		b := largeBytes(n)
		if len(b) != 0 || cap(b) < n || bytes.Count(b[:n], []byte{0}) != n {
			t.Errorf("%d bytes: %d of %d", n, len(b), cap(b))
		}
		for i := range b[:n] {
			b[:n][i] = byte(i)
		}
		GiveBack(b) // what is next to it stays, and it can be used again
		for i := range b[:n] {
			b[:n][i] = byte(i)
		}
	}
}

// What is given back is lost, but for less than a page of 64 KiB at either end, and its neighbours stay.
func TestGiveBack(t *testing.T) {
	b := bytes.Repeat([]byte("x"), 1<<20)
	for _, part := range [][2]int{{0, 0}, {100, 101}, {1000, 200_000}, {300_000, 300_000 + 64<<10}} {
		from, to := part[0], part[1]
		GiveBack(b[from:to:to])
		if bytes.Count(b[:from], []byte("x")) != from || bytes.Count(b[to:], []byte("x")) != len(b)-to {
			t.Errorf("%d to %d are given back, and others", from, to)
		}
		if zeros := bytes.Count(b[from:to], []byte{0}); runtime.GOOS == "linux" && zeros < to-from-128<<10 {
			t.Errorf("%d to %d: %d bytes are given back", from, to, zeros)
		}
		copy(b[from:to], bytes.Repeat([]byte("x"), to-from))
	}
}
