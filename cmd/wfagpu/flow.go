package main

import (
	"sync/atomic"
	"time"
)

// flow is where the time of a pipeline goes: the time in which it reads, in which it
// does not read since there is no room for another batch, and in which it writes.
type flow struct {
	reading, full, writing stopwatch
}

// stopwatch adds up times. One goroutine starts and stops it; any may read it.
type stopwatch struct {
	sum   atomic.Int64
	since time.Time
}

func (w *stopwatch) start() { w.since = time.Now() }
func (w *stopwatch) stop()  { w.sum.Add(int64(time.Since(w.since))) }

// time adds the time that f takes.
func (w *stopwatch) time(f func()) {
	w.start()
	defer w.stop()
	f()
}

// total is the time so far.
func (w *stopwatch) total() time.Duration { return time.Duration(w.sum.Load()) }
