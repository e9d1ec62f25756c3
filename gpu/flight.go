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
	// A task of slowTask cells takes half a millisecond, or more, however few there are of it. Small launches of such tasks do not wait for
	// more, as long as keptFree launches stay possible.
	slowTask = 5e4
	keptFree = 4
	// gatherTime is how long a queue gathers tasks for a small launch while the
	// device is busy. It doubles with the number of small launches in flight, and as often as the
	// work halves that the tasks are less than a share of a launch, up to 32 ms: batches wait for
	// their last pairs, but many launches of little work take the device from others. For pieces, which
	// come late and are few, it does not double.
	gatherTime  = time.Millisecond
	gatherShare = 0.25
	gatherMost  = 5
)

// usualRunners is the number of launches at a time, at most: with more, they are smaller, and share the device worse. Some of them
// may consist of a few costly pairs that take long, while the others keep the device busy. While all work takes less
// than fewWork cells, some milliseconds of the whole device, launches are small anyway, and there may be maxRunners. Those that have begun
// then do not count when more work comes.
const (
	usualRunners, maxRunners = 16, 32
	fewWork                  = 1e10
)

// flight has the launches that have begun and not ended. The scheduler's lock guards it.
type flight struct {
	launches map[*launch]struct{}
	fill     float64 // of those that run kernels, in devices
	work     float64 // of those, in cells
	early    int     // number of those that have begun while there was little work
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
	f.work += float64(sign) * l.cells
	if l.early {
		f.early += sign
	}
	if l.fill < smallFill {
		f.small += sign
	}
}

// little reports whether there is little work, with some that waits.
func (f *flight) little(waiting float64) bool { return f.work+waiting < fewWork }

// most returns the largest number of launches at a time while some work waits.
func (f *flight) most(waiting float64) int {
	if f.little(waiting) {
		return maxRunners
	}
	return min(usualRunners+f.early, maxRunners)
}

// gathering returns how long a queue waits for more tasks, of pieces or of whole pairs, than fill some part of
// the device with some work: not at all if that is a good part, or if the device has little to do and
// such launches, as many as are still possible, would fill it, or would do all the work that waits if a task takes long.
func (f *flight) gathering(fill, work, task, waiting float64, pieces bool) time.Duration {
	most := f.most(waiting)
	left := most - len(f.launches)
	share := (enoughFill - f.fill) / float64(max(left, 1))
	slow := task >= slowTask && work*float64(left-keptFree) >= waiting
	if fill >= smallFill || f.fill < 1 && (fill >= share || slow || left > most-atOnce) {
		return 0
	}
	if pieces {
		return gatherTime
	}
	times := min(f.small, gatherMost)
	for enough := gatherShare * launchCost; times > 0 && work*math.Exp2(float64(times-1)) >= enough; times-- {
	}
	return gatherTime << times
}
