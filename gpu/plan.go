package gpu

import (
	"slices"

	"wfagpu/gpu/internal/abi"
)

// planner chooses the tasks of a pass and sorts them into groups. Its storage is
// kept from one pass to the next.
type planner struct {
	chunk *chunk
	mem   *buffers

	order  []task // tasks, sorted by group
	sorted []task // scratch to sort a group
}

// withRoom returns the longest prefix of the chunk's tasks whose alignments are
// certain to fit into the slot's memory, at least one task.
func (p *planner) withRoom() []task {
	c := p.chunk
	if c.config.ScoreOnly || c.staged && c.room <= len(p.mem.cigars) {
		return c.todo
	}
	room := 0
	for i := range c.todo {
		if room += c.config.CigarRoom(int(c.todo[i].bound)); room > len(p.mem.cigars) && i > 0 {
			c.staged = false // the tally counts all tasks
			return c.todo[:i]
		}
	}
	return c.todo
}

// plan sorts tasks into groups and writes them to pinned memory, group by group.
// Costly kernels and long pairs come first.
func (p *planner) plan(tasks []task) []group {
	c := p.chunk
	if !c.staged {
		p.count(tasks)
	}
	c.staged = false
	c.tally.sort()
	groups := c.tally.groups
	if len(groups) == 1 { // as with most short reads
		groups[0].tasks = tasks
	} else {
		p.deal(tasks, groups)
	}
	for i := range groups {
		g := &groups[i]
		if c.policy.kernel(g).Family().LongestFirst {
			p.longestFirst(g)
		}
		entries := p.mem.tasks[g.first:][:len(g.tasks)]
		for j := range entries {
			entries[j] = abi.Task{Pair: uint32(g.tasks[j].pair), Bound: g.tasks[j].bound}
		}
	}
	return groups
}

// count tallies tasks one by one.
func (p *planner) count(tasks []task) {
	c := p.chunk
	c.tally.clear()
	for i := range tasks {
		t := &tasks[i]
		pattern, text := c.lengths(t)
		c.tally.add(t.kernel, t.class, 1, int(t.bound), text, pattern)
	}
}

// deal sorts tasks by group.
func (p *planner) deal(tasks []task, groups []group) {
	p.order = slices.Grow(p.order[:0], len(tasks))[:len(tasks)]
	at := 0
	for i := range groups {
		g := &groups[i]
		g.first, g.tasks = at, p.order[at:at:at+g.Count]
		at += g.Count
	}
	for i := range tasks {
		g := p.chunk.tally.group(tasks[i].kernel, tasks[i].class)
		n := len(g.tasks)
		g.tasks = g.tasks[:n+1]
		g.tasks[n] = tasks[i]
	}
}

// longestFirst sorts the tasks of a group by descending bound, so that no long pair
// starts last. An approximate order suffices: a counting sort over 128 bins.
func (p *planner) longestFirst(g *group) {
	const bins = 128
	bin := func(t *task) int { return (g.Bound - int(t.bound)) * (bins - 1) / max(g.Bound, 1) }
	var next [bins + 1]int32
	for i := range g.tasks {
		next[bin(&g.tasks[i])+1]++
	}
	for i := range bins {
		next[i+1] += next[i]
	}
	p.sorted = slices.Grow(p.sorted[:0], len(g.tasks))[:len(g.tasks)]
	for i := range g.tasks {
		at := &next[bin(&g.tasks[i])]
		p.sorted[*at] = g.tasks[i]
		*at++
	}
	copy(g.tasks, p.sorted)
}
