package gpu

import (
	"strings"
	"unsafe"

	"wfagpu/align"
	"wfagpu/align/aligntest"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/kernel"
)

// anyBand makes aligners ones of the approximate mode.
var anyBand = &align.Approx{}

// inBand aligns a pair in one adaptive band, as kernels see it.
func (a *fakeLaunch) inBand(p *abi.Task) aligntest.BandResult {
	aligner, done := idleAligner(align.Options{Penalties: penaltiesOf(a.Params), Approx: anyBand})
	defer done()
	pattern, text := a.bases(p.Pattern, p.PatternLength), a.bases(p.Text, p.TextLength)
	band := align.AdaptiveBand{
		Band: int(a.Band), Lambda: int(a.Lambda), MaxDrift: int(a.MaxDrift), StallInterval: int(a.StallInterval),
	}
	r, err := aligntest.AlignBand(aligner, unpack(pattern, p.PatternLength), unpack(text, p.TextLength), band)
	must(err == nil, "%v", err)
	return r
}

// rings reports whether the kernel has wavefronts in rings, at any penalties.
func (k *registerKernel) rings() bool { return k.Family.Name == "adaptive_rings" }

// unroll is the number of scores between tests of the end cell: ringScores of cuda/ringband.cuh.
func (k *registerKernel) unroll() int {
	if k.rings() {
		return 4
	}
	return kernel.Unroll(k.Penalties)
}

// ringBytes is the size of the rings of cuda/ringwavefronts.cuh, mBytes + 2 gBytes.
func (k *registerKernel) ringBytes(p align.Penalties) int {
	return 4 * (max(p.Mismatch, p.GapOpen) + 2*p.GapExtend) * 32 * k.Words
}

// adaptiveWarp is a kernel of cuda/adaptivewarp.cuh. Those of the adaptive_long and the adaptive_rings
// family look bases up in global memory.
func (k *registerKernel) adaptiveWarp(a *fakeLaunch) {
	long := k.rings() || k.Family.Name == "adaptive_long"
	p := penaltiesOf(a.Params)
	must(k.rings() || p == k.Penalties, "penalties %v", p)
	must(a.block == 32, "blocks of %d threads", a.block)
	must(int(a.PairThreads) == 32 && int(a.PairWords) == k.Words, "rows have the wrong shape")
	starts := a.MaxScore/a.Lambda + 1
	if long {
		starts *= 2
	}
	switch {
	case k.rings():
		must(a.shared == k.ringBytes(p), "shared memory is not that of the rings, %d bytes", k.ringBytes(p))
	case long:
		must(a.shared == 0, "shared memory for a kernel that uses none")
	default:
		must(a.shared == k.tableBytes(int(a.TextEntries+a.PatternEntries)), "shared memory is not that of the tables")
	}
	unroll := k.unroll()
	must(a.Band >= align.MinBand && int(a.Band) <= 64*k.Words-unroll, "a band of %d diagonals", a.Band)
	must(a.Lambda >= 1 && a.Lambda <= abi.MaxLambda && a.MaxDrift > 0, "lambda %d, drift %d", a.Lambda, a.MaxDrift)
	must(a.BandStarts%32 == 0 && a.BandStarts >= starts, "%d words for the band's moves", a.BandStarts)
	beyond := k.Bases // that extensions look past the end of the pattern
	if beyond == 0 {
		beyond = abi.LettersPerWord
	}
	a.eachInBand(long, func(p *abi.Task) {
		if long {
			return
		}
		must(p.TextLength < a.TextEntries && p.PatternLength+int32(beyond) <= a.PatternEntries,
			"tables are too small for %d and %d letters", p.PatternLength, p.TextLength)
		must(max(p.TextLength, p.PatternLength) <= abi.MaxOffset, "offsets beyond 16 bits")
	}, func(at, last int) {
		if k.rows {
			a.tagRows(at, int(a.BandStarts)+((last+unroll-1)/unroll*unroll+1)*32*k.Words)
		}
	})
}

// fakeAdaptiveBlock is a kernel of cuda/adaptiveblock.cu.
func fakeAdaptiveBlock(a *fakeLaunch) {
	must(a.block <= 512 && (a.block >= int(a.Band) || a.block >= 256), "blocks of %d threads", a.block)
	ring := 4 * int(max(a.Mismatch, a.GapOpen)+2*(a.GapExtend+1)) * int(a.Band+1)
	if a.Ring == 0 {
		must(a.shared == ring, "%d bytes of shared memory, want %d", a.shared, ring)
	} else {
		must(a.shared == 0, "shared memory that is not needed")
		memory := deviceSlice[uint32](a, "ring", a.Ring, a.grid*ring/4)
		memory[0], memory[len(memory)-1] = ^uint32(0), ^uint32(0)
		must(a.Rows >= a.Ring+driver.Ptr(a.grid*ring), "rows overlap the rings")
	}
	must(a.Band >= align.MinBand && a.Lambda >= 1 && a.MaxDrift > 0, "band %d, lambda %d, drift %d", a.Band, a.Lambda, a.MaxDrift)
	must(a.BandStarts > a.MaxScore/a.Lambda, "%d words for the band's moves", a.BandStarts)
	a.eachInBand(false, func(*abi.Task) {}, func(at, last int) {
		if strings.HasSuffix(a.name, "_rows") {
			a.tagRows(at, int(a.BandStarts)+(last+1)*int(a.Band))
		}
	})
}

// eachInBand aligns the tasks of a launch. It calls check ahead of each, and
// done with the last score that was computed. In a long family, some overflow.
func (a *fakeLaunch) eachInBand(long bool, check func(p *abi.Task), done func(at, last int)) {
	a.eachTask(func(at int, p *abi.Task, r *abi.Result) {
		must(p.Bound > 0, "bound %d", p.Bound)
		check(p)
		last := int(p.Bound)
		*r = abi.Result{Score: -1}
		if long && overflows(p) {
			r.Flags = abi.FlagOverflow
			done(at, 1)
			return
		}
		switch found := a.inBand(p); {
		case found.Drifted: // which may be at any score
			r.Flags = abi.FlagDrifted
		case found.Lost:
			if last >= min(penaltiesOf(a.Params).Worst(int(p.PatternLength), int(p.TextLength)), kernel.MaxBound) {
				r.Flags = abi.FlagLost
			}
		case found.Score <= last:
			r.Score, last = int32(found.Score), found.Score
			if found.Doubtful {
				r.Flags = abi.FlagDoubtful
			}
		}
		done(at, last)
	})
}

// tagRows writes the first and the last word of a task's rows.
func (a *fakeLaunch) tagRows(at, words int) {
	rows := a.rows(at, words)
	rows[len(rows)-1] = ^uint32(0)
	rows[0] = rowTag(at, 0, int(a.Band), 32, int(a.PairWords))
}

// traceAdaptive is a kernel of cuda/adaptivetrace.cuh.
func traceAdaptive(a *fakeLaunch, at int, p *abi.Task, room []uint32) (elements int) {
	must(a.rows(at, 1)[0] == rowTag(at, 0, int(a.Band), 32, int(a.PairWords)), "rows of pair %d are not the ones stored", at)
	found := a.inBand(p)
	r := a.result(at)
	must(int(r.Score) == found.Score, "score %d, want %d", r.Score, found.Score)
	r.Score = int32(found.Cost)
	return fill(room, unsafe.Slice((*uint32)(unsafe.SliceData(found.CIGAR)), len(found.CIGAR)))
}
