package kernel

import (
	"slices"

	"wfagpu/align"
)

// The adaptive_rings family, cuda/adaptivewarp.cuh with wavefronts in shared memory: an adaptive band for any
// penalties whose rings are small enough, and pairs of any length. A warp aligns a pair.

var adaptiveRingsShapes = []shape{
	adaptiveRingsShape(1, 1),
	adaptiveRingsShape(2, 2),
	adaptiveRingsShape(5, 5),
	adaptiveRingsShape(9, 3),
}

// ringScores is that of cuda/ringband.cuh.
const ringScores = 4

// adaptiveRingsShape is adaptiveLongShape with rings.
func adaptiveRingsShape(words, stride int) shape {
	s := adaptiveLongShape(words, stride)
	s.rings = true
	return s
}

// adaptiveRings is a kernel of the family.
type adaptiveRings struct{ adaptiveLong }

// ringBlocks is about how many blocks have their rings in the shared memory of an SM, at least. With fewer, the
// adaptive_block family is as fast.
const ringBlocks = 4

// loadAdaptiveRings loads no kernel for penalties that have kernels with wavefronts in registers.
func loadAdaptiveRings(f *Family, l *loader) ([]Kernel, error) {
	if slices.Contains(registerPenalties, l.Penalties) {
		return nil, nil
	}
	fit := slices.DeleteFunc(slices.Clone(adaptiveRingsShapes), func(s shape) bool {
		return ringBlocks*s.ringBytes(l.Penalties) > l.device.SharedPerBlockOptin
	})
	return loadMoving(f, l, fit, func(k adaptiveLong) Kernel { return &adaptiveRings{k} })
}

// ringBytes returns the size of a pair's rings: max(x, o) rows of M and e of each kind of gap.
func (s *shape) ringBytes(p align.Penalties) int {
	return 4 * (max(p.Mismatch, p.GapOpen) + 2*p.GapExtend) * s.rowWords()
}

func (k *adaptiveRings) Plan(g Group, _ int) (Plan, bool, error) {
	return k.plan(k.rowWords(g.Bound), k.shape.ringBytes(k.penalties))
}

// Work counts what a row in shared memory takes beside its look-ups.
func (k *adaptiveRings) Work(pattern, text, score, bound int) float64 {
	return 1.3 * k.adaptiveLong.Work(pattern, text, score, bound)
}
