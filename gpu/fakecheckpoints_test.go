package gpu

import (
	"sync/atomic"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/kernel"
)

// Diagonals of a window of cuda/window.cuh, for checkpoints of the block family and for
// those of the tiles family.
const packedWindow, tilesWindow = 32, 64

// spanOf and checkpointRows are the shape of cuda/checkpoint.cuh.
func spanOf(p align.Penalties, window int) int {
	unroll := kernel.Unroll(p)
	return (window/2 - 1) / unroll * unroll
}

func checkpointRows(p align.Penalties) int { return max(p.Mismatch, p.GapOpen) + 2*p.GapExtend }

// tagCheckpoints writes the first and the last word of a pair's checkpoints up to a
// score, of rows of some words.
func (g *fakeGPU) tagCheckpoints(a *abi.Params, at, score, rowWords int) {
	p := penaltiesOf(a)
	words := max(score, 0) / spanOf(p, packedWindow) * checkpointRows(p) * rowWords
	if words == 0 {
		return
	}
	rows := g.rows(a, at, words)
	rows[len(rows)-1] = ^uint32(0)
	rows[0] = rowTag(at, 0, score, rowWords, 0)
}

// tileHeader is headerWords of cuda/tilestates.cuh, the memory of a pair before its
// checkpoints.
const tileHeader = 32

// tiles is a kernel of cuda/tiles.cuh.
func (g *fakeGPU) tiles(rows bool, blocks, block, shared int, a *abi.Params) {
	p := penaltiesOf(a)
	must(p == align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, "penalties %v", p)
	must(block == 128, "blocks of %d threads", block)
	must(int(a.Span) == spanOf(p, tilesWindow) && a.Width%8 == 0, "span %d, width %d", a.Span, a.Width)
	must(blocks <= int(a.Count) || a.Helpers != 0, "%d blocks for %d pairs", blocks, a.Count)
	tasks := g.tasks(a)
	next := &deviceSlice[uint32](g, "next", a.Next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))
	for at := range tasks {
		if g.stopped(a) {
			return
		}
		t := &tasks[at]
		if words := int(t.TextLength/16 + t.PatternLength/16 + 4); shared > 0 {
			must(shared >= 4*words, "%d bytes of shared memory for %d words", shared, words)
		}
		if a.Helpers != 0 {
			for _, w := range g.rows(a, at, tileHeader) {
				must(w == 0, "a header is not cleared")
			}
		}
		bound := int(t.Bound)
		reach := 0
		if bound >= p.GapOpen+p.GapExtend {
			reach = (bound - p.GapOpen) / p.GapExtend
		}
		must(int(a.Width) >= min(reach+1, int(t.TextLength+t.PatternLength)+1), "rows of %d cells for a bound of %d", a.Width, bound)
		found := g.align(a, t, rows)
		r, last := abi.Result{Score: -1}, bound
		if found.score <= bound {
			r.Score, last = int32(found.score), found.score
		}
		*g.result(a, at) = r
		rounds := 2
		if rows {
			rounds = max((last+spanOf(p, tilesWindow)-1)/spanOf(p, tilesWindow), 1)
		}
		memory := g.rows(a, at, tileHeader+rounds*checkpointRows(p)*int(a.Width))
		memory[len(memory)-1] = ^uint32(0)
		memory[0] = rowTag(at, 0, last, int(a.Width), 1)
	}
}

// retrace is a kernel of cuda/retrace.cuh, eight threads for each pair.
func (g *fakeGPU) retrace(tiles bool, pairs, perBlock, shared int, a *abi.Params) {
	p, window := penaltiesOf(a), packedWindow
	if tiles {
		window = tilesWindow
	}
	span := spanOf(p, window)
	must(shared == perBlock*4*window*(max(p.Mismatch, p.GapOpen)+span), "%d bytes of shared memory for windows", shared)
	g.eachRoom(pairs, 4, a, func(at int, t *abi.Task, room []uint32) (elements int) {
		score := int(g.result(a, at).Score)
		tag, words := rowTag(at, 0, score, int(a.PairThreads*a.PairWords), 0), score/span
		if tiles {
			tag, words = rowTag(at, 0, score, int(a.Width), 1), 1
		}
		if words > 0 {
			must(g.rows(a, at, 1)[0] == tag, "checkpoints of pair %d are not the ones stored", at)
		}
		elems := g.align(a, t, true).cigar
		must(len(elems) <= len(room), "%d elements for a score of %d", len(elems), score)
		return copy(room[len(room)-len(elems):], elems)
	})
}
