package hybrid

import "time"

// loadWatch tells whether the host keeps GPUs from going faster. It must not be used
// concurrently.
type loadWatch struct {
	gpus []GPU
	at   time.Time
	busy time.Duration
	last bool
}

const (
	// loadTime is the time between two looks at the GPUs.
	loadTime = 20 * time.Millisecond
	// loadShare is the share of the time in which kernels run, from which the
	// device is the limit.
	loadShare = 0.75
)

// hostLimits reports whether, since the last look, GPUs computed for less than
// loadShare of the time: the host reads, packs and writes too slowly for them.
func (w *loadWatch) hostLimits() bool {
	now := time.Now()
	passed := now.Sub(w.at)
	if passed < loadTime {
		return w.last
	}
	var busy time.Duration
	for _, g := range w.gpus {
		busy += g.Stats().Busy
	}
	if !w.at.IsZero() && busy > 0 {
		w.last = float64(busy-w.busy) < loadShare*float64(passed)*float64(len(w.gpus))
	}
	w.at, w.busy = now, busy
	return w.last
}
