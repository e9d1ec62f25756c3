//go:build !linux

package seqio

// largeBytes returns empty storage of n bytes.
func largeBytes(n int) []byte { return make([]byte, 0, n) }

// GiveBack gives the pages of storage back to the system, where it can.
func GiveBack([]byte) {}
