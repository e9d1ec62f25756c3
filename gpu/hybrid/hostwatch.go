package hybrid

import "time"

// hostWatch tells whether the host keeps GPUs from going faster. It must not be used
// concurrently.
type hostWatch struct {
	gpus []GPU
	at   time.Time
	busy time.Duration
	last bool
}

const (
	// watchTime is the time between two looks at the GPUs.
	watchTime = 100 * time.Millisecond
	// busyShare is the share of the time in which kernels run, from which the
	// device is the limit.
	busyShare = 0.75
)

// hostLimits reports whether, since the last look, GPUs computed for less than
// busyShare of the time: the host reads, packs and writes too slowly for them.
func (w *hostWatch) hostLimits() bool {
	now := time.Now()
	passed := now.Sub(w.at)
	if passed < watchTime {
		return w.last
	}
	var busy time.Duration
	for _, g := range w.gpus {
		busy += g.Stats().Busy
	}
	if !w.at.IsZero() && busy > 0 {
		w.last = float64(busy-w.busy) < busyShare*float64(passed)*float64(len(w.gpus))
	}
	w.at, w.busy = now, busy
	return w.last
}
