package gpu

import (
	"context"
	"fmt"
	"slices"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// pass runs kernels once over tasks of a chunk. Its storage is kept from one pass
// to the next.
type pass struct {
	chunk  *chunk
	mem    *buffers
	rows   *rowMemory
	stream *driver.Stream

	planned  int    // number of tasks of this pass
	order    []task // its tasks, sorted by group
	sorted   []task // scratch to sort a group
	again    []task // for a later pass
	launches int
	seen     observations
}

// run queues kernels for the chunk's tasks, waits for them and decodes their
// results. Tasks that exceed their bound, or that do not fit into memory now, stay
// the chunk's tasks for the next pass.
func (p *pass) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := p.chunk
	tasks := p.withRoom()
	p.again = append(p.again[:0], c.todo[len(tasks):]...)
	groups := p.plan(tasks)
	if err := p.queue(groups); err != nil {
		return err
	}
	if err := p.fetchResults(ctx); err != nil {
		return err
	}
	for i := range groups {
		if err := p.decode(groups[i].tasks); err != nil {
			return err
		}
	}
	c.todo, p.again = p.again, c.todo
	return nil
}

// fetchResults waits for the kernels and copies results and alignments to the
// host.
func (p *pass) fetchResults(ctx context.Context) error {
	m := p.mem
	if err := p.stream.ToHost(bytesOf(m.results[:len(p.chunk.index)]), m.device.results); err != nil {
		return err
	}
	if err := p.stream.ToHost(bytesOf(m.used), m.device.counters); err != nil {
		return err
	}
	if err := p.stream.Wait(ctx); err != nil {
		return err
	}
	used := int(m.used[0])
	if used == 0 {
		return nil
	}
	if used > len(m.cigars) {
		return fmt.Errorf("internal error: alignments take %d elements, %d were set aside", used, len(m.cigars))
	}
	if err := p.stream.ToHost(bytesOf(m.cigars[:used]), m.device.cigars); err != nil {
		return err
	}
	return p.stream.Wait(ctx)
}

// withRoom returns the longest prefix of the chunk's tasks whose alignments are
// certain to fit into the slot's memory, at least one task.
func (p *pass) withRoom() []task {
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
func (p *pass) plan(tasks []task) []group {
	c := p.chunk
	if !c.staged {
		p.count(tasks)
	}
	c.staged = false
	c.tally.sort()
	groups := c.tally.groups
	p.planned = len(tasks)
	if len(groups) == 1 { // as with most short reads
		groups[0].tasks = tasks
	} else {
		p.deal(tasks, groups)
	}
	for i := range groups {
		g := &groups[i]
		if p.kernel(g).Family().LongestFirst {
			p.longestFirst(g)
		}
		entries := p.mem.tasks[g.first:][:len(g.tasks)]
		for j := range entries {
			entries[j] = abi.Task{Pair: uint32(g.tasks[j].pair), Bound: g.tasks[j].bound}
		}
	}
	return groups
}

func (p *pass) kernel(g *group) kernel.Kernel { return p.chunk.policy.kernels.Kernels[g.kernel] }

// count tallies tasks one by one.
func (p *pass) count(tasks []task) {
	c := p.chunk
	c.tally.clear()
	for i := range tasks {
		t := &tasks[i]
		pattern, text := c.lengths(t)
		c.tally.add(t.kernel, t.class, 1, int(t.bound), text, pattern)
	}
}

// deal sorts tasks by group.
func (p *pass) deal(tasks []task, groups []group) {
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

// longestFirst sorts the tasks of a group by descending bound, so that no long
// pair starts last. An approximate order suffices: a counting sort over 128 bins.
func (p *pass) longestFirst(g *group) {
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
