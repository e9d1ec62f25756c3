package gpu

import (
	"unsafe"

	"wfagpu/gpu/internal/driver"
)

// params returns what is the same for all launches of a lane.
func (l *lane) params() params {
	p := l.e.penalties
	return params{
		letters: l.dev.letters, bases: l.dev.bases, pairs: l.dev.pairs, results: l.dev.results,
		rows: l.rows, cigars: l.dev.cigars, used: l.dev.counters,
		cigarCapacity: uint32(len(l.cigars)),
		mismatch:      int32(p.Mismatch), gapOpen: int32(p.GapOpen), gapExtend: int32(p.GapExtend),
	}
}

// launchPack packs the letters of n pairs and starts their results. Eight
// threads have a pair, blocks are large enough to hide the latency of memory.
func (l *lane) launchPack(n int) error {
	const threads, perBlock = 256, 256 / 8
	a := l.params()
	a.count = int32(n)
	return l.stream.Launch(l.e.kernels.pack, (n+perBlock-1)/perBlock, threads, 0, unsafe.Pointer(&a))
}

// setTasks points a at n tasks from position first on and gives the launch a
// counter of its own, which starts at 0.
func (l *lane) setTasks(a *params, first, n int) {
	a.tasks = l.dev.tasks + driver.Ptr(first*taskBytes)
	a.count = int32(n)
	l.launches++
	a.next = l.dev.counters + driver.Ptr(4*l.launches)
}

// launchVariant runs a warp or block kernel on n tasks of a group and, unless
// scores are all that is wanted, the traceback of its rows. The grid fills the
// device once; blocks take pairs from a counter until there are none.
func (l *lane) launchVariant(g *launchGroup, from, n int) error {
	v, k := &variants[g.variant], l.e.kernels.variants[g.variant]
	a := l.params()
	l.setTasks(&a, g.first+from, n)
	a.maxScore = int32(g.maxScore)
	a.rowStride = uint64(v.rowStride(l.e.penalties, g.maxScore, l.e.windows[g.variant].Lambda))
	if v.kind == kindApprox {
		l.setWindow(&a, g)
	}
	a.lanes, a.words = int32(v.lanes), int32(v.words)
	text, pattern := v.tables(g.text, g.pattern)
	a.textEntries, a.patternEntries = int32(text), int32(pattern)
	shared := v.sharedBytes(g.text, g.pattern)
	perSM, err := k.BlocksPerSM(v.threads(), shared)
	if err != nil {
		return err
	}
	grid := min(perSM*l.e.dev.Info.SMs, (n+v.pairsPerBlock()-1)/v.pairsPerBlock())
	if err := l.stream.Launch(k, grid, v.threads(), shared, unsafe.Pointer(&a)); err != nil || l.e.scoreOnly {
		return err
	}
	return l.launchTrace(&a, v, g.text, n)
}

// launchTrace walks back from n pairs' ends. The longer the pairs, the fewer
// there are in a load, and the more lanes walk together.
func (l *lane) launchTrace(a *params, v *variant, text, n int) error {
	const long = 4096
	k, lanes := l.e.kernels.trace1, 1
	switch {
	case v.kind == kindApprox:
		k, lanes = l.e.kernels.approxTrace, 8
	case text > long:
		k, lanes = l.e.kernels.trace32, 32
	case v.lanes == 32:
		k, lanes = l.e.kernels.trace8, 8
	}
	return l.walkBack(a, k, lanes, n)
}

// walkBack runs a traceback kernel, in which some lanes have a pair.
func (l *lane) walkBack(a *params, k *driver.Function, lanes, n int) error {
	const threads = 128
	return l.stream.Launch(k, (lanes*n+threads-1)/threads, threads, 0, unsafe.Pointer(a))
}

// launchGeneral runs the general kernel with a number of workers, one a block.
func (l *lane) launchGeneral(g *launchGroup, s slab, workers, threads int) error {
	a := l.params()
	l.setTasks(&a, g.first, len(g.tasks))
	a.maxScore = int32(g.maxScore)
	a.rowStride = uint64(s.words)
	a.width, a.segmentRows = int32(s.width), int32(s.segmentRows)
	a.checkpoints, a.scratch = int32(s.checkpoints), int32(s.scratch)
	return l.stream.Launch(l.e.kernels.general, workers, threads, 0, unsafe.Pointer(&a))
}
