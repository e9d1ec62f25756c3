package gpu

import (
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
)

// certified is Band of cuda/penalties.cuh: the largest score that a band of
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

// fakeGeneral is wfa_general, cuda/general.cu.
func fakeGeneral(a *fakeLaunch) {
	must(a.block <= 1024 && a.shared == 0, "blocks of %d threads, %d bytes of shared memory", a.block, a.shared)
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
	rows := deviceSlice[uint32](a, "rows", a.Rows, a.grid*int(a.RowStride))
	rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)

	cigars := deviceSlice[uint32](a, "cigars", a.Cigars, int(a.CigarCapacity))
	used := &deviceSlice[uint32](a, "used", a.Used, 1)[0]
	a.eachTask(func(_ int, p *abi.Task, r *abi.Result) {
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
		found := a.align(p, a.SegmentRows > 0)
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
