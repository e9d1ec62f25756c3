package kernel

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The adaptive-warp family, cuda/adaptivewarp.cuh: an adaptive band in the
// registers of a warp.

var adaptiveWarpShapes = []shape{
	adaptiveWarpShape(1, 1, 16),
	adaptiveWarpShape(2, 2, 16),
	adaptiveWarpShape(1, 1, packed),
	adaptiveWarpShape(2, 2, packed),
	adaptiveWarpShape(3, 3, packed),
	adaptiveWarpShape(4, 4, packed),
	adaptiveWarpShape(5, 5, packed),
	adaptiveWarpShape(9, 3, packed),
	adaptiveWarpShape(17, 17, packed),
}

// adaptiveWarpShape returns a shape: words per thread, words computed between
// branches, and bases per look-ahead entry.
func adaptiveWarpShape(words, stride, bases int) shape {
	return shape{
		pairThreads: 32, words: words, warps: 1, pairs: 1, bases: bases,
		name:      fmt.Sprintf("%d_%s", words, tableName(bases)),
		arguments: fmt.Sprintf("%d, %d, %s", words, stride, tableName(bases)),
	}
}

// entriesBelow is the length below which look-ahead tables have an entry for each
// base. Such tables of longer sequences would leave too few warps on an SM.
const entriesBelow = 2048

type adaptiveWarp struct {
	adaptive
	shape     *shape
	penalties align.Penalties
	scoreOnly bool
	kernel    *driver.Function
	shared    int // largest dynamic shared memory of a block
	sms       int
	traceback *driver.Function // nil if scoreOnly
}

func loadAdaptiveWarp(f *Family, l *loader) ([]Kernel, error) {
	if !slices.Contains(registerPenalties, l.Penalties) {
		return nil, nil
	}
	var kernels []Kernel
	for _, band := range l.Bands {
		if band.Lambda > abi.MaxLambda {
			continue
		}
		for _, bases := range []int{16, packed} {
			// The first shape that is wide enough. Places without a diagonal
			// separate the two ends of the band.
			i := slices.IndexFunc(adaptiveWarpShapes, func(s shape) bool {
				return s.bases == bases && band.Band <= 2*s.half()-Unroll(l.Penalties)
			})
			if i < 0 {
				continue
			}
			k, err := newAdaptiveWarp(f, l, band, &adaptiveWarpShapes[i])
			if err != nil {
				return nil, err
			}
			kernels = append(kernels, k)
		}
	}
	return kernels, nil
}

func newAdaptiveWarp(f *Family, l *loader, band align.AdaptiveBand, s *shape) (k *adaptiveWarp, err error) {
	k = &adaptiveWarp{
		adaptive: adaptive{f, band}, shape: s,
		penalties: l.Penalties, scoreOnly: l.ScoreOnly, sms: l.device.SMs,
	}
	if k.kernel, k.shared, err = l.large(kernelName(f, l.Penalties, s, l.ScoreOnly)); err == nil && !l.ScoreOnly {
		k.traceback, err = l.function("wfa_adaptive_warp_trace")
	}
	return k, err
}

func (k *adaptiveWarp) Cost() int { return 2 * k.shape.half() }

// Takes does not depend on the bound: a move resets null cells.
func (k *adaptiveWarp) Takes(pattern, text, _ int) bool {
	longer := max(pattern, text)
	return longer <= abi.MaxOffset && (k.shape.bases == packed || longer < entriesBelow) &&
		k.sharedBytes(longer, longer) <= k.shared
}

// tables returns the entries of the look-ahead tables. Null cells look up only
// diagonals of the matrix.
func (k *adaptiveWarp) tables(text, pattern int) (textEntries, patternEntries int) {
	return k.shape.tables(text, pattern, 0)
}

func (k *adaptiveWarp) sharedBytes(text, pattern int) int {
	t, p := k.tables(text, pattern)
	return k.shape.tableBytes(t + p)
}

// rowWords returns the size of a pair's M rows up to a score.
func (k *adaptiveWarp) rowWords(score int) int {
	return (score+Unroll(k.penalties)+1)*k.shape.rowWords() + bandStarts(k.band.Lambda, score)
}

// MaxBound assumes that the band moves with every score.
func (k *adaptiveWarp) MaxBound(words int) int {
	if k.scoreOnly {
		return MaxBound
	}
	return (words-bandStarts(1, 1))/(k.shape.rowWords()+1) - Unroll(k.penalties) - 1
}

func (k *adaptiveWarp) Plan(g Group, _ int) (Plan, bool, error) {
	var p Plan
	if !k.scoreOnly {
		p.PerTask = 4 * k.rowWords(g.Bound)
	}
	p.threads, p.shared = k.shape.threads(), k.sharedBytes(g.Text, g.Pattern)
	perSM, err := k.kernel.BlocksPerSM(p.threads, p.shared)
	p.blocks = perSM * k.sms
	return p, true, err
}

// Launch fills the device once: blocks take pairs from a counter until all are
// taken.
func (k *adaptiveWarp) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.setRows(&a, g)
	text, pattern := k.tables(g.Text, g.Pattern)
	a.TextEntries, a.PatternEntries = int32(text), int32(pattern)
	return launch(s, k.kernel, min(p.blocks, int(a.Count)), p.threads, p.shared, &a)
}

func (k *adaptiveWarp) Trace(s *driver.Stream, a abi.Params, g Group, _ Plan) error {
	if k.scoreOnly {
		return nil
	}
	k.setRows(&a, g)
	return traceback(s, k.traceback, adaptiveTracebackThreads, &a)
}

// setRows sets the parameters of both kernels.
func (k *adaptiveWarp) setRows(a *abi.Params, g Group) {
	k.set(a, g.Bound)
	a.RowStride = uint64(k.rowWords(g.Bound))
	a.PairThreads, a.PairWords = int32(k.shape.pairThreads), int32(k.shape.words)
}
