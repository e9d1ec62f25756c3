package gpu

import (
	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/memory"
)

// Sizes of a launch.
const (
	launchTasks = 1 << 16
	// launchCigars is the largest number of elements of the alignments of a launch,
	// unless one alignment may have more.
	launchCigars = 15 << 21
	// cigarCapacity is the largest number of elements of one alignment.
	cigarCapacity = 16 << 20
)

// frame lays out the memory of a launch, alike on the host and on the device: the stop word,
// tasks, counters and results, and, on the device, room for the elements of all alignments, and rows. The
// stop word, tasks and counters are copied to the device at once, counters and results back
// from it, and the elements in use after that, into memory of their own.
type frame struct {
	tasks, counters, results, cigars, rows int // offsets
	n, elements                            int
}

const (
	stopBytes     = 256 // before the tasks
	counterBytes  = 32  // elements in use, the next task
	elementBytes  = 4
	frameOverhead = stopBytes + counterBytes + 2*memory.Grain
)

// newFrame lays out a launch of n tasks, with room for the alignment of each.
func newFrame(n, room int) frame {
	f := frame{tasks: stopBytes, n: n, elements: n * room}
	f.counters = f.tasks + n*taskBytes
	f.results = f.counters + counterBytes
	f.cigars = memory.Rounded(f.results + n*resultBytes)
	f.rows = memory.Rounded(f.cigars + elementBytes*f.elements)
	return f
}

// hostTask is the part of a frame of the host that each task takes, and frameTask that of a frame of the device, in bytes.
const hostTask = taskBytes + resultBytes

func frameTask(room int) int { return hostTask + elementBytes*room }

// hostTasks returns the number of tasks whose frame fits into some bytes of the host.
func hostTasks(bytes int) int { return max(bytes-frameOverhead, 0) / hostTask }

// The parts of a frame in memory of the host.

func (f *frame) taskList(b []byte) []abi.Task     { return view[abi.Task](b[f.tasks:], f.n) }
func (f *frame) used(b []byte) *uint32            { return &view[uint32](b[f.counters:], 1)[0] }
func (f *frame) resultList(b []byte) []abi.Result { return view[abi.Result](b[f.results:], f.n) }

// spare returns the larger of the two parts of a launch's memory of the host that nothing uses once the results are there: that of
// tasks, or what is behind the results. It is a third of the least pinned buffer, or more.
func (f *frame) spare(b []byte) []byte {
	tasks, rest := b[f.tasks:f.counters], b[f.results+f.n*resultBytes:]
	if len(tasks) > len(rest) {
		return tasks
	}
	return rest
}

// params returns the parameters that are common to all kernels, of a launch with its
// frame at an address of the device.
func (f *frame) params(at driver.Ptr, x align.Penalties) abi.Params {
	return abi.Params{
		Tasks: at + driver.Ptr(f.tasks), Results: at + driver.Ptr(f.results), Rows: at + driver.Ptr(f.rows),
		Cigars: at + driver.Ptr(f.cigars), Used: at + driver.Ptr(f.counters), Next: at + driver.Ptr(f.counters+4),
		Stop: at, CigarCapacity: uint32(f.elements), Count: int32(f.n),
		Mismatch: int32(x.Mismatch), GapOpen: int32(x.GapOpen), GapExtend: int32(x.GapExtend),
	}
}
