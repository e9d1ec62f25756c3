//go:build !linux

package driver

import "time"

// beginNaps prepares a goroutine for naps.
func beginNaps() (end func()) { return func() {} }

// nap sleeps for some time.
func nap(d time.Duration) { time.Sleep(d) }
