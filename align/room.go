package align

// roomFor returns s with n elements, of undefined contents.
func roomFor[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/4)
	}
	return s[:n]
}
