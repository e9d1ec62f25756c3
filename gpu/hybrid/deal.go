package hybrid

import (
	"math"
	"time"
)

// dealer decides which member takes which batch. Its methods are called with the lock of
// its team held, and call limited and start so.
type dealer struct {
	outlook

	members []*member // GPUs, then the CPU
	cpu     *member   // nil if the CPU takes no batch
	waiting []*job    // in the order of arrival
	opening bool      // GPUs may join
	// limited reports whether the host is what keeps the GPUs from going faster. nil
	// is never.
	limited  func() bool
	cpuRests bool // takes no waiting batch

	// start lets a member align a copy of a batch that another one holds.
	start func(*job, *member)
	// timer calls again, which takes the lock and deals. It is nil until the first dealIn.
	timer *time.Timer
	again func()
}

// deal gives waiting batches to members. In the order of their arrival, each goes
// to the member that would finish it first, by the work that members hold and by
// their rates. If that member has no room, the batch waits for it; the decision is
// taken again at the next event. If no batch waits, members without work race; see
// race.
func (d *dealer) deal() {
	if d.timer != nil {
		d.timer.Stop()
	}
	for _, m := range d.members {
		m.reserved = 0
	}
	d.assess()
	kept := d.waiting[:0]
	for _, j := range d.waiting {
		m := d.soonest(j)
		switch {
		case m == nil:
			kept = append(kept, j)
		case d.hasRoom(m):
			if d.give(j, m); m == d.cpu {
				d.assess() // a first batch shows how fast the CPU is; more would wait for it
			}
		default:
			m.reserved += j.work
			kept = append(kept, j)
		}
	}
	clear(d.waiting[len(kept):])
	d.waiting = kept
	if len(kept) == 0 {
		d.race()
	}
}

// soonest returns the member that would finish a waiting job first, nil without
// members.
func (d *dealer) soonest(j *job) *member {
	var best *member
	least := math.Inf(1)
	for _, m := range d.members {
		if m == d.cpu && d.cpuRests {
			continue
		}
		if s := d.seconds(m, m.reserved+j.work); s < least {
			best, least = m, s
		}
	}
	return best
}

// seconds returns the time in which a member finishes what it holds and more work.
func (d *dealer) seconds(m *member, more float64) float64 {
	return (m.work + more) / d.rate(m)
}

// rate returns the measured rate of a member. Without one it follows from the rates
// of others.
func (d *dealer) rate(m *member) float64 {
	if r, ok := m.meter.rate(); ok {
		return r
	}
	best := 0.0
	for _, o := range d.members {
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
func (d *dealer) give(j *job, m *member) {
	j.early = d.opening
	d.begin(j, m)
	j.given <- m
}

func (d *dealer) begin(j *job, m *member) {
	m.take(j)
	m.meter.mark(time.Now(), m.isFull(), 0)
}
