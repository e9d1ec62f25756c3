package gpu

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/memory"
	"wfagpu/gpu/internal/passes"
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

// call is one call of AlignBatchFunc, or the pieces of some of its pairs; see assembler.
type call struct {
	batch *align.Batch
	// expected has what pieces are expected to cost; it is nil in a call of whole pairs.
	// Results of pieces have reduced costs, which statistics and estimates ignore.
	expected []int
	// bounds tells that expected are upper bounds of the costs.
	bounds bool
	// ungated tells that pairs take no gated passes: these have failed.
	ungated bool
	// aside tells which pairs are not staged, as an insider has them; nil for none.
	aside    []bool
	fallback func(pairs []int32)
	ctx      context.Context
	cancel   context.CancelCauseFunc
	// ended reports that the results no longer matter. The call shares it with its pieces.
	ended *atomic.Bool

	// loads counts the loads with open pairs, the assemblies of pieces, and the call itself
	// until all of its loads are staged. done is closed when it reaches 0.
	loads atomic.Int32
	done  chan struct{}
}

// whole reports whether the call is of whole pairs.
func (c *call) whole() bool { return c.expected == nil }

// outermost reports whether the call is that of a batch, for which no other call waits.
func (c *call) outermost() bool { return c.whole() && !c.ungated }

// score returns what a result has for a cost of a pair with that many letters.
func (c *call) score(m *align.Model, cost, letters int) int {
	if !c.whole() {
		return cost
	}
	return m.Score(cost, letters)
}

// inner returns a call of pairs of its own, which ends with this one. Fallbacks of it are in its results alone.
func (c *call) inner(b *align.Batch) *call {
	return &call{
		batch: b, fallback: func([]int32) {},
		ctx: c.ctx, cancel: c.cancel, ended: c.ended, done: make(chan struct{}),
	}
}

// release ends a load, an assembly, or the staging of all loads.
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
	sequences memory.Span
	tasks     []passes.Task // storage of the tasks as they were staged
	open      int           // tasks that are not finished; the scheduler's lock protects it
}

// block is some tasks of a load that wait together, or that share a launch with others.
type block struct {
	load  *load
	tasks []passes.Task
	// version is that of the rates by which the policy has chosen first passes, 0
	// for later passes.
	version uint32
	came    time.Time // when it was queued
	pilot   bool      // of a pilot, or of a later pass of one
}

// taskPool has storage for the tasks of loads.
var taskPool = sync.Pool{New: func() any { return new([]passes.Task) }}

// takeTasks takes storage from the pool.
func takeTasks() []passes.Task { return *taskPool.Get().(*[]passes.Task) }

// giveTasks returns storage to the pool.
func giveTasks(tasks []passes.Task) { taskPool.Put(&tasks) }

func view[T any](b []byte, n int) []T { return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n) }

// markFallback gives a pair's result the cause for which another engine aligns it.
func markFallback(c *call, i int, cause error, stats *Stats) {
	c.batch.PrepareResult(i).Err = cause
	if c.whole() {
		stats.Fallback.Count(cause)
	}
}
