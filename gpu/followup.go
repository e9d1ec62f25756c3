package gpu

import (
	"slices"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/passes"
)

// followUp collects what becomes of tasks that a launch has not finished: other passes,
// and fallbacks to another engine. Its storage is reused by the next launch.
type followUp struct {
	policy    *passes.Policy
	rates     *estimate.Rates
	maxBounds []int

	again []requeued
	stats Stats

	// Of the load at hand.
	load     *load
	retried  []passes.Task
	fallback []int32 // pairs of the batch
	sorter   sorter
}

// begin begins a launch, whose tasks get their next passes by some rates and bounds.
func (f *followUp) begin(r *estimate.Rates, maxBounds []int) {
	f.rates, f.maxBounds = r, maxBounds
	f.again, f.stats = nil, Stats{}
	// A load whose results were wrong has left these.
	f.load, f.retried, f.fallback = nil, f.retried[:0], f.fallback[:0]
	f.sorter.clear()
}

// retry queues a task for another pass.
func (f *followUp) retry(t *passes.Task) { f.retried = append(f.retried, *t) }

// fallBack gives a task's pair to another engine.
func (f *followUp) fallBack(t *passes.Task, cause error) {
	markFallback(f.load.call, int(t.Index), cause, &f.stats)
	f.fallback = append(f.fallback, t.Index)
}

// choose queues a task for the pass that the policy has chosen, or gives it to another
// engine for the cause err.
func (f *followUp) choose(t *passes.Task, err error) {
	if err != nil {
		f.fallBack(t, err)
		return
	}
	f.retry(t)
}

// end ends a load of the launch.
func (f *followUp) end() {
	if len(f.fallback) > 0 {
		f.load.call.fallback(f.fallback)
		f.fallback = f.fallback[:0]
	}
	if len(f.retried) > 0 {
		f.sorter.clear()
		for i := range f.retried {
			f.sorter.add(&f.retried[i], f.policy.Key(&f.retried[i]))
		}
		tasks := f.sorter.deal(f.retried, nil)
		if len(f.sorter.groups) == 1 {
			f.sorter.groups[0].tasks = slices.Clone(tasks)
		}
		for _, g := range f.sorter.groups {
			f.again = append(f.again, requeued{f.load, g})
		}
		f.sorter.clear()
		f.retried = f.retried[:0]
	}
	f.load = nil // idle storage keeps no batch in memory
}

// each calls do with every task of a launch, load by load, unless its call has ended.
func (f *followUp) each(l *launch, do func(t *passes.Task)) {
	for _, part := range l.parts {
		if part.load.call.ended.Load() {
			continue
		}
		f.load = part.load
		for i := range part.tasks {
			do(&part.tasks[i])
		}
		f.end()
	}
}

// restart chooses the first passes of a launch's tasks again.
func (f *followUp) restart(l *launch) {
	f.each(l, func(t *passes.Task) { f.choose(t, f.policy.First(t, f.rates, f.maxBounds)) })
}

// unfit gives the tasks with the largest bounds of a launch, of which not one fits into
// memory, another kernel, a lower bound, or another engine. The others are queued
// again.
func (f *followUp) unfit(l *launch) {
	largest := int32(0)
	for _, part := range l.parts {
		for i := range part.tasks {
			largest = max(largest, part.tasks[i].Bound)
		}
	}
	f.each(l, func(t *passes.Task) {
		if t.Bound >= largest-largest/8 {
			f.choose(t, f.policy.Smaller(t, f.rates, f.maxBounds))
		} else {
			f.retry(t)
		}
	})
}

// requeue queues blocks of tasks as they are.
func (f *followUp) requeue(blocks []block) {
	for _, b := range blocks {
		f.load = b.load
		f.retried = append(f.retried, b.tasks...)
		f.end()
	}
}
