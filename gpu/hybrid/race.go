package hybrid

import "time"

// race lets members without work align copies of batches that others hold. The
// first to finish ends the other's attempt, so that the end of a run waits for no
// engine longer than another one would have needed: estimates may be wrong by far, as
// one pair may cost as much as a thousand.
func (d *dealer) race() {
	again := time.Duration(0) // the first of the times after which to ask again
	for _, m := range d.members {
		for len(m.jobs) == m.races && d.hasRoom(m) {
			j, wait := d.prey(m)
			if j == nil {
				if wait > 0 && (again == 0 || wait < again) {
					again = wait
				}
				break
			}
			d.start(j, m)
		}
	}
	if again > 0 {
		d.dealIn(again)
	}
}

// raceGain is the least time that a race is to gain, so that no batch is aligned twice
// for little. A GPU that races for what the CPU holds has nothing better to do.
const raceGain = 20 * time.Millisecond

// stuckTime is the time without a pair finished from which a CPU that rests races for
// batches of a GPU.
const stuckTime = 300 * time.Millisecond

// prey returns the batch that m races for: of the member that needs longest for what
// it holds, the one that it took last. It returns nil if m would not finish it
// much before, and then the time, if it is not 0, after which it would.
func (d *dealer) prey(m *member) (*job, time.Duration) {
	var slowest *member
	longest := 0.0
	for _, o := range d.members {
		if o == m || o.newest() == nil {
			continue
		}
		if s := d.left(o); slowest == nil || s > longest {
			slowest, longest = o, s
		}
	}
	if slowest == nil {
		return nil, 0
	}
	j := slowest.newest()
	takes, idle := d.seconds(m, j.work)+raceGain.Seconds(), time.Since(slowest.ended)
	if m == d.cpu && d.cpuRests {
		idle = slowest.still()
		takes, longest = max(takes, stuckTime.Seconds()), idle.Seconds()
	}
	if takes < longest || slowest == d.cpu {
		return j, 0
	}
	return nil, time.Duration(takes*float64(time.Second)) - idle + time.Millisecond
}

// left returns the time in seconds in which a member finishes what it alone holds. It
// is at least as long as the member has finished nothing.
func (d *dealer) left(m *member) float64 {
	work := 0.0
	for _, j := range m.jobs {
		if len(j.takers) == 1 && !j.over {
			work += j.work
		}
	}
	return max(work/d.rate(m), time.Since(m.ended).Seconds())
}

// dealIn calls deal after a time, if no event does so before.
func (d *dealer) dealIn(wait time.Duration) {
	if d.timer == nil {
		d.timer = time.AfterFunc(wait, d.again)
		return
	}
	d.timer.Reset(wait)
}
