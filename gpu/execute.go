package gpu

// execute does what a launch says. It is the function of a goroutine.
func (e *Engine) execute(l *launch) {
	rates, maxBounds := e.estimate.Rates(), *e.scheduler.maxBounds.Load()
	if l.work != run {
		f := followUp{policy: &e.policy}
		f.begin(rates, maxBounds)
		if l.work == restart {
			f.restart(l)
		} else {
			f.unfit(l)
			rates = nil // not first passes as the rates say
		}
		e.scheduler.finish(l, f.again, rates, &f.stats, func() {})
		return
	}
	r, err := e.runner()
	if err != nil {
		l.fail(err)
		e.scheduler.finish(l, nil, nil, &Stats{}, func() {})
		return
	}
	r.begin(rates, maxBounds)
	pinned, err := e.pin(l, r)
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
	e.estimate.Learn(&r.seen)
	e.scheduler.finish(l, r.again, nil, &r.stats, func() {
		if pinned != nil {
			e.frames.Give(pinned)
		}
		r.again = nil // they refer to batches
		e.mu.Lock()
		defer e.mu.Unlock()
		e.runners = append(e.runners, r)
	})
}

// runner returns an idle runner, or a new one.
func (e *Engine) runner() (*runner, error) {
	e.mu.Lock()
	if last := len(e.runners) - 1; last >= 0 {
		defer e.mu.Unlock()
		r := e.runners[last]
		e.runners = e.runners[:last]
		return r, nil
	}
	e.mu.Unlock()
	return newRunner(e.dev, &e.frames, &e.policy, &e.assembler, e.inside)
}

// pin waits for pinned memory for a launch, until the launch is stopped. If there is only a
// part of what all tasks take, the others are queued again.
func (e *Engine) pin(l *launch, r *runner) ([]byte, error) {
	n := l.group.Count
	pinned, err := e.frames.Take(l.ctx, frameOverhead+n*hostTask, func() int { return frameOverhead + hostTask })
	if err == nil {
		if most := hostTasks(len(pinned)); most < n {
			r.requeue(l.trim(most))
		}
	}
	return pinned, err
}
