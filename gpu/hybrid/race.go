package hybrid

import (
	"time"

	"wfagpu/align"
)

// race lets members without work align copies of batches that others hold. The
// first to finish ends the other's attempt, so that the end of a run waits for no
// engine longer than another one would have needed: estimates may be wrong by far, as
// one pair may cost as much as a thousand. The caller holds the lock.
func (t *team) race() {
	again := time.Duration(0) // the first of the times after which to ask again
	for _, m := range t.members {
		for len(m.jobs) == m.races && t.hasRoom(m) {
			j, wait := t.prey(m)
			if j == nil {
				if wait > 0 && (again == 0 || wait < again) {
					again = wait
				}
				break
			}
			t.startRace(j, m)
		}
	}
	if again > 0 {
		t.dealIn(again)
	}
}

// raceGain is the least time that a race is to gain, so that no batch is aligned twice
// for little. A GPU that races for what the CPU holds has nothing better to do.
const raceGain = 20 * time.Millisecond

// stuckTime is the time without a batch finished from which a CPU that rests races for
// those of a GPU.
const stuckTime = 300 * time.Millisecond

// prey returns the batch that m races for: of the member that needs longest for what
// it holds, the one that it took last. It returns nil if m would not finish it
// much before, and then the time, if it is not 0, after which it would.
func (t *team) prey(m *member) (*job, time.Duration) {
	var slowest *member
	longest := 0.0
	for _, o := range t.members {
		if o == m || o.newest() == nil {
			continue
		}
		if s := t.left(o); slowest == nil || s > longest {
			slowest, longest = o, s
		}
	}
	if slowest == nil {
		return nil, 0
	}
	j := slowest.newest()
	takes := t.seconds(m, j.work) + raceGain.Seconds()
	if m == t.cpu && t.cpuRests {
		takes, longest = max(takes, stuckTime.Seconds()), time.Since(slowest.ended).Seconds()
	}
	if takes < longest || slowest == t.cpu {
		return j, 0
	}
	return nil, time.Duration(takes*float64(time.Second)) - time.Since(slowest.ended) + time.Millisecond
}

// left returns the time in seconds in which a member finishes what it alone holds. It
// is at least as long as the member has finished nothing.
func (t *team) left(m *member) float64 {
	work := 0.0
	for _, j := range m.jobs {
		if len(j.takers) == 1 && !j.over {
			work += j.work
		}
	}
	return max(work/t.rate(m), time.Since(m.ended).Seconds())
}

// dealIn calls deal after a time, if no event does so before.
func (t *team) dealIn(d time.Duration) {
	if t.timer == nil {
		t.timer = time.AfterFunc(d, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.deal()
		})
		return
	}
	t.timer.Reset(d)
}

// startRace lets a second member align a copy of the batch. The caller holds the
// lock.
func (t *team) startRace(j *job, m *member) {
	b, ok := t.copies.Get().(*align.Batch)
	if !ok {
		b = new(align.Batch)
	}
	b.Pairs, b.First = j.batch.Pairs, j.batch.First
	t.begin(j, m)
	m.races++
	j.copied, j.raced = b, make(chan struct{})
	go func() {
		t.run(j, m, b)
		close(j.raced)
	}()
}
