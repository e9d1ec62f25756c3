package gpu

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wfagpu/gpu/internal/estimate"
	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
)

// scheduler queues the tasks of all loads and forms launches of them. It is safe for
// concurrent use.
type scheduler struct {
	policy   *passes.Policy
	estimate *estimate.Estimator
	planner  planner
	// execute does what a launch says, in a goroutine of its own, and calls finish.
	execute func(l *launch)
	// release takes back the sequences of a load whose tasks are finished.
	release func(l *load)
	// maxBounds has, by kernel, the largest score bound whose rows fit into memory.
	maxBounds atomic.Pointer[[]int]

	mu      sync.Mutex
	arena   memory.Arena // memory of launches
	queues  queues
	flight  flight
	timer   *time.Timer // dispatches when a queue has waited long enough
	account account

	// retry is set before the first call, and when the device has refused memory. Other calls begin without the lock.
	retry  atomic.Bool
	totals totals
}

// newScheduler returns a scheduler with device memory for launches.
func newScheduler(p *passes.Policy, c *kernel.Config, e *estimate.Estimator, launches memory.Arena) *scheduler {
	s := &scheduler{
		policy: p, estimate: e, planner: planner{p, c, map[passes.Key]float64{}}, arena: launches,
		flight: flight{launches: map[*launch]struct{}{}}, queues: queues{at: map[passes.Key]*queue{}},
	}
	s.retry.Store(true)
	s.timer = time.AfterFunc(math.MaxInt64, s.wake)
	s.setLimits()
	return s
}

// setLimits computes the largest bounds for the memory at present. A sixteenth is for
// what a pair takes beside its rows.
func (s *scheduler) setLimits() {
	bounds := make([]int, len(s.policy.Kernels.Kernels))
	for i, k := range s.policy.Kernels.Kernels {
		bounds[i] = k.MaxBound(s.arena.Limit() / 16 * 15 / 4)
	}
	s.maxBounds.Store(&bounds)
	s.policy.Words.Store(int64(s.arena.Limit() / 4))
}

// begin notes that a call begins: memory that another process has taken may be back.
func (s *scheduler) begin() {
	if !s.retry.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.account.last.IsZero() {
		s.account.last = time.Now()
	}
	s.retry.Store(false)
	if s.arena.Retry() {
		s.setLimits()
	}
}

// add queues the tasks of a load, chosen by rates.
func (s *scheduler) add(l *load, groups []group, r *estimate.Rates) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.tick()
	for i := range groups {
		if len(groups[i].tasks) > 0 { // some of pairs with letters that the GPU does not take
			s.push(l, &groups[i], r, false, now)
		}
	}
	s.dispatch(now)
}

// push queues the tasks of a load with one key. r is nil for later passes; pilot says that
// they come from a pilot.
func (s *scheduler) push(l *load, g *group, r *estimate.Rates, pilot bool, now time.Time) {
	if l.call.ended.Load() {
		s.gone(l, len(g.tasks))
		return
	}
	q := s.queues.of(g.Key, s.policy.Kernels.Cost(g.Kernel, &g.Group))
	b := block{load: l, tasks: g.tasks, pilot: pilot}
	if r != nil && s.policy.Learns(g.Class) {
		b.version = r[g.Class].Version
	}
	q.push(b, g.Group, now)
}

// dispatch starts all launches that can be formed. s.mu is locked.
func (s *scheduler) dispatch(now time.Time) {
	s.account.short = false
	for {
		waiting := s.queues.work()
		if len(s.flight.launches) >= s.flight.most(waiting) {
			return
		}
		l, later := s.form(now, waiting)
		if l == nil {
			if !later.IsZero() {
				s.timer.Reset(later.Sub(now))
			}
			return
		}
		l.began = now
		s.flight.enter(l)
		if l.work == run {
			s.account.running++
			s.account.launches++
		}
		go s.execute(l)
	}
}

// wake dispatches when a queue has waited long enough.
func (s *scheduler) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dispatch(s.tick())
}

// finish ends a launch. again are the tasks of its loads that need another pass, as the
// rates r say if it is not nil. finish calls idle when nothing refers to the launch any
// more, before calls end and other launches are formed.
func (s *scheduler) finish(l *launch, again []requeued, r *estimate.Rates, stats *Stats, idle func()) {
	s.totals.add(stats)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.tick()
	s.flight.leave(l)
	if l.work == run {
		s.account.running--
		s.arena.Give(l.memory)
	}
	for i := range again {
		a := &again[i]
		a.load.open += len(a.tasks)
		s.push(a.load, &a.group, r, l.pilot, now)
	}
	idle()
	for i := range l.held {
		s.gone(l.held[i].load, len(l.held[i].tasks))
	}
	s.dispatch(now)
}

// requeued are tasks of a load with one key that need another pass.
type requeued struct {
	load *load
	group
}

// gone notes that tasks of a load are finished, or need not be.
func (s *scheduler) gone(l *load, tasks int) {
	if l.open -= tasks; l.open == 0 {
		s.release(l)
	}
}

// drop removes the tasks of calls that have ended, and stops launches that have no
// others.
func (s *scheduler) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.tick()
	for _, q := range slices.Clone(s.queues.order) {
		q.drop(s.gone)
		s.queues.clean(q)
	}
	for l := range s.flight.launches {
		if l.ended() {
			l.stop()
		}
	}
	s.dispatch(now)
}

// close frees the memory of launches. No task may be left.
func (s *scheduler) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer.Stop()
	return s.arena.Close()
}

// tick returns the time, after it has added the time since the last change to the
// account.
func (s *scheduler) tick() time.Time {
	now := time.Now()
	s.account.advance(now, len(s.queues.order) > 0)
	return now
}

// waiting notes that loads begin to wait for memory, or end.
func (s *scheduler) waiting(loads int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	s.account.loads += loads
}

// statistics returns those of all calls so far.
func (s *scheduler) statistics() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	t := s.totals.clone()
	t.Launches = s.account.launches
	t.Busy, t.InputTime, t.MemoryTime = s.account.busy, s.account.input, s.account.memory
	return t
}
