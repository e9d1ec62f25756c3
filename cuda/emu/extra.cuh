// Kernels for tests only: the shipped templates with penalties that take other branches.
// Opening a gap is free, rings have other lengths, gap extension costs more than 1.
// Columns are those of variants.cuh.
#define WFA_EXTRA(X, O, E)                                                                                             \
	WFA_RETRACE(X, O, E)                                                                                               \
	WFA_WARP_KERNEL(X, O, E, 8, 2, 2, 16, 8, 1, rows, true)                                                            \
	WFA_WARP_KERNEL(X, O, E, 32, 2, 1, 8, 4, 1, rows, true)                                                            \
	WFA_BLOCK_KERNEL(X, O, E, 2, 3, 1, 8, 1, rows, storeCheckpoints)                                                   \
	WFA_LONG_KERNEL(X, O, E, 2, 3, 1, 1, rows, storeCheckpoints)                                                       \
	WFA_ADAPTIVE_WARP_KERNEL(X, O, E, 1, 1, Packed, rows, true)                                                        \
	WFA_ADAPTIVE_LONG_KERNEL(X, O, E, 1, 1, rows, true)                                                                \
	WFA_TILES_KERNEL(X, O, E, 1, 8, 1, shared_rows, true, true)                                                        \
	WFA_TILES_KERNEL(X, O, E, 2, 8, 1, global_rows, false, true)
WFA_EXTRA(1, 0, 1)
WFA_EXTRA(2, 0, 1)
WFA_EXTRA(3, 0, 2)
WFA_EXTRA(1, 2, 1)
WFA_EXTRA(3, 1, 4)
WFA_EXTRA(5, 3, 2)

// Strides of several words, some of which a warp skips, and an odd number of words.
WFA_WARP_KERNEL(1, 0, 1, 32, 4, 2, 8, 4, 1, score, false)
WFA_BLOCK_KERNEL(1, 0, 1, 4, 2, 2, 8, 1, score, storeNothing)
WFA_ADAPTIVE_WARP_KERNEL(1, 0, 1, 4, 2, 16, score, false)
WFA_BLOCK_KERNEL(2, 3, 1, 3, 1, 1, 8, 1, score, storeNothing)
WFA_BLOCK_KERNEL(2, 3, 1, 3, 2, 1, 8, 1, rows, storeCheckpoints)
WFA_LONG_KERNEL(2, 3, 1, 2, 3, 1, 1, rows, storeCheckpoints)
WFA_LONG_KERNEL(2, 3, 1, 3, 2, 2, 1, rows, storeCheckpoints)

// Tiles so narrow that short pairs have many.
WFA_TILES_KERNEL(2, 3, 1, 1, 4, 1, shared_score, true, false)
WFA_TILES_KERNEL(2, 3, 1, 1, 4, 1, shared_rows, true, true)
