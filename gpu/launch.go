package gpu

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
)

// work says what is to be done with the tasks of a launch.
type work uint8

const (
	run     work = iota // run kernels
	restart             // choose first passes again, by new rates
	unfit               // the costliest of the tasks do not fit into memory
)

// launch is tasks of one key that leave the queue together.
type launch struct {
	passes.Key
	work   work
	kernel kernel.Kernel
	group  kernel.Group // of the tasks, with bounds and lengths of their queue
	plan   kernel.Plan
	room   int     // for the alignment of each task, in elements
	held   []block // the tasks, until the launch is finished
	parts  []block // those that are run
	memory memory.Span
	cost   float64 // of one task
	cells  float64 // cost of all tasks
	early  bool    // it has begun while there was little work
	fill   float64 // share of the device
	pilot  bool    // has tasks of a pilot
	began  time.Time
	took   time.Duration // to the end of the kernels

	// ctx ends when the launch is stopped. word makes the kernels end soon, once the launch
	// has one.
	ctx  context.Context
	quit context.CancelFunc
	word atomic.Pointer[stopWord]
}

// markPilot marks the tasks as a pilot.
func (l *launch) markPilot() {
	for i := range l.held {
		l.held[i].pilot = true
	}
	l.pilot = true
}

// stop makes the kernels, and the wait for memory ahead of them, end soon. Results do not
// matter any more.
func (l *launch) stop() {
	l.quit()
	if w := l.word.Load(); w != nil {
		w.stop()
	}
}

// stopped reports whether the launch has been stopped.
func (l *launch) stopped() bool { return l.ctx.Err() != nil }

// bind gives the launch its stop word. It reports false if the launch has been stopped.
func (l *launch) bind(w *stopWord) bool {
	l.word.Store(w)
	return !l.stopped()
}

// ended reports whether the results of no task matter.
func (l *launch) ended() bool {
	for i := range l.held {
		if !l.held[i].load.call.ended.Load() {
			return false
		}
	}
	return true
}

// brief reports whether the kernels are likely to take less than a millisecond.
func (l *launch) brief() bool {
	return l.group.Bound < 1000 && l.cost*float64(l.group.Count) < 2*launchCost
}

// fail ends the calls of all tasks with an error.
func (l *launch) fail(err error) {
	for i := range l.held {
		l.held[i].load.call.fail(err)
	}
}

// named adds to an error what the launch is of. A call of the driver that waits for the device
// does not tell.
func (l *launch) named(err error) error {
	g := &l.group
	return fmt.Errorf("%d pairs of up to %d and %d letters (%s kernels): %w", g.Count, g.Pattern, g.Text, l.kernel.Family().Name, err)
}

// trim runs the first n tasks and returns the others.
func (l *launch) trim(n int) (rest []block) {
	l.group.Count = n
	l.parts = slices.Clone(l.held)
	for i := range l.parts {
		p := &l.parts[i]
		if n >= len(p.tasks) {
			n -= len(p.tasks)
			continue
		}
		rest = slices.Clone(l.parts[i:])
		rest[0].tasks = p.tasks[n:]
		if p.tasks = p.tasks[:n:n]; n > 0 {
			i++
		}
		l.parts = l.parts[:i]
		break
	}
	return rest
}
