//go:build !linux

package drivertest

// threadID returns 0: threads are not distinguished on this system. The fake driver
// has one current context for all threads, and tests with two devices skip.
func threadID() int { return 0 }
