package drivertest

import "syscall"

// threadID names the OS thread that this runs on. It means something only
// while the goroutine is locked to it.
func threadID() int { return syscall.Gettid() }
