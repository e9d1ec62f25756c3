package align

import (
	"errors"
	"sync/atomic"
)

// errStopped is returned by an interrupted Aligner.
var errStopped = errors.New("stopped")

// stopped reports whether stop is set; nil is for never.
func stopped(stop *atomic.Bool) bool { return stop != nil && stop.Load() }
