package cache

// Prefetch begins to load the lines of s, and does not wait for them. Pages that have gone are
// no fault.
func Prefetch(s []byte) {
	if len(s) > 0 {
		prefetch(&s[0], len(s))
	}
}

// prefetch prefetches n bytes, 1 or more.
//
//go:noescape
func prefetch(s *byte, n int)
