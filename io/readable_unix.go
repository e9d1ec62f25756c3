//go:build linux || darwin

package seqio

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readable waits up to d until a read would not block. It returns true at the end
// of the file, too, and where the system cannot tell.
func readable(c syscall.RawConn, d time.Duration) bool {
	ready := true
	until := time.Now().Add(d)
	err := c.Control(func(fd uintptr) {
		for {
			left := max(time.Until(until), 0)
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(fds, int((left+time.Millisecond-1)/time.Millisecond))
			if err == unix.EINTR {
				continue
			}
			ready = n > 0 || err != nil
			return
		}
	})
	return ready || err != nil
}
