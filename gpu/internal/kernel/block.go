package kernel

import "fmt"

// The block family, cuda/block.cuh: exact, for long pairs. A block aligns a pair.

// Tables with entries of 8 bases are faster where errors are many, packed ones where runs of
// matches are long; these leave room for more blocks on an SM, too. The traceback from rows is faster,
// checkpoints take less memory.
var blockShapes = []shape{
	upTo(6_000, blockShape(2, 3, 1, 8, 9, storeRows)),
	blockShape(2, 3, 1, packed, 9, storeRows),
	upTo(8_000, blockShape(4, 3, 1, 8, 8, storeRows)),
	blockShape(4, 3, 1, packed, 8, storeRows),
	blockShape(7, 2, 2, 8, 5, storeCheckpoints),
	blockShape(7, 2, 2, packed, 4, storeCheckpoints),
	blockShape(8, 3, 2, 8, 4, storeCheckpoints),
	blockShape(8, 3, 2, packed, 3, storeCheckpoints),
	blockShape(8, 4, 2, 8, 3, storeCheckpoints),
	blockShape(8, 4, 2, packed, 3, storeCheckpoints),
	blockShape(12, 4, 2, 8, 2, storeCheckpoints),
	blockShape(16, 4, 3, 8, 1, storeCheckpoints),
}

// blockFreeShapes are those for patterns within texts.
var blockFreeShapes = within(
	blockShape(2, 3, 1, 8, 9, storeRows),
	blockShape(4, 3, 1, 8, 8, storeRows),
	blockShape(7, 2, 2, 8, 5, storeCheckpoints),
	blockShape(8, 3, 2, 8, 3, storeCheckpoints),
	blockShape(8, 4, 2, 8, 3, storeCheckpoints),
	blockShape(12, 4, 2, 8, 2, storeCheckpoints),
	blockShape(16, 4, 2, 8, 1, storeCheckpoints),
	blockShape(16, 4, 3, 8, 1, storeCheckpoints),
)

// What a shape stores for the traceback, as Store of cuda/block.cuh names it.
const (
	storeRows        = "storeRows"
	storeCheckpoints = "storeCheckpoints"
)

// blockShape returns a shape: warps per block, strides per warp, words per stride,
// bases per look-ahead entry, blocks per SM that the registers must allow, and what is
// stored.
func blockShape(warps, strides, stride, bases, blocks int, store string) shape {
	return shape{
		pairThreads: 32, words: warps * strides * stride, warps: warps, pairs: 1, bases: bases, checkpoints: store == storeCheckpoints,
		name:      fmt.Sprintf("%dx%dx%d_%s", warps, strides, stride, tableName(bases)),
		arguments: fmt.Sprintf("%d, %d, %d, %s, %d, %s", warps, strides, stride, tableName(bases), blocks, store),
	}
}

func loadBlock(f *Family, l *loader) ([]Kernel, error) { return loadBlocks(f, l, blockShapes, "") }

// loadBlockFree loads those of patterns within texts.
func loadBlockFree(f *Family, l *loader) ([]Kernel, error) {
	return loadBlocks(f, l, blockFreeShapes, "_free")
}

// loadBlocks loads the kernels of shapes, and the traceback from checkpoints with a suffix.
func loadBlocks(f *Family, l *loader, shapes []shape, suffix string) ([]Kernel, error) {
	return loadRegisters(f, l, shapes, func(s *shape) (tracer, error) {
		if s.checkpoints {
			return loadCheckpointTracer(l, suffix)
		}
		return loadRowTracer(l, s)
	})
}
