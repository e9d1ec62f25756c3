package gpu

import (
	"sync/atomic"

	"wfagpu/gpu/internal/abi"
)

// fakeTrace is a traceback kernel.
type fakeTrace struct {
	name    string
	threads int                     // of a pair
	most    int                     // threads of a block
	static  int32                   // bytes of shared memory that it declares itself
	shared  func(a *fakeLaunch) int // bytes of shared memory besides; nil: none
	// write fills the room of a task's alignment from the end on, and returns the number of
	// elements.
	write func(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int)
}

// run is a launch of the kernel.
func (k *fakeTrace) run(a *fakeLaunch) {
	must(a.block <= k.most, "more threads than __launch_bounds__")
	want := 0
	if k.shared != nil {
		want = k.shared(a)
	}
	must(a.shared == want, "%d bytes of shared memory, want %d", a.shared, want)
	a.eachRoom(a.grid*a.block/k.threads, 32/k.threads, func(at int, p *abi.Task, room []uint32) int {
		return k.write(a, at, p, room)
	})
}

// fakeTraces are all of them.
var fakeTraces = []fakeTrace{
	{"wfa_trace_1", 1, 128, 0, nil, traceRows}, {"wfa_trace_8", 8, 128, 0, nil, traceRows}, {"wfa_trace_32", 32, 128, 0, nil, traceRows},
	{"wfa_retrace_2_3_1", 8, 64, 0, retraceShared, retrace}, {"wfa_retrace_long_2_3_1", 8, 64, 0, retraceShared, retrace},
	{"wfa_retrace_tiles_2_3_1", 8, 64, 0, retraceShared, retrace},
	{"wfa_gotoh_trace", 1, 128, 0, nil, traceGotoh},
	{"wfa_span_trace_4", 1, 128, 0, nil, traceSpan}, {"wfa_span_trace_4_warp", 32, 128, 0, nil, traceSpan},
	{"wfa_span_trace_8", 1, 128, 0, nil, traceSpan}, {"wfa_span_trace_8_warp", 32, 128, 0, nil, traceSpan},
	{"wfa_edit_trace", 1, 128, 32 << 10, nil, traceEdit}, {"wfa_edit_trace_warp", 32, 128, 32 << 10, nil, traceEdit},
	{"wfa_adaptive_warp_trace", 8, 128, 0, nil, traceAdaptive}, {"wfa_adaptive_long_trace", 8, 128, 0, nil, traceAdaptive},
	{"wfa_adaptive_block_trace", 8, 128, 0, nil, traceAdaptive},
}

// traceRows is a kernel of cuda/trace.cuh.
func traceRows(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int) {
	rowWords := int(a.PairThreads * a.PairWords)
	r, bound := a.result(at), bandBound(a.Params, p, rowWords)
	rows := a.rows(at, (int(r.Score)+1)*rowWords)
	for _, row := range []int{0, int(r.Score)} {
		must(rows[row*rowWords] == rowTag(at, row, bound, int(a.PairThreads), int(a.PairWords)),
			"row %d of pair %d is not the one stored", row, at)
	}
	return fill(room, a.align(p, true).cigar)
}

// fill writes elements to the end of a task's room and returns their number.
func fill(room, elements []uint32) int {
	must(len(elements) <= len(room), "%d elements in room for %d", len(elements), len(room))
	return copy(room[len(room)-len(elements):], elements)
}

// eachRoom is takeRoom of cuda/tracetask.cuh: a warp takes room for all its pairs at a
// time. write fills a task's room from the end on.
func (a *fakeLaunch) eachRoom(pairs, perWarp int, write func(at int, p *abi.Task, room []uint32) (elements int)) {
	must(pairs >= int(a.Count), "threads for %d pairs of %d", pairs, a.Count)
	tasks := a.tasks()
	cigars := deviceSlice[uint32](a, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](a, "used", a.Used, 1)[0]
	for first := 0; first < len(tasks) && !a.stopped(); first += perWarp {
		last := min(first+perWarp, len(tasks))
		sum := 0
		for at := first; at < last; at++ {
			sum += cigarRoom(a.Params, a.result(at).Score)
		}
		end := int(atomic.AddUint32(used, uint32(sum))) - sum
		for at := first; at < last; at++ {
			r := a.result(at)
			if r.Score < 0 {
				continue
			}
			room := cigarRoom(a.Params, r.Score)
			end += room
			if end > len(cigars) {
				if r.Flags = abi.FlagNoRoom; a.exceeds() {
					*r = abi.Result{Score: -1, Cigar: uint32(r.Score), Flags: abi.FlagNoRoom}
				}
				continue
			}
			n := write(at, &tasks[at], cigars[end-room:end:end])
			r.Flags &= abi.FlagSlack | abi.FlagDoubtful
			r.Cigar, r.CigarLength = uint32(end-n), uint32(n)
		}
	}
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func cigarRoom(a *abi.Params, score int32) int {
	if score < 0 {
		return 0
	}
	if a.CheapestRun > 0 { // spanRoom of cuda/spantrace.cuh
		return 2*int(score/a.CheapestRun) + 3
	}
	return 2*(int(score)/int(min(a.Mismatch, a.GapOpen+a.GapExtend))) + 1
}
