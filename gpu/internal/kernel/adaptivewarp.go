package kernel

import (
	"fmt"
	"slices"

	"wfagpu/align"
	"wfagpu/gpu/internal/abi"
	"wfagpu/gpu/internal/driver"
)

// The adaptive_warp family, cuda/adaptivewarp.cuh: an adaptive band in the
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

// holds reports whether a shape is wide enough for a band. Places without a diagonal separate the two
// ends of the band.
func (s *shape) holds(p align.Penalties, band align.AdaptiveBand) bool {
	return band.Band <= 2*s.half()-s.unroll(p)
}

// entriesBelow is the length below which look-ahead tables have an entry for each
// base. Such tables of longer sequences would leave too few warps on an SM.
const entriesBelow = 2048

type adaptiveWarp struct {
	instance
	adaptive
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
			i := slices.IndexFunc(adaptiveWarpShapes, func(s shape) bool { return s.bases == bases && s.holds(l.Penalties, band) })
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

func newAdaptiveWarp(f *Family, l *loader, band align.AdaptiveBand, s *shape) (*adaptiveWarp, error) {
	in, err := loadInstance(f, l, s, 0) // null cells look up only diagonals of the matrix
	k := &adaptiveWarp{instance: in, adaptive: adaptive{band}}
	if err == nil && !l.ScoreOnly {
		trace := "wfa_adaptive_warp_trace"
		if s.origins {
			trace = "wfa_adaptive_long_trace"
		}
		k.traceback, err = l.function(trace)
	}
	return k, err
}

// Takes does not depend on the bound: a move resets null cells.
func (k *adaptiveWarp) Takes(pattern, text, _ int) bool {
	longer := max(pattern, text)
	return longer <= abi.MaxOffset && (k.shape.bases == packed || longer < entriesBelow) && k.tablesFit(longer)
}

// rowWords returns the size of a pair's M rows up to a score.
func (k *adaptiveWarp) rowWords(score int) int {
	return (score+k.shape.unroll(k.penalties)+1)*k.shape.rowWords() + bandStarts(k.band.Lambda, score, k.shape.origins)
}

// MaxBound assumes that the band moves with every score.
func (k *adaptiveWarp) MaxBound(words int) int {
	if k.scoreOnly {
		return MaxBound
	}
	perScore := k.shape.rowWords() + 1
	if k.shape.origins {
		perScore++
	}
	return (words-bandStarts(1, 1, k.shape.origins))/perScore - k.shape.unroll(k.penalties) - 1
}

func (k *adaptiveWarp) Plan(g Group, _ int) (Plan, bool, error) {
	return k.plan(k.rowWords(g.Bound), k.sharedBytes(g.Text, g.Pattern))
}

func (k *adaptiveWarp) Launch(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	k.set(&a, g.Bound, k.shape.origins)
	return k.launch(s, &a, g, p)
}

func (k *adaptiveWarp) Trace(s *driver.Stream, a abi.Params, g Group, p Plan) error {
	if k.scoreOnly {
		return nil
	}
	k.set(&a, g.Bound, k.shape.origins)
	k.setRows(&a, p)
	return traceback(s, k.traceback, adaptiveTracebackThreads, &a)
}

// Work counts all diagonals of the band's words in each score.
func (k *adaptiveWarp) Work(_, _, score, _ int) float64 {
	return float64(score) * float64(2*k.shape.half()+100)
}
