package gpu

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// Sizes of a load: large enough that a launch of short pairs fills the device for some
// time, and small enough that a batch is several, one of which is staged while others
// are aligned and decoded.
const (
	loadWords = 3 << 19 // of packed bases
	loadPairs = 1 << 16

	// sequenceTail is the number of bytes that kernels may read past the last
	// sequence.
	sequenceTail = 256
)

const (
	taskBytes   = int(unsafe.Sizeof(abi.Task{}))
	resultBytes = int(unsafe.Sizeof(abi.Result{}))
)

// call is one call of AlignBatchFunc.
type call struct {
	batch    *align.Batch
	fallback func(pairs []int32)
	ctx      context.Context
	cancel   context.CancelCauseFunc
	// ended reports that the results no longer matter.
	ended atomic.Bool

	// loads counts the loads with open pairs, and the call itself until all of them
	// are staged. done is closed when it reaches 0.
	loads atomic.Int32
	done  chan struct{}
}

// release ends a load, or the staging of all of them.
func (c *call) release() {
	if c.loads.Add(-1) == 0 {
		close(c.done)
	}
}

// fail ends the call with an error.
func (c *call) fail(err error) {
	c.ended.Store(true)
	c.cancel(err)
}

// load is a part of a batch whose sequences are on the device.
type load struct {
	call      *call
	sequences span
	tasks     []task // storage of the tasks as they were staged
	open      int    // tasks that are not finished; the scheduler's lock protects it
}

// block is some tasks of a load that wait together, or that share a launch with others.
type block struct {
	load  *load
	tasks []task
	// version is that of the rates by which the policy has chosen first passes, 0
	// for later passes.
	version uint32
	came    time.Time // when it was queued
	probe   bool      // of a probe, or of a later pass of one
}

// taskPool has storage for the tasks of loads.
var taskPool = sync.Pool{New: func() any { return new([]task) }}

// takeTasks takes storage from the pool.
func takeTasks() []task { return *taskPool.Get().(*[]task) }

// giveTasks returns storage to the pool.
func giveTasks(tasks []task) { taskPool.Put(&tasks) }

func view[T any](b []byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n) }
