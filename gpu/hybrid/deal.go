package hybrid

import (
	"math"
	"time"
)

// The decisions of a team. All functions here are called with its lock held.

// deal gives waiting batches to members. In the order of their arrival, each goes
// to the member that would finish it first, by the work that members hold and by
// their rates. If that member has no room, the batch waits for it; the decision is
// taken again at the next event. If no batch waits, members without work race; see
// race.
func (t *team) deal() {
	if t.timer != nil {
		t.timer.Stop()
	}
	for _, m := range t.members {
		m.reserved = 0
	}
	t.assess()
	kept := t.waiting[:0]
	for _, j := range t.waiting {
		m := t.soonest(j)
		switch {
		case m == nil:
			kept = append(kept, j)
		case t.hasRoom(m):
			t.give(j, m)
		default:
			m.reserved += j.work
			kept = append(kept, j)
		}
	}
	clear(t.waiting[len(kept):])
	t.waiting = kept
	if len(kept) == 0 {
		t.race()
	}
}

// soonest returns the member that would finish a waiting job first, nil without
// members.
func (t *team) soonest(j *job) *member {
	var best *member
	least := math.Inf(1)
	for _, m := range t.members {
		if m == t.cpu && t.cpuRests {
			continue
		}
		if s := t.seconds(m, m.reserved+j.work); s < least {
			best, least = m, s
		}
	}
	return best
}

// seconds returns the time in which a member finishes what it holds and more work.
func (t *team) seconds(m *member, more float64) float64 {
	return (m.work + more) / t.rate(m)
}

// rate returns the measured rate of a member. Without one it follows from the rates
// of others.
func (t *team) rate(m *member) float64 {
	if r, ok := m.meter.rate(); ok {
		return r
	}
	best := 0.0
	for _, o := range t.members {
		if r, ok := o.meter.rate(); ok {
			best = max(best, r*m.assumed/o.assumed)
		}
	}
	if best == 0 {
		return m.assumed
	}
	return best
}

// give makes m the first member that takes a job.
func (t *team) give(j *job, m *member) {
	t.begin(j, m)
	j.given <- m
}

func (t *team) begin(j *job, m *member) {
	m.take(j)
	m.meter.mark(time.Now(), m.isFull(), 0)
}
