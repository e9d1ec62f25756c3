package main

import (
	"os"
	"syscall"
)

// peakKiB is the largest resident size of a process that has ended.
func peakKiB(state *os.ProcessState) int64 {
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(r.Maxrss)
	}
	return 0
}
