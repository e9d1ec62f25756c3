package gpu

import (
	"slices"

	"wfagpu/gpu/internal/kernel"
	"wfagpu/gpu/internal/passes"
)

// group is the tasks of a load with one key.
type group struct {
	passes.Key
	kernel.Group
	tasks []passes.Task
}

// sorter sorts tasks by key. Its storage is kept from one use to the next.
type sorter struct {
	at     map[passes.Key]uint16 // index of a group
	groups []group
	ids    []uint16 // of the tasks' groups
}

func (s *sorter) clear() {
	clear(s.at)
	clear(s.groups) // they refer to tasks
	s.groups, s.ids = s.groups[:0], s.ids[:0]
}

// group returns the index of the group of a key.
func (s *sorter) group(k passes.Key) uint16 {
	at, ok := s.at[k]
	if !ok {
		if s.at == nil {
			s.at = map[passes.Key]uint16{}
		}
		at = uint16(len(s.groups))
		s.at[k] = at
		s.groups = append(s.groups, group{Key: k})
	}
	return at
}

// count adds n tasks of one bound and one pair of lengths to a group.
func (s *sorter) count(group uint16, n int, bound, text, pattern int32) {
	g := &s.groups[group]
	g.Count += n
	passes.Enlarge(&g.Group, bound, text, pattern)
}

// add counts a task and notes its group.
func (s *sorter) add(t *passes.Task, k passes.Key) {
	id := s.group(k)
	s.count(id, 1, t.Bound, t.Text, t.Pattern)
	s.ids = append(s.ids, id)
}

// deal sorts tasks, whose groups are counted and noted, into storage that it returns.
// With a single group, as with most short reads, tasks themselves are the result, and
// storage is left alone.
func (s *sorter) deal(tasks, storage []passes.Task) (dealt []passes.Task) {
	if len(s.groups) == 1 {
		s.groups[0].tasks = tasks
		return tasks
	}
	storage = slices.Grow(storage[:0], len(tasks))[:len(tasks)]
	at := 0
	for i := range s.groups {
		g := &s.groups[i]
		g.tasks = storage[at : at : at+g.Count]
		at += g.Count
	}
	for i := range tasks {
		g := &s.groups[s.ids[i]]
		n := len(g.tasks)
		g.tasks = g.tasks[:n+1]
		g.tasks[n] = tasks[i]
	}
	return storage
}
