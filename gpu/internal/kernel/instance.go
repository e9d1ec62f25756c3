package kernel

import (
	"fmt"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// instance is a compiled instance of a kernel template with a shape: the common part of the warp, block,
// long, adaptive_warp, adaptive_long and adaptive_rings families.
type instance struct {
	family    *Family
	shape     *shape
	penalties align.Penalties
	scoreOnly bool
	kernel    *driver.Function
	shared    int // largest dynamic shared memory of a block
	sms       int
	nulls     int // entries of each look-ahead table that null cells look up
}

func loadInstance(f *Family, l *loader, s *shape, nulls int) (instance, error) {
	k := instance{
		family: f, shape: s, penalties: l.Penalties, scoreOnly: l.ScoreOnly, sms: l.device.SMs, nulls: nulls,
	}
	var err error
	k.kernel, k.shared, err = l.large(instanceName(f, l.Penalties, s, l.ScoreOnly))
	return k, err
}

// instanceName returns the name of the compiled kernel.
func instanceName(f *Family, p align.Penalties, s *shape, scoreOnly bool) string {
	if s.rings {
		return fmt.Sprintf("wfa_%s_%s_%s", f.Name, s.name, suffix(scoreOnly))
	}
	return fmt.Sprintf("wfa_%s_%d_%d_%d_%s_%s", f.Name, p.Mismatch, p.GapOpen, p.GapExtend, s.name, suffix(scoreOnly))
}

func (k *instance) Family() *Family { return k.family }

// tablesFit reports whether the look-ahead tables of pairs up to a length fit into shared
// memory. Tables have the size of the longest text and of the longest pattern of a
// launch, possibly of different pairs.
func (k *instance) tablesFit(longest int) bool { return k.sharedBytes(longest, longest) <= k.shared }

func (k *instance) sharedBytes(text, pattern int) int {
	t, p := k.shape.tables(text, pattern, k.nulls)
	return k.shape.tableBytes(t + p)
}

// plan lays out a launch of pairs with some words each for the traceback, unless scores
// alone are computed, and some bytes of shared memory for a block. Groups of threads without a pair
// write as many words.
func (k *instance) plan(words, shared int) (Plan, bool, error) {
	p := Plan{threads: k.shape.threads(), pairs: k.shape.pairs, shared: shared}
	if !k.scoreOnly {
		p.PerTask = 4 * words
		p.Fixed = k.shape.spareRows() * p.PerTask
	}
	perSM, err := k.kernel.BlocksPerSM(p.threads, p.shared)
	p.blocks = perSM * k.sms
	return p, true, err
}

// launch queues the kernel. It fills the device once: blocks take pairs from a counter
// until all are taken.
func (k *instance) launch(s *driver.Stream, a *abi.Params, g Group, p Plan) error {
	k.setRows(a, p)
	text, pattern := k.shape.tables(g.Text, g.Pattern, k.nulls)
	a.TextEntries, a.PatternEntries = int32(text), int32(pattern)
	blocks := min(p.blocks, (int(a.Count)+k.shape.pairs-1)/k.shape.pairs)
	return launch(s, k.kernel, blocks, p.threads, p.shared, a)
}

// setRows sets what the kernel and its traceback know of the rows.
func (k *instance) setRows(a *abi.Params, p Plan) {
	a.RowStride = uint64(p.PerTask / 4)
	a.PairThreads, a.PairWords = int32(k.shape.pairThreads), int32(k.shape.words)
}
