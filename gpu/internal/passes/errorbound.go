package passes

// ErrorBound is the user's bound on the errors of a pair. It selects the kernel
// and the memory of a pair's first pass and does not change the result. With the
// zero value, the scores of earlier pairs select them.
type ErrorBound struct {
	Fraction float64 // errors per letter of the longer sequence
	Score    int     // or a score
}
