package kernel

import "fmt"

// The block family, cuda/block.cuh: exact, for long pairs. A block aligns a pair.

var blockShapes = []shape{
	blockShape(2, 3, 1, 8, 9),
	blockShape(4, 3, 1, 8, 8),
	blockShape(7, 2, 2, 8, 4),
	blockShape(8, 3, 2, 8, 3),
	blockShape(8, 4, 2, 8, 2),
	blockShape(16, 4, 3, 8, 1),
}

// blockShape returns a shape: warps per block, strides per warp, words per stride,
// bases per look-ahead entry, and blocks per SM that the registers must allow.
func blockShape(warps, strides, stride, bases, blocks int) shape {
	return shape{
		pairThreads: 32, words: warps * strides * stride, warps: warps, pairs: 1, bases: bases,
		name:      fmt.Sprintf("%dx%dx%d_%d", warps, strides, stride, bases),
		arguments: fmt.Sprintf("%d, %d, %d, %d, %d", warps, strides, stride, bases, blocks),
	}
}

func loadBlock(f *Family, l *loader) ([]Kernel, error) {
	return loadRegisters(f, l, blockShapes, func(*shape) (tracer, error) {
		return loadCheckpointTracer(l, "wfa_retrace")
	})
}
