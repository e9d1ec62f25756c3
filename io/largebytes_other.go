//go:build !linux

package seqio

// largeBytes returns empty storage of n bytes.
func largeBytes(n int) []byte { return make([]byte, 0, n) }
