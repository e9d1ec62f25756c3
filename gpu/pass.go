package gpu

import (
	"context"
	"fmt"

	"wfagpu/gpu/internal/driver"
)

// pass runs kernels once over tasks of a chunk. Its storage is kept from one pass
// to the next.
type pass struct {
	chunk   *chunk
	planner planner
	kernels launcher

	again []task // for a later pass
	seen  observations
}

func newPass(c *chunk, stream *driver.Stream) pass {
	return pass{
		chunk:   c,
		planner: planner{chunk: c, mem: c.mem},
		kernels: launcher{chunk: c, mem: c.mem, rows: c.rows, stream: stream},
	}
}

// run queues kernels for the chunk's tasks, waits for them and decodes their
// results. Tasks that exceed their bound, or that do not fit into memory now, stay
// the chunk's tasks for the next pass.
func (p *pass) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := p.chunk
	tasks := p.planner.withRoom()
	p.again = append(p.again[:0], c.todo[len(tasks):]...)
	groups := p.planner.plan(tasks)
	var err error
	if p.again, err = p.kernels.queue(groups, len(tasks), p.again); err != nil {
		return err
	}
	if err := p.fetchResults(ctx); err != nil {
		return err
	}
	d := newDecoder(c, &p.seen, p.again)
	for i := range groups {
		if err := d.decode(&groups[i]); err != nil {
			return err
		}
	}
	c.todo, p.again = d.again, c.todo
	return nil
}

// fetchResults waits for the kernels and copies results and alignments to the
// host.
func (p *pass) fetchResults(ctx context.Context) error {
	m, stream := p.chunk.mem, p.kernels.stream
	if err := stream.ToHost(bytesOf(m.results[:len(p.chunk.index)]), m.device.results); err != nil {
		return err
	}
	if err := stream.ToHost(bytesOf(m.used), m.device.counters); err != nil {
		return err
	}
	if err := stream.Wait(ctx); err != nil {
		return err
	}
	used := int(m.used[0])
	if used == 0 {
		return nil
	}
	if used > len(m.cigars) {
		return fmt.Errorf("internal error: alignments take %d elements, %d were set aside", used, len(m.cigars))
	}
	if err := stream.ToHost(bytesOf(m.cigars[:used]), m.device.cigars); err != nil {
		return err
	}
	return stream.Wait(ctx)
}
