package kernel

import (
	"fmt"

	"wfagpu/gpu/internal/abi"
)

// The long family, cuda/block.cuh with the moving origins of cuda/origins.cuh: exact, for long
// pairs whose text positions do not fit into 16 bits. A block aligns a pair.

var longShapes = []shape{
	longShape(7, 2, 2, 4),
	longShape(8, 3, 2, 3),
	longShape(8, 4, 2, 2),
	longShape(10, 4, 2, 2),
	longShape(8, 4, 3, 2),
	longShape(20, 4, 2, 1),
	longShape(16, 4, 3, 1),
	longShape(16, 4, 4, 1),
}

// longFreeShapes are those for patterns within texts.
var longFreeShapes = within(
	longShape(8, 4, 2, 2),
	longShape(20, 4, 2, 1),
	longShape(16, 4, 4, 1),
)

// longShape is blockShape with what all shapes of the family have.
func longShape(warps, strides, stride, blocks int) shape {
	s := blockShape(warps, strides, stride, packed, blocks, storeCheckpoints)
	s.arguments = fmt.Sprintf("%d, %d, %d, %d", warps, strides, stride, blocks)
	s.origins, s.blocks = true, blocks
	return s
}

// long is an exact kernel with wavefronts in registers, of the long family.
type long struct{ registers }

func loadLong(f *Family, l *loader) ([]Kernel, error) { return loadLongs(f, l, longShapes, "_long") }

// loadLongFree loads those of patterns within texts.
func loadLongFree(f *Family, l *loader) ([]Kernel, error) {
	return loadLongs(f, l, longFreeShapes, "_long_free")
}

// loadLongs loads the kernels of shapes, and the traceback with a suffix.
func loadLongs(f *Family, l *loader, shapes []shape, suffix string) ([]Kernel, error) {
	kernels, err := loadRegisters(f, l, shapes, func(*shape) (tracer, error) { return loadCheckpointTracer(l, suffix) })
	for i, k := range kernels {
		kernels[i] = &long{*k.(*registers)}
	}
	return kernels, err
}

// Takes reports whether the band certifies the bound and the look-ahead tables fit into shared
// memory.
func (k *long) Takes(pattern, text, bound int) bool {
	return k.certifies(pattern, text, bound) && k.tablesFit(max(text, pattern))
}

// Work counts what moves origins as a tenth, and SMs with fewer blocks than registers allow, for
// their tables are long, as slower by as much.
func (k *long) Work(pattern, text, score, bound int) float64 {
	longer := max(pattern, text)
	work := 1.1 * k.registers.Work(pattern, text, score, bound)
	if k.shape.free {
		work *= 1.45
	}
	work += k.tables.of(0, score, bound)
	if fit := k.shared / k.sharedBytes(longer, longer); fit < k.shape.blocks {
		work *= float64(k.shape.blocks) / float64(max(fit, 1))
	}
	return work
}

func (k *long) Outcome(flags abi.Flags) Outcome {
	if flags&abi.FlagOverflow != 0 {
		return Overflow
	}
	return exactOutcome(flags)
}
