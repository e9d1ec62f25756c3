package drivertest

import "syscall"

// threadID returns the calling OS thread. It is meaningful only while the goroutine
// is locked to the thread.
func threadID() int { return syscall.Gettid() }
