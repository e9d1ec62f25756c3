package gpu

import (
	"math"
	"time"
)

const (
	// A launch below smallFill devices is small.
	smallFill = 0.5
	// All launches together should fill enoughFill devices. The first few, atOnce, do not
	// wait for that.
	enoughFill = 1.5
	atOnce     = 4
	// gatherTime is how long a queue gathers tasks for a small launch while the
	// device is busy. It doubles with the number of small launches in flight, and as often as the
	// work halves that the tasks are less than a share of a launch, up to 32 ms: batches wait for
	// their last pairs, but many launches of little work take the device from others. For pieces, which
	// come late and are few, it does not double.
	gatherTime  = time.Millisecond
	gatherShare = 0.25
	gatherMost  = 5
)

// maxRunners is the largest number of launches at a time. Some of them may consist of
// a few costly pairs that take long, while the others keep the device busy.
const maxRunners = 16

// flight has the launches that have begun and not ended. The scheduler's lock guards it.
type flight struct {
	launches map[*launch]struct{}
	fill     float64 // of those that run kernels, in devices
	small    int     // number of those that are small
}

func (f *flight) enter(l *launch) {
	f.launches[l] = struct{}{}
	f.count(l, 1)
}

func (f *flight) leave(l *launch) {
	delete(f.launches, l)
	f.count(l, -1)
}

func (f *flight) count(l *launch, sign int) {
	if l.work != run {
		return
	}
	f.fill += float64(sign) * l.fill
	if l.fill < smallFill {
		f.small += sign
	}
}

// gathering returns how long a queue waits for more tasks, of pieces or of whole pairs, than fill some part of
// the device with some work: not at all if that is a good part, or if the device has little to do and
// such launches, as many as are still possible, would fill it.
func (f *flight) gathering(fill, work float64, pieces bool) time.Duration {
	left := maxRunners - len(f.launches)
	share := (enoughFill - f.fill) / float64(max(left, 1))
	if fill >= smallFill || f.fill < 1 && (fill >= share || left > maxRunners-atOnce) {
		return 0
	}
	if pieces {
		return gatherTime
	}
	times := min(f.small, gatherMost)
	for most := gatherShare * launchCost; times > 0 && work*math.Exp2(float64(times-1)) >= most; times-- {
	}
	return gatherTime << times
}
