package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// queue copies the planned tasks to the device and queues their kernels. Tasks that
// do not fit now move from their group to p.again.
func (p *pass) queue(groups []group) error {
	m := p.mem
	p.launches = 0
	if err := p.stream.Fill(m.device.counters, 0, (maxLaunches+1)*4); err != nil {
		return err
	}
	if err := p.stream.ToDevice(m.device.tasks, bytesOf(m.tasks[:p.planned])); err != nil {
		return err
	}
	for i := range groups {
		g := &groups[i]
		done, err := p.launchGroup(g)
		if err != nil {
			return err
		}
		p.again = append(p.again, g.tasks[done:]...)
		g.tasks = g.tasks[:done]
	}
	return nil
}

// launchGroup queues a group, in parts if its rows do not fit together. It returns
// the number of tasks that are queued, a prefix of the group.
func (p *pass) launchGroup(g *group) (done int, err error) {
	if p.launches == maxLaunches {
		return 0, nil
	}
	k, n := p.kernel(g), len(g.tasks)
	plan, ok, err := k.Plan(g.Group, p.rows.budget)
	if err != nil {
		return 0, err
	}
	part := n
	if ok && plan.Bytes(n) > 0 {
		have, err := p.rows.need(plan.Bytes(n))
		if err != nil {
			return 0, err
		}
		if have < plan.Bytes(n) { // the budget may be lower now
			if plan, ok, err = k.Plan(g.Group, p.rows.budget); err != nil {
				return 0, err
			}
		}
		part = plan.Tasks(n, have)
	}
	if !ok || part < 1 {
		p.withoutMemory(g)
		return 0, nil
	}
	for done < n && p.launches < maxLaunches {
		part := min(part, n-done)
		if err := k.Launch(p.stream, p.params(g.first+done, part), g.Group, plan); err != nil {
			return done, err
		}
		done += part
	}
	return done, nil
}

// params returns the parameters, common to all kernels, of a launch of n tasks from
// position first on. Each launch has a counter of its own, which starts at 0.
func (p *pass) params(first, n int) abi.Params {
	p.launches++
	a := p.mem.params(p.chunk.policy.penalties, p.rows.at)
	a.Tasks = p.mem.device.tasks + driver.Ptr(first*taskBytes)
	a.Count = int32(n)
	a.Next = p.mem.device.counters + driver.Ptr(4*p.launches)
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
func (p *pass) withoutMemory(g *group) {
	c, general := p.chunk, p.chunk.policy.kernels.General
	switch {
	case p.kernel(g).Band() != (align.AdaptiveBand{}): // no other kernel computes this band
		for _, t := range g.tasks {
			c.fallBack(int(c.index[t.pair]), errMemory)
		}
		g.tasks = g.tasks[:0]
	case int(g.kernel) != general:
		for i := range g.tasks {
			g.tasks[i].kernel = uint8(general)
		}
	default:
		p.lowerLargest(g)
	}
}

// lowerLargest lowers the bound of every task with the highest bound of the group.
// A task whose bound is not a first guess falls back to another engine.
func (p *pass) lowerLargest(g *group) {
	c := p.chunk
	kept := g.tasks[:0]
	for _, t := range g.tasks {
		if int(t.bound) == g.Bound {
			pattern, text := c.lengths(&t)
			if err := c.policy.lower(&t, p.rows.maxBounds, pattern, text); err != nil {
				c.fallBack(int(c.index[t.pair]), err)
				continue
			}
		}
		kept = append(kept, t)
	}
	g.tasks = kept
}
