//go:build !linux

package drivertest

// threadID cannot be told here; the fake driver then keeps one current context
// for all threads, and tests with two devices skip.
func threadID() int { return 0 }
