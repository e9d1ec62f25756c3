package driver

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// beginNaps binds the goroutine to its thread, and lets sleeps of the thread end on time: the
// system adds up to 50 us by default. end undoes both.
func beginNaps() (end func()) {
	runtime.LockOSThread()
	const slack = 1000 // ns
	setSlack(slack)
	return func() {
		setSlack(0) // the default
		runtime.UnlockOSThread()
	}
}

// setSlack ignores errors: sleeps are longer then.
func setSlack(ns uintptr) { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, ns, 0, 0, 0) }

// nap sleeps for some time, or until a signal comes.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&t, nil)
}
