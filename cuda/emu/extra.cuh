// Kernels for tests only: the shipped templates with penalties that take other branches.
// Opening a gap is free, rings have other lengths, gap extension costs more than 1.
// Columns are those of variants-*.cuh.
#define WFA_EXTRA(X, O, E)                                                                                             \
	WFA_RETRACE(X, O, E)                                                                                               \
	WFA_RETRACE_FREE(X, O, E)                                                                                          \
	WFA_EXTRA_WAVES(warp, block, long, false, X, O, E)                                                                 \
	WFA_EXTRA_WAVES(warp_free, block_free, long_free, true, X, O, E)                                                   \
	WFA_ADAPTIVE_WARP_KERNEL(X, O, E, 1, 1, Packed, rows, true)                                                        \
	WFA_ADAPTIVE_LONG_KERNEL(X, O, E, 1, 1, rows, true)                                                                \
	WFA_TILES_KERNEL(X, O, E, 1, 8, 1, shared_rows, true, true)                                                        \
	WFA_TILES_KERNEL(X, O, E, 2, 8, 1, global_rows, false, true)
#define WFA_EXTRA_WAVES(WARP, BLOCK, LONG, FREE, X, O, E)                                                              \
	WFA_WARP_KERNEL(WARP, FREE, X, O, E, 8, 2, 2, 16, 8, 1, rows, true)                                                \
	WFA_WARP_KERNEL(WARP, FREE, X, O, E, 32, 2, 1, 8, 4, 1, rows, true)                                                \
	WFA_BLOCK_KERNEL(BLOCK, FREE, X, O, E, 2, 3, 1, 8, 1, rows, storeCheckpoints, OneOrigin)                           \
	WFA_BLOCK_KERNEL(LONG, FREE, X, O, E, 2, 3, 1, Packed, 1, rows, storeCheckpoints, MovingOrigins)
WFA_EXTRA(1, 0, 1)
WFA_EXTRA(2, 0, 1)
WFA_EXTRA(3, 0, 2)
WFA_EXTRA(1, 2, 1)
WFA_EXTRA(3, 1, 4)
WFA_EXTRA(5, 3, 2)

// Strides of several words, some of which a warp skips, and an odd number of words.
WFA_WARP_KERNEL(warp, false, 1, 0, 1, 32, 4, 2, 8, 4, 1, score, false)
WFA_WARP_KERNEL(warp_free, true, 1, 0, 1, 32, 4, 2, 8, 4, 1, rows, true)
WFA_WARP_KERNEL(warp_free, true, 2, 3, 1, 8, 3, 3, 16, 4, 1, rows, true)
WFA_BLOCK_KERNEL(block, false, 1, 0, 1, 4, 2, 2, 8, 1, score, storeNothing, OneOrigin)
WFA_BLOCK_KERNEL(block_free, true, 1, 0, 1, 4, 2, 2, 8, 1, score, storeNothing, OneOrigin)
WFA_ADAPTIVE_WARP_KERNEL(1, 0, 1, 4, 2, 16, score, false)
WFA_BLOCK_KERNEL(block, false, 2, 3, 1, 3, 1, 1, 8, 1, score, storeNothing, OneOrigin)
WFA_BLOCK_KERNEL(block, false, 2, 3, 1, 3, 2, 1, 8, 1, rows, storeCheckpoints, OneOrigin)
WFA_BLOCK_KERNEL(block_free, true, 2, 3, 1, 3, 2, 1, 8, 1, rows, storeCheckpoints, OneOrigin)
WFA_BLOCK_KERNEL(long, false, 2, 3, 1, 2, 3, 1, Packed, 1, rows, storeCheckpoints, MovingOrigins)
WFA_BLOCK_KERNEL(long, false, 2, 3, 1, 3, 2, 2, Packed, 1, rows, storeCheckpoints, MovingOrigins)
WFA_BLOCK_KERNEL(long_free, true, 2, 3, 1, 3, 2, 2, Packed, 1, rows, storeCheckpoints, MovingOrigins)

// Tiles so narrow that short pairs have many.
WFA_TILES_KERNEL(2, 3, 1, 1, 4, 1, shared_score, true, false)
WFA_TILES_KERNEL(2, 3, 1, 1, 4, 1, shared_rows, true, true)
