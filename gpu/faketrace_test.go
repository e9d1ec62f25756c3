package gpu

import (
	"sync/atomic"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// eachTask takes the tasks of a launch one by one, as a block or a warp does that
// has one pair at a time.
func (g *fakeGPU) eachTask(a *abi.Params, do func(at int, task abi.Task, p abi.Pair, r *abi.Result)) {
	tasks := deviceSlice[abi.Task](g, "tasks", a.Tasks, int(a.Count))
	next := &deviceSlice[uint32](g, "next", a.Next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))
	for {
		at := int(atomic.AddUint32(next, 1)) - 1
		if at >= len(tasks) {
			return
		}
		task := tasks[at]
		do(at, task, g.pair(a, task.Pair), g.result(a, task.Pair))
	}
}

// traceThreads are the kernels of cuda/trace.cu, with the threads that share a
// pair.
var traceThreads = map[string]int{"wfa_trace_1": 1, "wfa_trace_8": 8, "wfa_trace_32": 32}

// trace is any of them.
func (g *fakeGPU) trace(pairs, perWarp int, a *abi.Params) {
	rowWords := int(a.PairThreads * a.PairWords)
	g.eachRoom(pairs, perWarp, a, func(at int, task abi.Task, room []uint32) (elements int) {
		p, r := g.pair(a, task.Pair), g.result(a, task.Pair)
		bound := bandBound(a, p, task.Bound, rowWords)
		rows := deviceSlice[uint32](g, "rows", a.Rows+driver.Ptr(4*at*int(a.RowStride)), (int(r.Score)+1)*rowWords)
		for _, row := range []int{0, int(r.Score)} {
			must(rows[row*rowWords] == rowTag(task.Pair, row, bound, int(a.PairThreads), int(a.PairWords)),
				"row %d of pair %d is not the one stored", row, task.Pair)
		}
		elems := g.align(a, p, true).cigar
		must(len(elems) <= len(room), "%d elements for a score of %d", len(elems), r.Score)
		return copy(room[len(room)-len(elems):], elems)
	})
}

// eachRoom is takeRoom of cuda/tracetask.cuh: a warp takes room for all its pairs at a
// time. write fills a task's room from the end on.
func (g *fakeGPU) eachRoom(pairs, perWarp int, a *abi.Params, write func(at int, task abi.Task, room []uint32) (elements int)) {
	must(pairs >= int(a.Count), "threads for %d pairs of %d", pairs, a.Count)
	tasks := deviceSlice[abi.Task](g, "tasks", a.Tasks, int(a.Count))
	cigars := deviceSlice[uint32](g, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](g, "used", a.Used, 1)[0]
	for first := 0; first < len(tasks); first += perWarp {
		warp := tasks[first:min(first+perWarp, len(tasks))]
		sum := 0
		for _, task := range warp {
			sum += cigarRoom(a, g.result(a, task.Pair).Score)
		}
		end := int(atomic.AddUint32(used, uint32(sum))) - sum
		for i, task := range warp {
			r := g.result(a, task.Pair)
			if r.Score < 0 {
				continue
			}
			room := cigarRoom(a, r.Score)
			end += room
			if end > len(cigars) {
				r.Flags = r.Flags&abi.FlagLetters | abi.FlagNoRoom
				continue
			}
			n := write(first+i, task, cigars[end-room:end:end])
			r.Flags &= abi.FlagLetters
			r.Cigar, r.CigarLength = uint32(end-n), uint32(n)
		}
	}
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func cigarRoom(a *abi.Params, score int32) int {
	if score < 0 {
		return 0
	}
	return 2*(int(score)/int(min(a.Mismatch, a.GapOpen+a.GapExtend))) + 1
}
