// The kernels with compiled shapes. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off

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
WFA_GOTOH(4x24, 4, 24, 1, 2, 12)
WFA_GOTOH(8x12, 8, 12, 1, 4, 18)
WFA_GOTOH(4x32, 4, 32, 1, 2, 8)
WFA_GOTOH(8x20, 8, 20, 1, 4, 12)
WFA_GOTOH(8x24, 8, 24, 1, 2, 12)
WFA_GOTOH(8x32, 8, 32, 1, 2, 8)
WFA_GOTOH(16x20, 16, 20, 1, 4, 12)
WFA_GOTOH(16x32, 16, 32, 1, 2, 8)
WFA_GOTOH(32x20, 32, 20, 1, 4, 12)
WFA_GOTOH(32x28, 32, 28, 1, 2, 8)
WFA_GOTOH(32x36, 32, 36, 1, 2, 8)
WFA_GOTOH(block_20, 32, 20, 16, 4, 1)
