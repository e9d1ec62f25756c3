package gpu

import (
	"math"

	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

const (
	// A launch aims at fullFill devices, so that no SM waits for the slowest pairs
	// early, and at launchCost cells, about half a millisecond.
	fullFill   = 2
	launchCost = 5e8
)

// planner plans launches.
type planner struct {
	policy *passes.Policy
	config *kernel.Config
	waves  map[passes.Key]float64 // results of wave
}

// room returns the number of elements that an alignment of a queue's tasks may have.
func (p *planner) room(q *queue) int {
	if p.config.ScoreOnly || p.policy.Bounds(q.Kernel) {
		return 0
	}
	if k, ok := p.policy.Kernels.Kernels[q.Kernel].(kernel.Pooled); ok {
		return min(max(launchCigars/q.Count, k.Room(q.Bound)), p.config.CigarRoom(q.Bound))
	}
	if p.policy.Kernels.Whole(int(q.Kernel)) && !p.policy.Spans {
		// Scores may be above the bound, up to that of mismatches and a gap, and the positions at which an alignment
		// begins are ahead of it.
		x := p.config.Penalties
		most := x.Mismatch*min(q.Pattern, q.Text) + x.Gap(max(q.Pattern, q.Text))
		return p.config.CigarRoom(min(most, kernel.MaxBound-x.LongestStep()) + x.LongestStep())
	}
	room := p.config.CigarRoom(q.Bound)
	if kernel.Exceeds(p.policy.Kernels.Kernels[q.Kernel]) { // of few tasks, one may have a score of twice its bound
		room = max(room, min(2*room, launchCigars/16/q.Count))
	}
	return room
}

// wave returns the number of tasks of a queue that the device aligns at a time in a launch
// with some bytes of memory.
func (p *planner) wave(q *queue, memory int) (float64, error) {
	w := p.waves[q.Key]
	if w > 0 {
		return w, nil
	}
	k := p.policy.Kernels.Kernels[q.Kernel]
	g := q.Group
	g.Count = launchTasks
	plan, ok, err := k.Plan(g, memory)
	if err != nil || !ok {
		return 1, err
	}
	w = float64(max(plan.Wave(), 1))
	p.waves[q.Key] = w
	return w, nil
}

// fitting is a plan for a number of tasks that fit into memory.
type fitting struct {
	plan    kernel.Plan
	n, room int
	wave    int // tasks that run at a time
}

func (f *fitting) bytes(n int) int { return frameOverhead + n*frameTask(f.room) + f.plan.Bytes(n) }

// wide returns the number of tasks that run at a time.
func (f *fitting) wide() int { return min(f.n, f.wave) }

// fit plans a launch of up to n tasks of a queue within some bytes. It has no task if not
// one fits.
func (p *planner) fit(q *queue, n, bytes int) (f fitting, err error) {
	k, room := p.policy.Kernels.Kernels[q.Kernel], p.room(q)
	f.room = room
	if room > 0 {
		n = min(n, max(launchCigars/room, 1))
	}
	// The frames of tasks take at most half of the memory.
	n = min(n, max(bytes/2/frameTask(room), 1))
	g := q.Group
	if g.Count = n; room > cigarCapacity {
		return f, nil
	}
	var ok bool
	f.plan, ok, err = k.Plan(g, bytes-frameOverhead-n*frameTask(room))
	if err != nil || !ok {
		return f, err
	}
	f.wave = max(f.plan.Wave(), 1)
	// Not more than the device can use.
	n = min(n, max(fullFill*f.wave, int(min(launchCost/q.cost, math.MaxInt32))))
	f.n = max(min(n, (bytes-frameOverhead-f.plan.Fixed)/(frameTask(room)+f.plan.PerTask)), 0)
	if f.n == 0 || f.n == g.Count {
		return f, nil
	}
	// A launch of fewer tasks may give each of them more of the device.
	fewer := f
	g.Count = f.n
	fewer.plan, ok, err = k.Plan(g, bytes-frameOverhead-f.n*frameTask(room))
	if err == nil && ok && fewer.bytes(f.n) <= bytes {
		f = fewer
	}
	return f, err
}
