package gpu

import (
	"context"
	"slices"
	"time"

	"wfagpu/gpu/internal/estimate"
)

const (
	// Below spareFill devices, and with no other tasks waiting, the device has little to do.
	spareFill = 0.25
	// pilotTasks is the size of the first launches of lengths of which no scores have been seen:
	// the others wait for passes that are more than a guess.
	pilotTasks = 2 * estimate.Enough
	// A pilot of slow tasks takes longer than it saves if their call has up to mostUnpiloted pairs, and they take less than
	// pilotWork, some milliseconds of the device.
	mostUnpiloted, pilotWork = 10 * pilotTasks, 8 * launchCost
	// patience is how long a queue waits for the memory of a large launch before it
	// takes less, or before others wait behind it.
	patience = 20 * time.Millisecond
)

// form forms the next launch, of the queue with the costliest tasks that has enough of
// them, or of one whose tasks have waited too long. If there is none, later is when a queue
// will have waited long enough, zero if no queue waits for that. waiting is the work of all queues.
func (s *scheduler) form(now time.Time, waiting float64) (l *launch, later time.Time) {
	r := s.estimate.Rates()
	overdue := s.queues.overdue(now)
	for i := 0; i < len(s.queues.order); i++ {
		q := s.queues.order[i]
		if overdue != nil {
			q, overdue, i = overdue, nil, -1
		}
		if n := q.stale(r[q.Class].Version); n > 0 {
			return s.pop(q, min(n, launchTasks), restart, now), later
		}
		n, pilot := s.wanted(q, r)
		if n == 0 {
			continue
		}
		wave, err := s.planner.wave(q, s.arena.Limit())
		if until := q.since.Add(s.flight.gathering(float64(n)/wave, float64(n)*q.cost, q.cost, waiting, !q.blocks[0].load.call.whole())); err == nil && now.Before(until) {
			later = sooner(later, until)
			continue
		}
		if err == nil {
			q.Spare = s.flight.fill < spareFill && len(s.queues.order) == 1
			if l, err = s.place(q, n, now); s.arena.Refused() {
				s.retry.Store(true)
			}
		}
		switch {
		case err != nil:
			s.fail(q, err)
			i = -1 // queues may be gone
		case l != nil:
			l.fill, l.cells = float64(l.group.Count)/wave, l.cost*float64(l.group.Count)
			l.early = s.flight.little(waiting)
			if pilot && l.work == run {
				l.markPilot()
			}
			return l, later
		default:
			s.account.short = true
			if q.short.IsZero() {
				q.short = now
			}
			until := q.short.Add(patience)
			if !now.Before(until) {
				return nil, later // smaller launches would take the memory
			}
			later = sooner(later, until)
		}
	}
	return nil, later
}

// sooner returns the earlier of two times, of which the first may be zero.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// wanted returns the number of tasks that a launch of a queue should have, at most those
// that there are, and whether they are a pilot. It returns 0 while a pilot of their
// lengths is under way. Bounding passes need no scores, and passes that shorter pairs would take
// are no mere guesses. But pairs of few errors, which a gated pass aligns, would have been
// through them before any score of theirs is seen.
func (s *scheduler) wanted(q *queue, r *estimate.Rates) (n int, pilot bool) {
	first := s.policy.Learns(q.Class) && q.blocks[0].version != 0
	of := &r[q.Class]
	alone := q.Count <= 4*pilotTasks
	if s.policy.Bounds(q.Kernel) || of.Known {
		alone = s.policy.GatedWork(int(q.Class), max(q.Pattern, q.Text)) == nil
	}
	switch {
	case of.Own || of.Gated || !first || alone || q.piloting() || unpiloted(q):
		return min(q.Count, launchTasks), false
	case s.piloting(q.Class):
		return 0, false
	}
	return min(q.Count, pilotTasks), true
}

// unpiloted reports whether tasks of a queue do better without a pilot.
func unpiloted(q *queue) bool {
	return q.cost >= slowTask && q.work() < pilotWork && len(q.blocks[0].load.call.batch.Pairs) <= mostUnpiloted
}

// piloting reports whether some tasks of a pilot of a length class are not finished.
func (s *scheduler) piloting(class uint8) bool {
	for l := range s.flight.launches {
		if l.pilot && l.Class == class {
			return true
		}
	}
	return slices.ContainsFunc(s.queues.order, func(q *queue) bool { return q.Class == class && q.piloting() })
}

// place plans a launch of up to n tasks and takes memory for it. It returns nil if the
// memory is in use by other launches.
func (s *scheduler) place(q *queue, n int, now time.Time) (*launch, error) {
	for {
		limit := s.arena.Limit()
		f, err := s.planner.fit(q, n, limit/4)
		if err == nil && f.n == 0 { // alone, and with more memory
			f, err = s.planner.fit(q, 1, limit)
		}
		if err != nil {
			return nil, err
		}
		if f.n == 0 {
			return s.pop(q, q.Count, unfit, now), nil
		}
		if have := s.arena.Room(); f.bytes(f.n) > have {
			less, err := s.planner.fit(q, f.n, have)
			if err != nil {
				return nil, err
			}
			alone := s.arena.Idle()
			impatient := !q.short.IsZero() && now.Sub(q.short) >= patience
			switch {
			case less.n > 0 && (alone || impatient || 4*less.wide() >= f.wide()):
				f = less
			case !alone:
				return nil, nil
			default:
				if err := s.arena.Renew(f.bytes(f.n)); err != nil {
					return nil, err
				}
				if s.arena.Limit() != limit {
					s.setLimits()
				}
				continue
			}
		}
		memory, ok, err := s.arena.Take(f.bytes(f.n))
		if err != nil {
			return nil, err
		}
		if !ok { // the driver has refused a slab
			continue
		}
		l := s.pop(q, f.n, run, now)
		l.kernel, l.plan, l.room, l.memory = s.policy.Kernels.Kernels[q.Kernel], f.plan, f.room, memory
		return l, nil
	}
}

// pop forms a launch of the first n tasks of a queue.
func (s *scheduler) pop(q *queue, n int, w work, now time.Time) *launch {
	l := &launch{Key: q.Key, work: w, group: q.Group, cost: q.cost}
	l.ctx, l.quit = context.WithCancel(context.Background())
	l.group.Count = n
	l.held = q.pop(n)
	l.parts = l.held
	l.pilot = slices.ContainsFunc(l.held, func(b block) bool { return b.pilot })
	q.since, q.short = now, time.Time{}
	s.queues.clean(q)
	return l
}

// fail ends all calls that have tasks in a queue.
func (s *scheduler) fail(q *queue, err error) {
	for i := range q.blocks {
		q.blocks[i].load.call.fail(err)
	}
	q.drop(s.gone)
	s.queues.clean(q)
}
