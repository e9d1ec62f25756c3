package hybrid

import "time"

// meter measures the rate of an engine: work done in the time in which it has enough
// to show what it can do. With less than that, a GPU takes as long for a batch as for
// many at a time. Older measurements fade.
type meter struct {
	full  bool // it has enough
	since time.Time
	busy  time.Duration
	work  float64
}

// fadeTime is the busy time from which older measurements fade.
const fadeTime = 4 * time.Second

// mark records whether the engine has enough from now on, and work that it has done
// until now.
func (m *meter) mark(now time.Time, full bool, work float64) {
	if m.full {
		m.busy += now.Sub(m.since)
		m.work += work
	}
	if m.busy > fadeTime {
		m.busy /= 2
		m.work /= 2
	}
	m.full, m.since = full, now
}

// rate returns the work per second, and false if none has been measured.
func (m *meter) rate() (float64, bool) {
	if m.work == 0 || m.busy <= 0 {
		return 0, false
	}
	return m.work / m.busy.Seconds(), true
}
