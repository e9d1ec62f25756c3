package gpu

import (
	"testing"
	"time"
)

// Few slow tasks are launched at once where they are a good part of what waits, and gather where others need the launches.
func TestQueuesGather(t *testing.T) {
	const slow = 1e6
	for _, c := range []struct {
		name                      string
		running                   int
		cells                     float64 // work of each
		fill, work, task, waiting float64
		want                      time.Duration
	}{
		{"the first", 0, 0, 0.01, 1e4, 1e3, 1e8, 0},
		{"short tasks, small ones in flight", 8, 1e6, 0.01, 1e4, 1e3, 1e4, 32 * gatherTime},
		{"slow tasks, small ones in flight", 8, 1e6, 0.01, slow, slow, 4 * slow, 0},
		{"slow tasks, few of those that wait", 8, 1e6, 0.01, slow, slow, 100 * slow, 32 * gatherTime},
		{"slow tasks, few launches left", maxRunners - keptFree, 1e6, 0.01, slow, slow, slow, 32 * gatherTime},
		{"slow tasks, much in flight", usualRunners - keptFree, 1e9, 0.01, slow, slow, slow, 32 * gatherTime},
		{"many tasks", 8, 1e6, smallFill, 1e9, slow, 1e12, 0},
	} {
		f := flight{launches: map[*launch]struct{}{}}
		for range c.running {
			f.enter(&launch{fill: 0.01, cells: c.cells})
		}
		if got := f.gathering(c.fill, c.work, c.task, c.waiting, false); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for l := range f.launches {
			f.leave(l)
		}
		// Those that have begun with little work do not keep others from it.
		for range 3 {
			f.enter(&launch{cells: 1, early: true})
		}
		if f.most(fewWork) != usualRunners+3 || f.most(0) != maxRunners {
			t.Errorf("%s: up to %d launches beside %+v", c.name, f.most(fewWork), f)
		}
		for l := range f.launches {
			f.leave(l)
		}
		if f.early != 0 || f.fill > 1e-9 || f.work != 0 || f.small != 0 || f.most(0) != maxRunners {
			t.Errorf("%s: %+v after all have left", c.name, f)
		}
	}
}
