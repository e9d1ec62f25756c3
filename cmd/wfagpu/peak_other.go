//go:build !linux

package main

// peakMemory is unknown on this system; see peak_linux.go.
func peakMemory() int64 { return 0 }
