package kernel

import (
	"fmt"
	"strings"
)

// The block family, cuda/block.cuh: exact, for long pairs. A block aligns a pair.

// Tables with entries of 8 bases are faster, packed ones leave room for more blocks on an
// SM, which matters where few diagonals are computed. The traceback from rows is faster,
// checkpoints take less memory.
var blockShapes = []shape{
	upTo(6_000, rows(blockShape(2, 3, 1, 8, 9))),
	rows(blockShape(2, 3, 1, packed, 9)),
	upTo(8_000, rows(blockShape(4, 3, 1, 8, 8))),
	rows(blockShape(4, 3, 1, packed, 8)),
	blockShape(7, 2, 2, 8, 4),
	blockShape(8, 3, 2, 8, 3),
	blockShape(8, 4, 2, 8, 2),
	blockShape(16, 4, 3, 8, 1),
}

// blockShape returns a shape: warps per block, strides per warp, words per stride,
// bases per look-ahead entry, and blocks per SM that the registers must allow. It stores
// checkpoints.
func blockShape(warps, strides, stride, bases, blocks int) shape {
	return shape{
		pairThreads: 32, words: warps * strides * stride, warps: warps, pairs: 1, bases: bases, checkpoints: true,
		name:      fmt.Sprintf("%dx%dx%d_%s", warps, strides, stride, tableName(bases)),
		arguments: fmt.Sprintf("%d, %d, %d, %s, %d, storeCheckpoints", warps, strides, stride, tableName(bases), blocks),
	}
}

// rows returns a shape that stores rows.
func rows(s shape) shape {
	s.checkpoints = false
	s.arguments = strings.Replace(s.arguments, "storeCheckpoints", "storeRows", 1)
	return s
}

func loadBlock(f *Family, l *loader) ([]Kernel, error) {
	return loadRegisters(f, l, blockShapes, func(s *shape) (tracer, error) {
		if s.checkpoints {
			return loadCheckpointTracer(l)
		}
		return loadRowTracer(l, s)
	})
}
