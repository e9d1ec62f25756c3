package kernel

import (
	"fmt"
	"slices"

	"wfagpu/gpu/internal/abi"
)

// The adaptive_long family, cuda/adaptivewarp.cuh with an origin that moves: an adaptive band in the
// registers of a warp, for pairs of any length. Bases are looked up where they are.

var adaptiveLongShapes = []shape{
	adaptiveLongShape(2, 2),
	adaptiveLongShape(5, 5),
	adaptiveLongShape(9, 3),
}

// adaptiveLongShape is adaptiveWarpShape with packed bases.
func adaptiveLongShape(words, stride int) shape {
	s := adaptiveWarpShape(words, stride, packed)
	s.arguments, s.origins = fmt.Sprintf("%d, %d", words, stride), true
	return s
}

// adaptiveLong is a kernel of the family.
type adaptiveLong struct{ adaptiveWarp }

func loadAdaptiveLong(f *Family, l *loader) ([]Kernel, error) {
	if !slices.Contains(registerPenalties, l.Penalties) {
		return nil, nil
	}
	return loadMoving(f, l, adaptiveLongShapes, func(k adaptiveLong) Kernel { return &k })
}

// loadMoving loads a kernel for each band, of the first of some shapes that holds it.
func loadMoving(f *Family, l *loader, shapes []shape, of func(adaptiveLong) Kernel) ([]Kernel, error) {
	var kernels []Kernel
	for _, band := range l.Bands {
		i := slices.IndexFunc(shapes, func(s shape) bool { return s.holds(l.Penalties, band) })
		if i < 0 || band.Lambda > abi.MaxLambda {
			continue
		}
		k, err := newAdaptiveWarp(f, l, band, &shapes[i])
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, of(adaptiveLong{*k}))
	}
	return kernels, nil
}

// longestAddress bounds the letters of both sequences, for addresses of 32 bits.
const longestAddress = 1 << 30

func (k *adaptiveLong) Takes(pattern, text, _ int) bool { return pattern+text <= longestAddress }

// Plan takes no shared memory.
func (k *adaptiveLong) Plan(g Group, _ int) (Plan, bool, error) {
	return k.plan(k.rowWords(g.Bound), 0)
}

// Work counts a look-up in global memory as more than one in shared memory.
func (k *adaptiveLong) Work(pattern, text, score, bound int) float64 {
	return 1.5 * k.adaptiveWarp.Work(pattern, text, score, bound)
}

func (k *adaptiveLong) Outcome(flags abi.Flags) Outcome {
	if flags&abi.FlagOverflow != 0 {
		return Overflow
	}
	return k.adaptive.Outcome(flags)
}
