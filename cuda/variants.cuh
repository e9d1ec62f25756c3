// The kernels with cells in registers. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off

static_assert(Penalties<2, 3, 1>::unroll == 3, "");
WFA_RETRACE(2, 3, 1)

// warp: threads per pair, words per thread, words between branches, look-ahead table, warps per block, blocks per SM
WFA_WARP(2, 3, 1, 8, 1, 1, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 2, 2, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 3, 3, 16, 8, 4)
WFA_WARP(2, 3, 1, 8, 4, 4, 16, 8, 4)
WFA_WARP(2, 3, 1, 32, 2, 2, 8, 4, 8)
WFA_WARP(2, 3, 1, 32, 3, 3, 8, 4, 6)
WFA_WARP(2, 3, 1, 32, 4, 4, 8, 4, 5)
WFA_WARP(2, 3, 1, 32, 2, 2, Packed, 1, 16)
WFA_WARP(2, 3, 1, 32, 4, 4, Packed, 1, 24)

// block: warps per block, strides per warp, words per stride, look-ahead table, blocks per SM, what is stored
WFA_BLOCK(2, 3, 1, 2, 3, 1, 8, 9, storeRows)
WFA_BLOCK(2, 3, 1, 2, 3, 1, Packed, 18, storeRows)
WFA_BLOCK(2, 3, 1, 4, 3, 1, 8, 8, storeRows)
WFA_BLOCK(2, 3, 1, 4, 3, 1, Packed, 9, storeRows)
WFA_BLOCK(2, 3, 1, 7, 2, 2, 8, 5, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 7, 2, 2, Packed, 5, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 3, 2, 8, 4, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 3, 2, Packed, 4, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 4, 2, 8, 3, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 8, 4, 2, Packed, 3, storeCheckpoints)
WFA_BLOCK(2, 3, 1, 16, 4, 3, 8, 1, storeCheckpoints)

// long: warps per block, strides per warp, words per stride, blocks per SM
WFA_LONG(2, 3, 1, 7, 2, 2, 4)
WFA_LONG(2, 3, 1, 8, 3, 2, 3)
WFA_LONG(2, 3, 1, 8, 4, 2, 3)
WFA_LONG(2, 3, 1, 16, 4, 3, 1)

// tiles: warps per block, diagonals per thread, blocks per SM
WFA_TILES(2, 3, 1, 4, 8, 4)

// adaptive_warp: words per thread, words between branches, look-ahead table
WFA_ADAPTIVE_WARP(2, 3, 1, 1, 1, 16)
WFA_ADAPTIVE_WARP(2, 3, 1, 2, 2, 16)
WFA_ADAPTIVE_WARP(2, 3, 1, 1, 1, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 2, 2, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 3, 3, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 4, 4, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 5, 5, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 9, 3, Packed)
WFA_ADAPTIVE_WARP(2, 3, 1, 17, 17, Packed)

// adaptive_long: words per thread, words between branches
WFA_ADAPTIVE_LONG(2, 3, 1, 2, 2)
WFA_ADAPTIVE_LONG(2, 3, 1, 5, 5)
WFA_ADAPTIVE_LONG(2, 3, 1, 9, 3)

// edit: threads per pair, words, columns per turn, blocks per SM; edit_block: words, largest number of warps, the same
WFA_EDIT(1, 5, 4, 16)
WFA_EDIT(2, 1, 8, 24)
WFA_EDIT(2, 2, 8, 24)
WFA_EDIT(2, 4, 4, 20)
WFA_EDIT(4, 2, 8, 24)
WFA_EDIT(4, 4, 4, 20)
WFA_EDIT(8, 2, 8, 24)
WFA_EDIT(8, 4, 4, 20)
WFA_EDIT(16, 4, 4, 20)
WFA_EDIT(32, 2, 8, 24)
WFA_EDIT(32, 4, 4, 20)
WFA_EDIT_BLOCK(2, 4, 8, 6)
WFA_EDIT_BLOCK(4, 24, 4, 1)

// gotoh: name, threads per pair or warp, columns, largest number of warps, steps per turn, blocks per SM
WFA_GOTOH(2x8, 2, 8, 1, 4, 20)
WFA_GOTOH(2x16, 2, 16, 1, 4, 16)
WFA_GOTOH(4x8, 4, 8, 1, 4, 20)
WFA_GOTOH(4x12, 4, 12, 1, 4, 20)
WFA_GOTOH(4x16, 4, 16, 1, 4, 16)
WFA_GOTOH(8x12, 8, 12, 1, 4, 20)
WFA_GOTOH(8x16, 8, 16, 1, 4, 16)
WFA_GOTOH(8x24, 8, 24, 1, 2, 12)
WFA_GOTOH(8x32, 8, 32, 1, 2, 8)
WFA_GOTOH(16x20, 16, 20, 1, 4, 12)
WFA_GOTOH(16x32, 16, 32, 1, 2, 8)
WFA_GOTOH(32x20, 32, 20, 1, 4, 12)
WFA_GOTOH(32x28, 32, 28, 1, 2, 8)
WFA_GOTOH(32x36, 32, 36, 1, 2, 8)
WFA_GOTOH(block_20, 32, 20, 16, 4, 1)

// span: gaps, ends, threads per pair, columns, steps per turn, blocks per SM, forms
WFA_SPAN(linear, edge, 2, 40, 4, 12, scores)
WFA_SPAN(linear, edge, 4, 20, 4, 16, traced)
WFA_SPAN(linear, edge, 8, 24, 4, 16, bytes)
WFA_SPAN(linear, edge, 16, 32, 4, 12, nibbles)
WFA_SPAN(linear, edge, 32, 32, 4, 12, bytes)
WFA_SPAN(linear, any, 2, 40, 4, 12, scores)
WFA_SPAN(linear, any, 4, 20, 4, 16, traced)
WFA_SPAN(linear, any, 8, 24, 4, 16, bytes)
WFA_SPAN(linear, any, 16, 32, 4, 12, nibbles)
WFA_SPAN(linear, any, 32, 32, 4, 12, bytes)
WFA_SPAN(affine, edge, 2, 40, 2, 8, scores)
WFA_SPAN(affine, edge, 4, 20, 4, 12, traced)
WFA_SPAN(affine, edge, 8, 24, 2, 12, bytes)
WFA_SPAN(affine, edge, 16, 32, 2, 8, nibbles)
WFA_SPAN(affine, edge, 32, 32, 2, 8, bytes)
WFA_SPAN(affine, any, 2, 40, 2, 8, scores)
WFA_SPAN(affine, any, 4, 20, 4, 12, traced)
WFA_SPAN(affine, any, 8, 24, 2, 12, bytes)
WFA_SPAN(affine, any, 16, 32, 2, 8, nibbles)
WFA_SPAN(affine, any, 32, 32, 2, 8, bytes)
WFA_SPAN(two, edge, 4, 20, 2, 12, nibbles)
WFA_SPAN(two, edge, 8, 24, 2, 8, bytes)
WFA_SPAN(two, edge, 32, 16, 2, 12, bytes)
WFA_SPAN(two, edge, 32, 24, 2, 8, nibbles)
WFA_SPAN(two, any, 4, 20, 2, 12, nibbles)
WFA_SPAN(two, any, 8, 24, 2, 8, bytes)
WFA_SPAN(two, any, 32, 16, 2, 12, bytes)
WFA_SPAN(two, any, 32, 24, 2, 8, nibbles)
