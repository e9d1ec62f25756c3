// The kernels with compiled shapes. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off

static_assert(Penalties<2, 3, 1>::unroll == 3, "");
WFA_RETRACE(2, 3, 1)

// warp: threads per pair, words per thread, words between branches, look-ahead table, warps per block, blocks per SM
WFA_WARP(2, 3, 1, 8, 1, 1, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 2, 2, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 3, 3, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 4, 4, 16, 8, 3)
WFA_WARP(2, 3, 1, 32, 2, 2, 8, 4, 8)
WFA_WARP(2, 3, 1, 32, 3, 3, 8, 4, 6)
WFA_WARP(2, 3, 1, 32, 4, 4, 8, 4, 5)
WFA_WARP(2, 3, 1, 32, 2, 2, Packed, 1, 16)
WFA_WARP(2, 3, 1, 32, 4, 4, Packed, 1, 16)

// block: warps per block, strides per warp, words per stride, look-ahead table, blocks per SM, what is stored
WFA_BLOCK(2, 3, 1, 2, 3, 1, 8, 9, storeRows)
WFA_BLOCK(2, 3, 1, 2, 3, 1, Packed, 9, storeRows)
WFA_BLOCK(2, 3, 1, 4, 3, 1, 8, 8, storeRows)
WFA_BLOCK(2, 3, 1, 4, 3, 1, Packed, 8, storeRows)
WFA_BLOCK(2, 3, 1, 7, 2, 2, 8, 5, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 7, 2, 2, Packed, 4, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 3, 2, 8, 4, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 3, 2, Packed, 3, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 4, 2, 8, 3, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 4, 2, Packed, 3, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 12, 4, 2, 8, 2, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 16, 4, 3, 8, 1, storeCheckpoints)

// long: warps per block, strides per warp, words per stride, blocks per SM
WFA_LONG(2, 3, 1, 7, 2, 2, 4)
WFA_LONG(2, 3, 1, 8, 3, 2, 3)
WFA_LONG(2, 3, 1, 8, 4, 2, 2)
WFA_LONG(2, 3, 1, 10, 4, 2, 2)
WFA_LONG(2, 3, 1, 8, 4, 3, 2)
WFA_LONG(2, 3, 1, 20, 4, 2, 1)
WFA_LONG(2, 3, 1, 16, 4, 3, 1)
WFA_LONG(2, 3, 1, 16, 4, 4, 1)

// tiles: warps per block, diagonals per thread, blocks per SM
WFA_TILES(2, 3, 1, 4, 8, 4)
