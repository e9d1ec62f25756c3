//go:build unix

package main

import (
	"math"

	"golang.org/x/sys/unix"
)

// cpuTime is that of all threads of this process.
func cpuTime() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return math.NaN()
	}
	return float64(t.Sec) + 1e-9*float64(t.Nsec)
}
