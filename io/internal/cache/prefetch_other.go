//go:build !amd64

package cache

// Prefetch does nothing on this processor.
func Prefetch([]byte) {}
