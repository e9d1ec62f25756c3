package gpu

import (
	"fmt"
	"strings"

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
// score, of rows of some words, and of an origin for each 32 of these if they have origins.
func (a *fakeLaunch) tagCheckpoints(at, score, rowWords int, origins bool) {
	p := penaltiesOf(a.Params)
	words := checkpointRows(p) * rowWords
	if origins {
		words += rowWords / 32
	}
	words *= max(score, 0) / spanOf(p, packedWindow)
	if words == 0 {
		return
	}
	rows := a.rows(at, words)
	rows[len(rows)-1] = ^uint32(0)
	rows[0] = rowTag(at, 0, score, rowWords, 0)
}

// tileHeader is headerWords of cuda/tilestates.cuh, the memory of a pair before its
// checkpoints.
const tileHeader = 32

// fakeTiles is a kernel of cuda/tiles.cuh.
func fakeTiles(a *fakeLaunch) {
	warps, _, _ := strings.Cut(strings.TrimPrefix(a.name, "wfa_tiles_2_3_1_"), "x")
	must(fmt.Sprint(a.block/32) == warps, "blocks of %d threads, not of %s warps", a.block, warps)
	rows := strings.HasSuffix(a.name, "_rows")
	p := penaltiesOf(a.Params)
	must(p == align.Penalties{Mismatch: 2, GapOpen: 3, GapExtend: 1}, "penalties %v", p)
	must(int(a.Span) == spanOf(p, tilesWindow) && a.Width%8 == 0, "span %d, width %d", a.Span, a.Width)
	must(a.grid <= int(a.Count) || a.Helpers != 0, "%d blocks for %d pairs", a.grid, a.Count)
	tasks := a.tasks()
	a.next()
	for at := range tasks {
		if a.stopped() {
			return
		}
		t := &tasks[at]
		if words := int(t.TextLength/16 + t.PatternLength/16 + 4); a.shared > 0 {
			must(a.shared >= 4*words, "%d bytes of shared memory for %d words", a.shared, words)
		}
		if a.Helpers != 0 {
			for _, w := range a.rows(at, tileHeader) {
				must(w == 0, "a header is not cleared")
			}
		}
		bound := int(t.Bound)
		reach := 0
		if bound >= p.GapOpen+p.GapExtend {
			reach = (bound - p.GapOpen) / p.GapExtend
		}
		must(int(a.Width) >= min(reach+1, int(t.TextLength+t.PatternLength)+1), "rows of %d cells for a bound of %d", a.Width, bound)
		found := a.align(t, rows)
		r, last := abi.Result{Score: -1}, bound
		if found.score <= bound {
			r.Score, last = int32(found.score), found.score
		}
		*a.result(at) = r
		rounds := 2
		if rows {
			rounds = max((last+spanOf(p, tilesWindow)-1)/spanOf(p, tilesWindow), 1)
		}
		memory := a.rows(at, tileHeader+rounds*checkpointRows(p)*int(a.Width))
		memory[len(memory)-1] = ^uint32(0)
		memory[0] = rowTag(at, 0, last, int(a.Width), 1)
	}
}

// clearTiles is wfa_tiles_clear.
func clearTiles(a *fakeLaunch) {
	must(a.shared == 0, "shared memory for a kernel that uses none")
	must(a.block <= 128 && a.grid*a.block >= int(a.Count), "threads for %d headers of %d", a.grid*a.block, a.Count)
	for at := range int(a.Count) {
		clear(a.rows(at, tileHeader))
	}
}

// retraceWindow returns the diagonals of a window of a kernel of cuda/retrace.cuh, and whether
// the checkpoints are those of the tiles family.
func retraceWindow(a *fakeLaunch) (diagonals int, tiles bool) {
	if strings.HasPrefix(a.name, "wfa_retrace_tiles_") {
		return tilesWindow, true
	}
	return packedWindow, false
}

// retraceShared is the shared memory of a block of such a kernel, for the windows of its pairs.
func retraceShared(a *fakeLaunch) int {
	p := penaltiesOf(a.Params)
	window, _ := retraceWindow(a)
	return a.block / 8 * 4 * window * (max(p.Mismatch, p.GapOpen) + spanOf(p, window))
}

// retrace is such a kernel, with eight threads for each pair.
func retrace(a *fakeLaunch, at int, t *abi.Task, room []uint32) (elements int) {
	window, tiles := retraceWindow(a)
	score := int(a.result(at).Score)
	tag, words := rowTag(at, 0, score, int(a.PairThreads*a.PairWords), 0), score/spanOf(penaltiesOf(a.Params), window)
	if tiles {
		tag, words = rowTag(at, 0, score, int(a.Width), 1), 1
	}
	if words > 0 {
		must(a.rows(at, 1)[0] == tag, "checkpoints of pair %d are not the ones stored", at)
	}
	return fill(room, a.align(t, true).cigar)
}
