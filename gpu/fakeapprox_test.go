package gpu

import (
	"wfagpu/align"
	"wfagpu/align/aligntest"
)

// anyWindow makes aligners ones of the approximate mode.
var anyWindow = &align.Approx{}

// inWindow is what one window makes of a pair, as kernels see it.
func (g *fakeGPU) inWindow(a *params, p pairEntry) aligntest.BandResult {
	aligner, done := idleAligner(align.Options{Penalties: penaltiesOf(a), Approx: anyWindow})
	defer done()
	pattern, text := g.bases(a, p.pattern, p.patternLength), g.bases(a, p.text, p.textLength)
	w := align.AdaptiveBand{Band: int(a.band), Lambda: int(a.lambda), MaxDrift: int(a.stray), StallInterval: int(a.pace)}
	r, err := aligntest.AlignBand(aligner, unpack(pattern, p.patternLength), unpack(text, p.textLength), w)
	must(err == nil, "%v", err)
	return r
}

// approx is a kernel of cuda/approx.cuh.
func (g *fakeGPU) approx(k *frontKernel, block, shared int, a *params) {
	must(penaltiesOf(a) == k.penalties, "penalties %v", penaltiesOf(a))
	must(block == 32, "blocks of %d threads", block)
	must(int(a.lanes) == 32 && int(a.words) == k.words, "rows have the wrong shape")
	must(shared == k.tableBytes(int(a.textEntries+a.patternEntries)), "shared memory is not that of the tables")
	round := round(k.penalties)
	must(a.band >= align.MinBand && int(a.band) <= 64*k.words-round, "a window of %d diagonals", a.band)
	must(a.lambda >= 1 && a.lambda <= maxLambda && a.stray > 0, "lambda %d, stray %d", a.lambda, a.stray)
	must(a.windowWords%32 == 0 && a.windowWords > a.maxScore/a.lambda, "%d words for the window's moves", a.windowWords)
	g.eachInWindow(a, func(at int, p pairEntry) {
		must(p.textLength < a.textEntries && p.patternLength+int32(k.bases) <= a.patternEntries,
			"tables are too small for %d and %d letters", p.patternLength, p.textLength)
		must(max(p.textLength, p.patternLength) <= 32_000, "offsets beyond 16 bits")
	}, func(at int, pair uint32, last int) {
		if k.rows {
			g.tagRows(a, at, pair, int(a.windowWords)+((last+round-1)/round*round+1)*32*k.words)
		}
	})
}

// window is a kernel of cuda/window.cu.
func (g *fakeGPU) window(rows bool, grid, block, shared int, a *params) {
	must(block <= 512 && (block >= int(a.band) || block >= 256), "blocks of %d threads", block)
	held := 4 * int(max(a.mismatch, a.gapOpen)+2*(a.gapExtend+1)) * int(a.band+1)
	if a.held == 0 {
		must(shared == held, "%d bytes of shared memory, want %d", shared, held)
	} else {
		must(shared == 0, "shared memory that is not needed")
		memory := deviceSlice[uint32](g, "held", a.held, grid*held/4)
		memory[0], memory[len(memory)-1] = ^uint32(0), ^uint32(0)
		must(a.rows >= a.held+devicePtr(grid*held), "rows lie in what is held")
	}
	must(a.band >= align.MinBand && a.lambda >= 1 && a.stray > 0, "band %d, lambda %d, stray %d", a.band, a.lambda, a.stray)
	must(a.windowWords > a.maxScore/a.lambda, "%d words for the window's moves", a.windowWords)
	g.eachInWindow(a, func(int, pairEntry) {}, func(at int, pair uint32, last int) {
		if rows {
			g.tagRows(a, at, pair, int(a.windowWords)+(last+1)*int(a.band))
		}
	})
}

// eachInWindow aligns the tasks of a launch. It calls check ahead of each, and
// done with the last score that was computed.
func (g *fakeGPU) eachInWindow(a *params, check func(at int, p pairEntry), done func(at int, pair uint32, last int)) {
	g.eachTask(a, func(at int, task taskEntry, p pairEntry, r *resultEntry) {
		must(task.limit > 0 && task.limit <= a.maxScore, "limit %d", task.limit)
		check(at, p)
		last := int(task.limit)
		r.score = -1
		r.flags &^= flagLost | flagStrayed
		switch found := g.inWindow(a, p); {
		case found.Drifted: // which may be at any score
			r.flags |= flagStrayed
		case found.Lost:
			if last >= min(penaltiesOf(a).Worst(int(p.patternLength), int(p.textLength)), maxLimit) {
				r.flags |= flagLost
			}
		case found.Score <= last:
			r.score, last = int32(found.Score), found.Score
		}
		done(at, task.pair, last)
	})
}

// tagRows writes the first and the last word of a task's rows.
func (g *fakeGPU) tagRows(a *params, at int, pair uint32, words int) {
	must(words <= int(a.rowStride), "rows run into those of the next pair")
	rows := deviceSlice[uint32](g, "rows", a.rows+devicePtr(4*at*int(a.rowStride)), words)
	rows[len(rows)-1] = ^uint32(0)
	rows[0] = rowTag(pair, 0, int(a.band), 32, int(a.words))
}

// approxTraceLanes are those that walk back one pair.
const approxTraceLanes = 8

// traceApprox is a kernel of cuda/approxtrace.cu.
func (g *fakeGPU) traceApprox(pairs, perWarp int, a *params) {
	g.eachRoom(pairs, perWarp, a, func(at int, task taskEntry, room []uint32) (elements int) {
		rows := deviceSlice[uint32](g, "rows", a.rows+devicePtr(4*at*int(a.rowStride)), 1)
		must(rows[0] == rowTag(task.pair, 0, int(a.band), 32, int(a.words)), "rows of pair %d are not the ones stored", task.pair)
		found := g.inWindow(a, g.pair(a, task.pair))
		r := g.result(a, task.pair)
		must(int(r.score) == found.Score, "score %d, want %d", r.score, found.Score)
		r.score = int32(found.Cost)
		must(len(found.CIGAR) <= len(room), "%d elements for a score of %d", len(found.CIGAR), found.Score)
		for i, e := range found.CIGAR {
			room[len(room)-len(found.CIGAR)+i] = uint32(e)
		}
		return len(found.CIGAR)
	})
}
