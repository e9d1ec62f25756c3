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
	launchCigars = 15 << 19
	// cigarCapacity is the largest number of elements of one alignment.
	cigarCapacity = 16 << 20
)

// frame lays out the memory of a launch, alike on the host and on the device: the stop word,
// tasks, counters, results, elements of alignments, and rows, which only the device has. The
// stop word, tasks and counters are copied to the device at once, counters and results back
// from it.
type frame struct {
	tasks, counters, results, cigars, rows int // offsets
	n, elements                            int
}

const (
	stopBytes     = 256 // before the tasks
	counterBytes  = 32  // elements in use, the next task
	frameOverhead = stopBytes + counterBytes + 2*memory.Grain
)

// newFrame lays out a launch of n tasks, with room for the alignment of each.
func newFrame(n, room int) frame {
	f := frame{tasks: stopBytes, n: n, elements: n * room}
	f.counters = f.tasks + n*taskBytes
	f.results = f.counters + counterBytes
	f.cigars = memory.Rounded(f.results + n*resultBytes)
	f.rows = memory.Rounded(f.cigars + 4*f.elements)
	return f
}

// frameTask is the part of a frame that each task takes, in bytes.
func frameTask(room int) int { return taskBytes + resultBytes + 4*room }

// hostTasks returns the number of tasks whose frame fits into some bytes of the host.
func hostTasks(bytes, room int) int { return max(bytes-frameOverhead, 0) / frameTask(room) }

// The parts of a frame in memory of the host.

func (f *frame) taskList(b []byte) []abi.Task        { return view[abi.Task](b[f.tasks:], f.n) }
func (f *frame) used(b []byte) *uint32               { return &view[uint32](b[f.counters:], 1)[0] }
func (f *frame) resultList(b []byte) []abi.Result    { return view[abi.Result](b[f.results:], f.n) }
func (f *frame) elementBytes(b []byte, n int) []byte { return b[f.cigars : f.cigars+4*n] }

// elementList returns the elements in use.
func (f *frame) elementList(b []byte) []uint32 {
	n := int(*f.used(b))
	if n == 0 {
		return nil
	}
	return view[uint32](b[f.cigars:], n)
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
