//go:build !linux

package main

import "os"

// peakKiB is unknown on this system.
func peakKiB(*os.ProcessState) int64 { return 0 }
