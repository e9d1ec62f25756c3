package cputime

import (
	"time"

	"golang.org/x/sys/windows"
)

// Process returns the CPU time that all threads of this process have taken, in the system, too.
func Process() (time.Duration, error) {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0, err
	}
	return took(kernel) + took(user), nil
}

// took converts a length of time, which Windows counts in units of 100 ns.
func took(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
