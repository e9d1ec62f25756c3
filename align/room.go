package align

// roomFor returns s with n elements, of undefined contents.
func roomFor[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n, n+n/4)
	}
	return s[:n]
}

// moreRoom returns s with room for n more elements. Its room doubles up to most elements, for what append leaves
// behind on the way to a large slice is as much as several of them.
func moreRoom[E any](s []E, n, most int) []E {
	need := len(s) + n
	if need <= cap(s) {
		return s
	}
	return append(make([]E, 0, max(need, min(2*cap(s), most))), s...)
}
