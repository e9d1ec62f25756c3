// The kernels with compiled shapes. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off

static_assert(Penalties<2, 3, 1>::unroll == 3, "");
WFA_RETRACE_FREE(2, 3, 1)

// warp_free: as warp
WFA_WARP_FREE(2, 3, 1, 8, 4, 4, 16, 8, 3)
WFA_WARP_FREE(2, 3, 1, 16, 4, 4, 16, 8, 3)
WFA_WARP_FREE(2, 3, 1, 32, 4, 4, 8, 4, 5)

// block_free: as block
WFA_BLOCK_FREE(2, 3, 1, 2, 3, 1, 8, 9, storeRows)
WFA_BLOCK_FREE(2, 3, 1, 4, 3, 1, 8, 8, storeRows)
WFA_BLOCK_FREE(2, 3, 1, 7, 2, 2, 8, 5, storeCheckpoints)
WFA_BLOCK_FREE(2, 3, 1, 8, 3, 2, 8, 3, storeCheckpoints)
WFA_BLOCK_FREE(2, 3, 1, 8, 4, 2, 8, 3, storeCheckpoints)
WFA_BLOCK_FREE(2, 3, 1, 12, 4, 2, 8, 2, storeCheckpoints)
WFA_BLOCK_FREE(2, 3, 1, 16, 4, 2, 8, 1, storeCheckpoints)
WFA_BLOCK_FREE(2, 3, 1, 16, 4, 3, 8, 1, storeCheckpoints)

// long_free: as long
WFA_LONG_FREE(2, 3, 1, 8, 4, 2, 2)
WFA_LONG_FREE(2, 3, 1, 20, 4, 2, 1)
WFA_LONG_FREE(2, 3, 1, 16, 4, 4, 1)
