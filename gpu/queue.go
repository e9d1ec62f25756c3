package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// launcher queues the kernels of a pass.
type launcher struct {
	chunk  *chunk
	mem    *buffers
	rows   *rowMemory
	stream *driver.Stream

	launches int // in this pass
}

// queue copies planned tasks to the device and queues their kernels. Tasks that do not
// fit now move from their group to again.
func (l *launcher) queue(groups []group, planned int, again []task) ([]task, error) {
	m := l.mem
	l.launches = 0
	if err := l.stream.Fill(m.device.counters, 0, (maxLaunches+1)*4); err != nil {
		return again, err
	}
	if err := l.stream.ToDevice(m.device.tasks, bytesOf(m.tasks[:planned])); err != nil {
		return again, err
	}
	for i := range groups {
		g := &groups[i]
		done, err := l.launchGroup(g)
		if err != nil {
			return again, err
		}
		again = append(again, g.tasks[done:]...)
		g.tasks = g.tasks[:done]
	}
	return again, nil
}

// launchGroup queues a group, in parts if its rows do not fit together. It returns
// the number of tasks that are queued, a prefix of the group.
func (l *launcher) launchGroup(g *group) (done int, err error) {
	if l.launches == maxLaunches {
		return 0, nil
	}
	k, n := l.chunk.policy.kernel(g), len(g.tasks)
	plan, ok, err := k.Plan(g.Group, l.rows.budget)
	if err != nil {
		return 0, err
	}
	part := n
	if ok && plan.Bytes(n) > 0 {
		have, err := l.rows.need(plan.Bytes(n))
		if err != nil {
			return 0, err
		}
		if have < plan.Bytes(n) { // the budget may be lower now
			if plan, ok, err = k.Plan(g.Group, l.rows.budget); err != nil {
				return 0, err
			}
		}
		part = plan.Tasks(n, have)
	}
	if !ok || part < 1 {
		l.withoutMemory(g)
		return 0, nil
	}
	for done < n && l.launches < maxLaunches {
		part := min(part, n-done)
		if err := k.Launch(l.stream, l.params(g.first+done, part), g.Group, plan); err != nil {
			return done, err
		}
		done += part
	}
	return done, nil
}

// params returns the parameters, common to all kernels, of a launch of n tasks from
// position first on. Each launch has a counter of its own, which starts at 0.
func (l *launcher) params(first, n int) abi.Params {
	l.launches++
	a := l.mem.params(l.chunk.policy.penalties, l.rows.at)
	a.Tasks = l.mem.device.tasks + driver.Ptr(first*taskBytes)
	a.Count = int32(n)
	a.Next = l.mem.device.counters + driver.Ptr(4*l.launches)
	return a
}

// params returns the parameters that all launches of a slot share.
func (m *buffers) params(x align.Penalties, rows driver.Ptr) abi.Params {
	return abi.Params{
		Letters: m.device.letters, Bases: m.device.bases, Pairs: m.device.pairs, Results: m.device.results,
		Rows: rows, Cigars: m.device.cigars, Used: m.device.counters,
		CigarCapacity: uint32(len(m.cigars)),
		Mismatch:      int32(x.Mismatch), GapOpen: int32(x.GapOpen), GapExtend: int32(x.GapExtend),
	}
}

// withoutMemory handles a group of which no task fits into memory: it falls back to
// another engine, moves to the general kernel, or gets lower bounds.
func (l *launcher) withoutMemory(g *group) {
	c, general := l.chunk, l.chunk.policy.kernels.General
	switch {
	case l.chunk.policy.kernel(g).Band() != (align.AdaptiveBand{}): // no other kernel computes this band
		for _, t := range g.tasks {
			c.fallBack(int(c.index[t.pair]), errMemory)
		}
		g.tasks = g.tasks[:0]
	case int(g.kernel) != general:
		for i := range g.tasks {
			g.tasks[i].kernel = uint8(general)
		}
	default:
		l.lowerLargest(g)
	}
}

// lowerLargest lowers the bound of every task with the highest bound of the group.
// A task whose bound is not a first guess falls back to another engine.
func (l *launcher) lowerLargest(g *group) {
	c := l.chunk
	kept := g.tasks[:0]
	for _, t := range g.tasks {
		if int(t.bound) == g.Bound {
			pattern, text := c.lengths(&t)
			if err := c.policy.lower(&t, l.rows.maxBounds, pattern, text); err != nil {
				c.fallBack(int(c.index[t.pair]), err)
				continue
			}
		}
		kept = append(kept, t)
	}
	g.tasks = kept
}
