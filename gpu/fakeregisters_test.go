package gpu

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// registerKernel is a kernel with wavefronts in registers, or in rings in shared memory.
type registerKernel struct {
	kernel.Variant
	rows bool
}

// registerKernels are such kernels, by name, but those of tiles.
func registerKernels() map[string]*registerKernel {
	all := map[string]*registerKernel{}
	for _, v := range kernel.Variants() {
		switch v.Family.Name {
		case "warp", "block", "long", "adaptive_warp", "adaptive_long", "adaptive_rings":
			for _, name := range v.Names {
				all[name] = &registerKernel{v, strings.HasSuffix(name, "_rows")}
			}
		}
	}
	return all
}

// half is the number of diagonals on either side of the end cell's.
func (k *registerKernel) half() int { return k.PairThreads * k.Words }

// tableBytes is the size of all look-ahead tables of a block, given the entries
// of one pair's.
func (k *registerKernel) tableBytes(entries int) int {
	if k.Bases == 0 { // packed: two bits a base
		return k.Pairs * entries / 4
	}
	return k.Pairs * entries * k.Bases * 2 / 8
}

// staticShared is what the kernel declares in shared memory itself, in bytes: in
// the block family, the gaps between neighbouring strides.
func (k *registerKernel) staticShared(t testing.TB) int32 {
	if k.Family.Name != "block" && k.Family.Name != "long" {
		return 0
	}
	var warps, strides int
	if _, err := fmt.Sscanf(k.Arguments, "%d, %d,", &warps, &strides); err != nil || warps != k.Warps {
		t.Fatalf("arguments %q of a block of %d warps: %v", k.Arguments, k.Warps, err)
	}
	return int32(8*(k.Penalties.GapExtend+1)*(warps*strides+1) + 16)
}

// run is a launch of the kernel.
func (k *registerKernel) run(a *fakeLaunch) {
	if strings.HasPrefix(k.Family.Name, "adaptive") {
		k.adaptiveWarp(a)
	} else {
		k.exact(a)
	}
}

// checkpoints reports whether the kernel stores checkpoints in place of rows.
func (k *registerKernel) checkpoints() bool {
	return k.Family.Name == "long" || strings.HasSuffix(k.Arguments, "storeCheckpoints")
}

// overflows reports whether 16-bit offsets overflow in the fake kernels of the long families.
func overflows(t *abi.Task) bool { return t.TextLength%8 == 5 }

// exact is a kernel of the warp, block or long family, cuda/warp.cuh and
// cuda/block.cuh.
func (k *registerKernel) exact(a *fakeLaunch) {
	p := penaltiesOf(a.Params)
	must(p == k.Penalties, "penalties %v", p)
	must(a.block == 32*k.Warps, "blocks of %d threads", a.block)
	must(int(a.PairThreads) == k.PairThreads && int(a.PairWords) == k.Words, "rows have the wrong shape")
	half, together, perBlock := k.half(), 1, 1
	if k.Family.Name == "warp" {
		together = 32 / k.PairThreads
		perBlock = a.block / k.PairThreads
	}
	must(k.Pairs == perBlock, "%d pairs a a.block, want %d", k.Pairs, perBlock)
	must(a.shared == k.tableBytes(int(a.TextEntries+a.PatternEntries)), "shared memory is not that of the tables")
	must(min(a.TextEntries, a.PatternEntries) >= int32(2*half), "tables smaller than the band")
	tasks, next := a.tasks(), a.next()

	rowWords := k.PairThreads * k.Words
	unroll := kernel.Unroll(p)
	for {
		at := int(atomic.AddUint32(next, uint32(together))) - together
		if at >= len(tasks) || a.stopped() {
			return
		}
		lastRow := 0 // all groups of a warp continue as long as one does
		for i := range min(together, len(tasks)-at) {
			e := &tasks[at+i]
			must(e.TextLength < a.TextEntries && e.PatternLength+int32(k.Bases) <= a.PatternEntries,
				"tables are too small for %d and %d letters", e.PatternLength, e.TextLength)
			bound := bandBound(a.Params, e, half)
			long := k.Family.Name == "long"
			must(long || int(max(e.TextLength, e.PatternLength))+bound <= abi.MaxOffset, "offsets beyond 16 bits")
			r, done := abi.Result{Score: -1}, bound
			if long && overflows(e) {
				r.Flags = abi.FlagOverflow
			} else if bound >= 0 {
				if s := a.align(e, k.rows).score; s <= bound {
					r.Score = int32(s)
					done = s
				}
			}
			*a.result(at + i) = r
			lastRow = max(lastRow, (done+unroll-1)/unroll*unroll)
			if k.rows && k.checkpoints() {
				a.tagCheckpoints(at+i, min(done, bound), rowWords, long)
			}
		}
		if !k.rows || k.checkpoints() {
			continue
		}
		for i := range together {
			rows := a.rows(at+i, (lastRow+1)*rowWords)
			rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)
			if at+i < len(tasks) {
				for _, row := range []int{0, int(a.result(at + i).Score)} {
					if row >= 0 {
						rows[row*rowWords] = rowTag(at+i, row, bandBound(a.Params, &tasks[at+i], half), k.PairThreads, k.Words)
					}
				}
			}
		}
	}
}
