package hybrid

import "time"

// meter measures the rate of an engine: work done in the time in which it has any
// batch. Older measurements fade.
type meter struct {
	jobs  int // under way
	since time.Time
	busy  time.Duration
	work  float64
}

// fadeTime is the busy time from which older measurements fade.
const fadeTime = 4 * time.Second

func (m *meter) begin(now time.Time) {
	if m.jobs == 0 {
		m.since = now
	}
	m.jobs++
}

// end records the end of a batch and the work that came of it.
func (m *meter) end(now time.Time, work float64) {
	m.jobs--
	m.busy += now.Sub(m.since)
	m.since = now
	m.work += work
	if m.busy > fadeTime {
		m.busy /= 2
		m.work /= 2
	}
}

// rate returns the work per second, and false if none has been measured.
func (m *meter) rate() (float64, bool) {
	if m.work == 0 || m.busy <= 0 {
		return 0, false
	}
	return m.work / m.busy.Seconds(), true
}
