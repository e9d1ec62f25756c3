package gpu

import (
	"sync/atomic"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// fakeLaunch is a launch of a fake kernel: its parameters, and access to its memory.
type fakeLaunch struct {
	*abi.Params
	gpu                 *fakeGPU
	name                string
	grid, block, shared int // blocks, threads and bytes of a block
}

// deviceSlice is n values of device memory from p on.
func deviceSlice[T any](a *fakeLaunch, what string, p driver.Ptr, n int) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	if n == 0 {
		return nil
	}
	b := a.gpu.MemoryAt(p, n*size)
	if b == nil || int(p)%size != 0 {
		must(false, "%s: %d values of %d bytes at %#x are not in one allocation, or not aligned", what, n, size, p)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}

// tasks returns the tasks of a launch.
func (a *fakeLaunch) tasks() []abi.Task {
	tasks := deviceSlice[abi.Task](a, "tasks", a.Tasks, int(a.Count))
	for i := range tasks {
		t := &tasks[i]
		must(t.PatternLength >= 1 && t.TextLength >= 1, "task %d has lengths %d and %d", i, t.PatternLength, t.TextLength)
		must(t.Bound >= 0 && t.Bound <= a.MaxScore, "task %d has bound %d", i, t.Bound)
	}
	return tasks
}

// stopped reports whether the host has set the stop word of a launch.
func (a *fakeLaunch) stopped() bool {
	return atomic.LoadUint32(&deviceSlice[uint32](a, "stop word", a.Stop, 1)[0]) != 0
}

func (a *fakeLaunch) result(at int) *abi.Result {
	return &deviceSlice[abi.Result](a, "results", a.Results+driver.Ptr(16*at), 1)[0]
}

// rows returns the first words of a task's rows.
func (a *fakeLaunch) rows(at, words int) []uint32 {
	must(words <= int(a.RowStride), "%d words of rows run into those of the next pair", words)
	return deviceSlice[uint32](a, "rows", a.Rows+driver.Ptr(4*uint64(at)*a.RowStride), words)
}

// bases returns the packed words of a sequence. Kernels read up to two words more.
func (a *fakeLaunch) bases(from driver.Ptr, n int32) []uint32 {
	words := (int(n) + 15) / 16
	return deviceSlice[uint32](a, "bases", from, int(n)/16+3)[:words]
}

func penaltiesOf(a *abi.Params) align.Penalties {
	return align.Penalties{Mismatch: int(a.Mismatch), GapOpen: int(a.GapOpen), GapExtend: int(a.GapExtend)}
}

// next returns the counter of tasks that are taken.
func (a *fakeLaunch) next() *uint32 {
	next := &deviceSlice[uint32](a, "next", a.Next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))
	return next
}

// eachTask takes the tasks of a launch one by one, as a block or a warp does that
// has one pair at a time.
func (a *fakeLaunch) eachTask(do func(at int, p *abi.Task, r *abi.Result)) {
	tasks, next := a.tasks(), a.next()
	for {
		at := int(atomic.AddUint32(next, 1)) - 1
		if at >= len(tasks) || a.stopped() {
			return
		}
		do(at, &tasks[at], a.result(at))
	}
}
