// The kernels with compiled shapes. Generated from the tables of shapes in
// gpu/internal/kernel by gpu/internal/gen; do not edit.
// clang-format off

static_assert(Penalties<2, 3, 1>::unroll == 3, "");

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

// adaptive_rings: as adaptive_long
WFA_ADAPTIVE_RINGS(1, 1)
WFA_ADAPTIVE_RINGS(2, 2)
WFA_ADAPTIVE_RINGS(5, 5)
WFA_ADAPTIVE_RINGS(9, 3)
