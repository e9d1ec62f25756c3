package kernel

import "fmt"

// The warp family, cuda/warp.cuh: exact, for short pairs. A warp, or a quarter of
// one, aligns a pair.

var warpShapes = []shape{
	warpShape(8, 1, 1, 16, 8, 4),
	warpShape(8, 2, 2, 16, 8, 4),
	warpShape(8, 3, 3, 16, 8, 4),
	warpShape(8, 4, 4, 16, 8, 3),
	upTo(3_000, warpShape(32, 2, 2, 8, 4, 8)),
	upTo(3_000, warpShape(32, 3, 3, 8, 4, 6)),
	upTo(3_000, warpShape(32, 4, 4, 8, 4, 5)),
	// Long pairs with few errors: packed tables leave room for more of them on an SM.
	warpShape(32, 2, 2, packed, 1, 16),
	warpShape(32, 4, 4, packed, 1, 16),
}

// warpFreeShapes are those for patterns within texts: wavefronts are as wide as the letters around
// the pattern are many.
var warpFreeShapes = within(
	warpShape(8, 4, 4, 16, 8, 3),
	warpShape(16, 4, 4, 16, 8, 3),
	upTo(3_000, warpShape(32, 4, 4, 8, 4, 5)),
)

// within makes shapes those of kernels for patterns within texts.
func within(shapes ...shape) []shape {
	for i := range shapes {
		shapes[i].free = true
	}
	return shapes
}

// warpShape returns a shape: threads per pair, words per thread, words computed
// between branches, bases per look-ahead entry, warps per block, and blocks per SM
// that the registers must allow.
func warpShape(threads, words, stride, bases, warps, blocks int) shape {
	return shape{
		pairThreads: threads, words: words, warps: warps, pairs: 32 / threads * warps, bases: bases,
		name:      fmt.Sprintf("%dx%d_%s", threads, words, tableName(bases)),
		arguments: fmt.Sprintf("%d, %d, %d, %s, %d, %d", threads, words, stride, tableName(bases), warps, blocks),
	}
}

// upTo returns a shape for sequences of up to some letters.
func upTo(longest int, s shape) shape {
	s.longest = longest
	return s
}

func loadWarp(f *Family, l *loader) ([]Kernel, error) { return loadWarps(f, l, warpShapes) }

// loadWarpFree loads those of patterns within texts.
func loadWarpFree(f *Family, l *loader) ([]Kernel, error) { return loadWarps(f, l, warpFreeShapes) }

func loadWarps(f *Family, l *loader, shapes []shape) ([]Kernel, error) {
	return loadRegisters(f, l, shapes, func(s *shape) (tracer, error) { return loadRowTracer(l, s) })
}
