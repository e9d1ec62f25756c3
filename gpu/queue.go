package gpu

import (
	"cmp"
	"slices"
	"time"

	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// queue holds the tasks of one key that wait for a launch, of all loads, in the order in
// which they came.
type queue struct {
	passes.Key
	kernel.Group         // of all tasks; bounds and lengths are at least the largest
	cost         float64 // of one task, in cells, or so
	blocks       []block
	since        time.Time // when the first task came, or the last launch was formed
	short        time.Time // since when the queue waits for memory, zero if it does not
}

// push appends a block.
func (q *queue) push(b block, g kernel.Group, now time.Time) {
	if len(q.blocks) == 0 {
		q.since = now
	}
	b.came = now
	q.blocks = append(q.blocks, b)
	q.Count += g.Count
	passes.Enlarge(&q.Group, int32(g.Bound), int32(g.Text), int32(g.Pattern))
}

// work returns the work of all tasks, in cells.
func (q *queue) work() float64 { return float64(q.Count) * q.cost }

// pop removes the first n tasks.
func (q *queue) pop(n int) (blocks []block) {
	q.Count -= n
	for n > 0 {
		b := &q.blocks[0]
		if len(b.tasks) > n {
			first := *b
			first.tasks = b.tasks[:n:n]
			b.tasks = b.tasks[n:]
			return append(blocks, first)
		}
		n -= len(b.tasks)
		blocks = append(blocks, *b)
		*b = block{} // it refers to a batch
		q.blocks = q.blocks[1:]
	}
	return blocks
}

// stale returns the number of tasks at the front that were chosen by other rates than
// those of a version.
func (q *queue) stale(version uint32) (n int) {
	for i := range q.blocks {
		b := &q.blocks[i]
		if b.version == 0 || b.version == version {
			break
		}
		n += len(b.tasks)
	}
	return n
}

// piloting reports whether some of the tasks belong to a pilot.
func (q *queue) piloting() bool {
	return slices.ContainsFunc(q.blocks, func(b block) bool { return b.pilot })
}

// drop removes the tasks of calls that have ended and passes them to gone.
func (q *queue) drop(gone func(l *load, tasks int)) {
	kept := q.blocks[:0]
	for _, b := range q.blocks {
		if b.load.call.ended.Load() {
			q.Count -= len(b.tasks)
			gone(b.load, len(b.tasks))
			continue
		}
		kept = append(kept, b)
	}
	clear(q.blocks[len(kept):])
	q.blocks = kept
}

// queues are those with tasks.
type queues struct {
	at    map[passes.Key]*queue
	order []*queue // the costliest tasks first
}

// of returns the queue of a key, a new one if there is none. A task of it has some cost.
func (s *queues) of(k passes.Key, cost float64) *queue {
	q := s.at[k]
	if q == nil {
		q = &queue{Key: k, cost: cost}
		s.at[k] = q
		at, _ := slices.BinarySearchFunc(s.order, cost, func(q *queue, cost float64) int { return cmp.Compare(cost, q.cost) })
		s.order = slices.Insert(s.order, at, q)
	}
	return q
}

// work returns the work of all tasks of all queues, in cells.
func (s *queues) work() (sum float64) {
	for _, q := range s.order {
		sum += q.work()
	}
	return sum
}

// longestWait is how long tasks wait behind costlier ones. Without it, those that
// keep coming would hold the last tasks of a call forever.
const longestWait = 50 * time.Millisecond

// overdue returns the queue whose first tasks have waited longest, if that is too long.
func (s *queues) overdue(now time.Time) (longest *queue) {
	before := now.Add(-longestWait)
	for _, q := range s.order {
		if came := q.blocks[0].came; came.Before(before) {
			longest, before = q, came
		}
	}
	return longest
}

// clean forgets a queue without tasks.
func (s *queues) clean(q *queue) {
	if q.Count == 0 {
		delete(s.at, q.Key)
		s.order = slices.DeleteFunc(s.order, func(o *queue) bool { return o == q })
	}
}
