//go:build !linux

package main

// machineMemory is 0: unknown.
func machineMemory() int64 { return 0 }
