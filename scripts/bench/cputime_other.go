//go:build !unix

package main

import "math"

// cpuTime is not known here.
func cpuTime() float64 { return math.NaN() }
