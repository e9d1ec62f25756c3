package driver

import (
	"slices"
	"sync"
	"time"
)

// waiter tells goroutines when the work of a device's streams is done. One goroutine asks
// for all streams that are waited for, on a thread of its own that sleeps in between.
//
// A goroutine that waited in a call of the driver would hold a thread, and keep others that
// are ready from running for some time. One that slept by a timer of Go's runtime would
// sleep for up to a millisecond, the least that an idle runtime sleeps.
type waiter struct {
	mu      sync.Mutex
	waits   []*wait
	running bool // the goroutine
}

// wait is the wait for one stream.
type wait struct {
	stream      *Stream
	began, next time.Time // next is when the device is asked again
	over        bool
	done        chan error
}

const (
	// The device is asked again after a part of the time that a stream has been waited for, the
	// waitShare-th, but after leastPoll at least and mostPoll at most.
	leastPoll = 10 * time.Microsecond
	mostPoll  = 200 * time.Microsecond
	waitShare = 8
	// Sleeps take leastPoll at least, and longestNap at most, so that streams whose wait begins
	// meanwhile are asked soon.
	longestNap = 20 * time.Microsecond
)

// wait returns when all work of a stream is done, or with the error of a query.
func (w *waiter) wait(s *Stream) error {
	now := time.Now()
	x := &wait{stream: s, began: now, next: now.Add(leastPoll), done: make(chan error, 1)}
	w.mu.Lock()
	w.waits = append(w.waits, x)
	if !w.running {
		w.running = true
		go w.run()
	}
	w.mu.Unlock()
	return <-x.done
}

// run asks until nothing is waited for.
func (w *waiter) run() {
	defer beginNaps()()
	var due []*wait
	for {
		now := time.Now()
		earliest, ok := w.earliest(now, &due)
		switch {
		case !ok:
			return
		case len(due) == 0:
			nap(min(max(earliest.Sub(now), leastPoll), longestNap))
		}
		for _, x := range due {
			x.ask()
		}
	}
}

// earliest returns when the device is to be asked next, and sets due to the waits for which that is
// now. If nothing is waited for, it reports false, and the goroutine ends.
func (w *waiter) earliest(now time.Time, due *[]*wait) (next time.Time, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = slices.DeleteFunc(w.waits, func(x *wait) bool { return x.over })
	*due = (*due)[:0]
	for i, x := range w.waits {
		if i == 0 || x.next.Before(next) {
			next = x.next
		}
		if !now.Before(x.next) {
			*due = append(*due, x)
		}
	}
	w.running = len(w.waits) > 0
	return next, w.running
}

// ask ends the wait if the stream's work is done, or the device has failed.
func (x *wait) ask() {
	done, err := x.stream.idle()
	if done || err != nil {
		x.over = true
		x.done <- err
		return
	}
	now := time.Now()
	x.next = now.Add(min(max(now.Sub(x.began)/waitShare, leastPoll), mostPoll))
}
