package gpu

import (
	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// anyBand makes aligners ones of the approximate mode.
var anyBand = &align.Approx{}

// inBand aligns a pair in one adaptive band, as kernels see it.
func (g *fakeGPU) inBand(a *abi.Params, p *abi.Task) aligntest.BandResult {
	aligner, done := idleAligner(align.Options{Penalties: penaltiesOf(a), Approx: anyBand})
	defer done()
	pattern, text := g.bases(p.Pattern, p.PatternLength), g.bases(p.Text, p.TextLength)
	band := align.AdaptiveBand{
		Band: int(a.Band), Lambda: int(a.Lambda), MaxDrift: int(a.MaxDrift), StallInterval: int(a.StallInterval),
	}
	r, err := aligntest.AlignBand(aligner, unpack(pattern, p.PatternLength), unpack(text, p.TextLength), band)
	must(err == nil, "%v", err)
	return r
}

// adaptiveWarp is a kernel of cuda/adaptivewarp.cuh.
func (g *fakeGPU) adaptiveWarp(k *registerKernel, block, shared int, a *abi.Params) {
	must(penaltiesOf(a) == k.Penalties, "penalties %v", penaltiesOf(a))
	must(block == 32, "blocks of %d threads", block)
	must(int(a.PairThreads) == 32 && int(a.PairWords) == k.Words, "rows have the wrong shape")
	must(shared == k.tableBytes(int(a.TextEntries+a.PatternEntries)), "shared memory is not that of the tables")
	unroll := kernel.Unroll(k.Penalties)
	must(a.Band >= align.MinBand && int(a.Band) <= 64*k.Words-unroll, "a band of %d diagonals", a.Band)
	must(a.Lambda >= 1 && a.Lambda <= abi.MaxLambda && a.MaxDrift > 0, "lambda %d, drift %d", a.Lambda, a.MaxDrift)
	must(a.BandStarts%32 == 0 && a.BandStarts > a.MaxScore/a.Lambda, "%d words for the band's moves", a.BandStarts)
	beyond := k.Bases // that extensions look past the end of the pattern
	if beyond == 0 {
		beyond = abi.LettersPerWord
	}
	g.eachInBand(a, func(p *abi.Task) {
		must(p.TextLength < a.TextEntries && p.PatternLength+int32(beyond) <= a.PatternEntries,
			"tables are too small for %d and %d letters", p.PatternLength, p.TextLength)
		must(max(p.TextLength, p.PatternLength) <= abi.MaxOffset, "offsets beyond 16 bits")
	}, func(at, last int) {
		if k.rows {
			g.tagRows(a, at, int(a.BandStarts)+((last+unroll-1)/unroll*unroll+1)*32*k.Words)
		}
	})
}

// adaptiveBlock is a kernel of cuda/adaptiveblock.cu.
func (g *fakeGPU) adaptiveBlock(rows bool, grid, block, shared int, a *abi.Params) {
	must(block <= 512 && (block >= int(a.Band) || block >= 256), "blocks of %d threads", block)
	ring := 4 * int(max(a.Mismatch, a.GapOpen)+2*(a.GapExtend+1)) * int(a.Band+1)
	if a.Ring == 0 {
		must(shared == ring, "%d bytes of shared memory, want %d", shared, ring)
	} else {
		must(shared == 0, "shared memory that is not needed")
		memory := deviceSlice[uint32](g, "ring", a.Ring, grid*ring/4)
		memory[0], memory[len(memory)-1] = ^uint32(0), ^uint32(0)
		must(a.Rows >= a.Ring+driver.Ptr(grid*ring), "rows overlap the rings")
	}
	must(a.Band >= align.MinBand && a.Lambda >= 1 && a.MaxDrift > 0, "band %d, lambda %d, drift %d", a.Band, a.Lambda, a.MaxDrift)
	must(a.BandStarts > a.MaxScore/a.Lambda, "%d words for the band's moves", a.BandStarts)
	g.eachInBand(a, func(*abi.Task) {}, func(at, last int) {
		if rows {
			g.tagRows(a, at, int(a.BandStarts)+(last+1)*int(a.Band))
		}
	})
}

// eachInBand aligns the tasks of a launch. It calls check ahead of each, and
// done with the last score that was computed.
func (g *fakeGPU) eachInBand(a *abi.Params, check func(p *abi.Task), done func(at, last int)) {
	g.eachTask(a, func(at int, p *abi.Task, r *abi.Result) {
		must(p.Bound > 0, "bound %d", p.Bound)
		check(p)
		last := int(p.Bound)
		*r = abi.Result{Score: -1}
		switch found := g.inBand(a, p); {
		case found.Drifted: // which may be at any score
			r.Flags = abi.FlagDrifted
		case found.Lost:
			if last >= min(penaltiesOf(a).Worst(int(p.PatternLength), int(p.TextLength)), kernel.MaxBound) {
				r.Flags = abi.FlagLost
			}
		case found.Score <= last:
			r.Score, last = int32(found.Score), found.Score
		}
		done(at, last)
	})
}

// tagRows writes the first and the last word of a task's rows.
func (g *fakeGPU) tagRows(a *abi.Params, at, words int) {
	rows := g.rows(a, at, words)
	rows[len(rows)-1] = ^uint32(0)
	rows[0] = rowTag(at, 0, int(a.Band), 32, int(a.PairWords))
}

// adaptiveTraceThreads share a pair.
const adaptiveTraceThreads = 8

// traceAdaptive is a kernel of cuda/adaptivetrace.cuh.
func (g *fakeGPU) traceAdaptive(pairs, perWarp int, a *abi.Params) {
	g.eachRoom(pairs, perWarp, a, func(at int, p *abi.Task, room []uint32) (elements int) {
		must(g.rows(a, at, 1)[0] == rowTag(at, 0, int(a.Band), 32, int(a.PairWords)), "rows of pair %d are not the ones stored", at)
		found := g.inBand(a, p)
		r := g.result(a, at)
		must(int(r.Score) == found.Score, "score %d, want %d", r.Score, found.Score)
		r.Score = int32(found.Cost)
		must(len(found.CIGAR) <= len(room), "%d elements for a score of %d", len(found.CIGAR), found.Score)
		for i, e := range found.CIGAR {
			room[len(room)-len(found.CIGAR)+i] = uint32(e)
		}
		return len(found.CIGAR)
	})
}
