package gpu

import (
	"strings"
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// certified is certify of cuda/penalties.cuh: the largest score that a band of
// diagonals around the end cell's certifies, negative if the band lacks the first
// or the last diagonal.
func certified(p align.Penalties, end, half int) int {
	first := end - half
	above, below := first+2*half, first-1
	if first > 0 || above <= 0 {
		return -1
	}
	return 2*p.GapOpen + p.GapExtend*min(2*above-end, end-2*below) - 1
}

// bandBound is the bound of a task after the band's certificate.
func bandBound(a *abi.Params, p *abi.Task, half int) int {
	return min(certified(penaltiesOf(a), int(p.TextLength-p.PatternLength), half), int(p.Bound), int(a.MaxScore))
}

// rowTag is what the fake kernels leave in a row for the traceback to find.
func rowTag(at, row, bound, threads, words int) uint32 {
	h := uint32(2166136261)
	for _, v := range [...]uint32{uint32(at), uint32(row), uint32(bound), uint32(threads), uint32(words)} {
		h = (h ^ v) * 16777619
	}
	return h
}

// checkpoints reports whether the kernel stores checkpoints in place of rows.
func (k *registerKernel) checkpoints() bool {
	return strings.HasSuffix(k.Arguments, "storeCheckpoints")
}

// exact is a kernel of the warp or the block family, cuda/warp.cuh and
// cuda/block.cuh.
func (g *fakeGPU) exact(k *registerKernel, block, shared int, a *abi.Params) {
	p := penaltiesOf(a)
	must(p == k.Penalties, "penalties %v", p)
	must(block == 32*k.Warps, "blocks of %d threads", block)
	must(int(a.PairThreads) == k.PairThreads && int(a.PairWords) == k.Words, "rows have the wrong shape")
	half, together, perBlock := k.half(), 1, 1
	if k.Family.Name == "warp" {
		together = 32 / k.PairThreads
		perBlock = block / k.PairThreads
	}
	must(k.Pairs == perBlock, "%d pairs a block, want %d", k.Pairs, perBlock)
	must(shared == k.tableBytes(int(a.TextEntries+a.PatternEntries)), "shared memory is not that of the tables")
	must(min(a.TextEntries, a.PatternEntries) >= int32(2*half), "tables smaller than the band")
	tasks := g.tasks(a)
	next := &deviceSlice[uint32](g, "next", a.Next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))

	rowWords := k.PairThreads * k.Words
	unroll := kernel.Unroll(p)
	for {
		at := int(atomic.AddUint32(next, uint32(together))) - together
		if at >= len(tasks) || g.stopped(a) {
			return
		}
		lastRow := 0 // all groups of a warp continue as long as one does
		for i := range min(together, len(tasks)-at) {
			e := &tasks[at+i]
			must(e.TextLength < a.TextEntries && e.PatternLength+int32(k.Bases) <= a.PatternEntries,
				"tables are too small for %d and %d letters", e.PatternLength, e.TextLength)
			bound := bandBound(a, e, half)
			must(int(max(e.TextLength, e.PatternLength))+bound <= abi.MaxOffset, "offsets beyond 16 bits")
			r, done := abi.Result{Score: -1}, bound
			if bound >= 0 {
				if s := g.align(a, e, k.rows).score; s <= bound {
					r.Score = int32(s)
					done = s
				}
			}
			*g.result(a, at+i) = r
			lastRow = max(lastRow, (done+unroll-1)/unroll*unroll)
			if k.rows && k.checkpoints() {
				g.tagCheckpoints(a, at+i, min(done, bound), rowWords)
			}
		}
		if !k.rows || k.checkpoints() {
			continue
		}
		for i := range together {
			rows := g.rows(a, at+i, (lastRow+1)*rowWords)
			rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)
			if at+i < len(tasks) {
				for _, row := range []int{0, int(g.result(a, at+i).Score)} {
					if row >= 0 {
						rows[row*rowWords] = rowTag(at+i, row, bandBound(a, &tasks[at+i], half), k.PairThreads, k.Words)
					}
				}
			}
		}
	}
}

// general is wfa_general, cuda/general.cu.
func (g *fakeGPU) general(workers int, a *abi.Params) {
	o, e := int(a.GapOpen), int(a.GapExtend)
	lookback, width := max(int(a.Mismatch), o+e), int(a.Width)
	must(width%4 == 0 && a.RowStride%4 == 0 && a.Rows%16 == 0, "rows that do not begin at 16 bytes")
	mRows := lookback + 1
	if a.SegmentRows > 0 {
		mRows = lookback + int(a.SegmentRows)
	}
	slab := (2*(e+1) + mRows + int(a.Checkpoints)*(lookback+2*(e+1))) * width
	if a.SegmentRows > 0 {
		slab += int(a.Scratch)
	}
	must(slab <= int(a.RowStride), "a worker needs %d words of memory", slab)
	rows := deviceSlice[uint32](g, "rows", a.Rows, workers*int(a.RowStride))
	rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)

	cigars := deviceSlice[uint32](g, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](g, "used", a.Used, 1)[0]
	g.eachTask(a, func(_ int, p *abi.Task, r *abi.Result) {
		bound := int(p.Bound)
		// Diagonals that gaps reach, and leave for the end, within the bound;
		// threads write four at a time.
		reach, last := 0, int(p.TextLength-p.PatternLength)
		if bound >= o+e {
			reach = (bound - o) / e
		}
		lowest := -min(int(p.PatternLength), (reach-last)/2+1)
		highest := min(int(p.TextLength), (reach+last)/2+1)
		must(lowest <= 0 && highest >= 0, "diagonals from %d to %d", lowest, highest)
		must(highest-lowest+1 <= width, "rows of %d cells for %d diagonals", width, highest-lowest+1)
		found := g.align(a, p, a.SegmentRows > 0)
		// The score at which a worker's memory ends.
		end := bound
		if a.SegmentRows > 0 {
			end = min(bound, (int(a.Checkpoints)+1)*int(a.SegmentRows)-1)
		}
		if found.score > end {
			*r = abi.Result{Score: -1}
			if end < bound {
				r.Flags = abi.FlagMemory
			}
			return
		}
		*r = abi.Result{Score: int32(found.score)}
		if a.SegmentRows == 0 {
			return
		}
		must(len(found.cigar) <= int(a.Scratch), "%d elements of scratch", a.Scratch)
		n := len(found.cigar)
		place := int(atomic.AddUint32(used, uint32(n))) - n
		r.Cigar, r.CigarLength = uint32(place), uint32(n)
		if place+n > len(cigars) {
			r.Flags = abi.FlagNoRoom
			r.CigarLength = 0
			return
		}
		copy(cigars[place:], found.cigar)
	})
}
