//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"syscall"
)

// leastDescriptors are the standard streams, an input, an output, and four of Go's
// runtime: two to wait for pipes, and up to two to read the limits of its control
// group. Without the former the runtime ends the process with a trace and exit code
// 2. It can do so before main where fewer than seven are allowed.
const leastDescriptors = 9

// reserveDescriptors reports whether the limit of open files leaves room for a run,
// and makes the runtime open its own while there is. Later ones that do not fit are
// errors of the call that opens them.
func reserveDescriptors() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Cur < leastDescriptors {
		return fmt.Errorf("%w: the limit (ulimit -n) is %d, at least %d are needed", syscall.EMFILE, limit.Cur, leastDescriptors)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	r.Close()
	return w.Close()
}
