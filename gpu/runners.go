package gpu

import (
	"errors"
	"sync"

	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
)

// runners run launches, each of which takes one of them. They are safe for concurrent use.
type runners struct {
	dev       *driver.Device
	policy    *passes.Policy
	estimate  *estimate.Estimator
	scheduler *scheduler
	assembler *assembler
	inside    *insider      // nil for models of which no pair has gates
	frames    memory.Pinned // for launches

	mu   sync.Mutex
	idle []*runner
}

// execute does what a launch says. It is the function of a goroutine.
func (x *runners) execute(l *launch) {
	rates, maxBounds := x.estimate.Rates(), *x.scheduler.maxBounds.Load()
	if l.work != run {
		f := followUp{policy: x.policy}
		f.begin(rates, maxBounds)
		if l.work == restart {
			f.restart(l)
		} else {
			f.unfit(l)
			rates = nil // not first passes as the rates say
		}
		x.scheduler.finish(l, f.again, rates, &f.stats, func() {})
		return
	}
	r, err := x.take()
	if err != nil {
		l.fail(err)
		x.scheduler.finish(l, nil, nil, &Stats{}, func() {})
		return
	}
	r.begin(rates, maxBounds)
	pinned, err := x.pin(l, r)
	switch {
	case err == nil:
		err = r.run(l, pinned)
	case l.stopped():
		err = nil // its calls have errors of their own
	}
	if err != nil {
		l.fail(l.named(err))
		r.again = nil
	}
	x.estimate.Learn(&r.seen)
	x.scheduler.finish(l, r.again, nil, &r.stats, func() {
		if pinned != nil {
			x.frames.Give(pinned)
		}
		r.again = nil // they refer to batches
		x.give(r)
	})
}

// take returns an idle runner, or a new one.
func (x *runners) take() (*runner, error) {
	x.mu.Lock()
	if last := len(x.idle) - 1; last >= 0 {
		defer x.mu.Unlock()
		r := x.idle[last]
		x.idle = x.idle[:last]
		return r, nil
	}
	x.mu.Unlock()
	return newRunner(x.dev, &x.frames, x.policy, x.assembler, x.inside)
}

// give takes an idle runner back.
func (x *runners) give(r *runner) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.idle = append(x.idle, r)
}

// pin waits for pinned memory for a launch, until the launch is stopped. If there is only a
// part of what all tasks take, the others are queued again.
func (x *runners) pin(l *launch, r *runner) ([]byte, error) {
	n := l.group.Count
	pinned, err := x.frames.Take(l.ctx, frameOverhead+n*hostTask, func() int { return frameOverhead + hostTask })
	if err == nil {
		if most := hostTasks(len(pinned)); most < n {
			r.requeue(l.trim(most))
		}
	}
	return pinned, err
}

// close closes all runners. None may be running a launch.
func (x *runners) close() error {
	var errs []error
	for _, r := range x.idle {
		errs = append(errs, r.close())
	}
	x.idle = nil
	return errors.Join(append(errs, x.frames.Close())...)
}
