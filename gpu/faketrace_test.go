package gpu

import (
	"sync/atomic"

	"wfagpu/gpu/internal/abi"
)

// eachTask takes the tasks of a launch one by one, as a block or a warp does that
// has one pair at a time.
func (g *fakeGPU) eachTask(a *abi.Params, do func(at int, p *abi.Task, r *abi.Result)) {
	tasks := g.tasks(a)
	next := &deviceSlice[uint32](g, "next", a.Next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))
	for {
		at := int(atomic.AddUint32(next, 1)) - 1
		if at >= len(tasks) || g.stopped(a) {
			return
		}
		do(at, &tasks[at], g.result(a, at))
	}
}

// traceThreads are the kernels of cuda/trace.cu, with the threads that share a
// pair.
var traceThreads = map[string]int{"wfa_trace_1": 1, "wfa_trace_8": 8, "wfa_trace_32": 32}

// trace is any of them.
func (g *fakeGPU) trace(pairs, perWarp int, a *abi.Params) {
	rowWords := int(a.PairThreads * a.PairWords)
	g.eachRoom(pairs, perWarp, a, func(at int, p *abi.Task, room []uint32) (elements int) {
		r, bound := g.result(a, at), bandBound(a, p, rowWords)
		rows := g.rows(a, at, (int(r.Score)+1)*rowWords)
		for _, row := range []int{0, int(r.Score)} {
			must(rows[row*rowWords] == rowTag(at, row, bound, int(a.PairThreads), int(a.PairWords)),
				"row %d of pair %d is not the one stored", row, at)
		}
		elems := g.align(a, p, true).cigar
		must(len(elems) <= len(room), "%d elements for a score of %d", len(elems), r.Score)
		return copy(room[len(room)-len(elems):], elems)
	})
}

// eachRoom is takeRoom of cuda/tracetask.cuh: a warp takes room for all its pairs at a
// time. write fills a task's room from the end on.
func (g *fakeGPU) eachRoom(pairs, perWarp int, a *abi.Params, write func(at int, p *abi.Task, room []uint32) (elements int)) {
	must(pairs >= int(a.Count), "threads for %d pairs of %d", pairs, a.Count)
	tasks := g.tasks(a)
	cigars := deviceSlice[uint32](g, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](g, "used", a.Used, 1)[0]
	for first := 0; first < len(tasks) && !g.stopped(a); first += perWarp {
		last := min(first+perWarp, len(tasks))
		sum := 0
		for at := first; at < last; at++ {
			sum += cigarRoom(a, g.result(a, at).Score)
		}
		end := int(atomic.AddUint32(used, uint32(sum))) - sum
		for at := first; at < last; at++ {
			r := g.result(a, at)
			if r.Score < 0 {
				continue
			}
			room := cigarRoom(a, r.Score)
			end += room
			if end > len(cigars) {
				r.Flags = abi.FlagNoRoom
				continue
			}
			n := write(at, &tasks[at], cigars[end-room:end:end])
			r.Flags = 0
			r.Cigar, r.CigarLength = uint32(end-n), uint32(n)
		}
	}
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func cigarRoom(a *abi.Params, score int32) int {
	if score < 0 {
		return 0
	}
	if a.CheapestRun > 0 { // spanRoom of cuda/spantrace.cu
		return 2*int(score/a.CheapestRun) + 3
	}
	return 2*(int(score)/int(min(a.Mismatch, a.GapOpen+a.GapExtend))) + 1
}
