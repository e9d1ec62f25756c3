// Kernels that do not ship: the templates of those that do, for penalties that
// take other branches. Gap opening is free, rings are of other lengths, e is
// above 1. Columns are those of variants.cuh.
#define WFA_EXTRA(X, O, E)                                                                                         \
	WFA_WARP(X, O, E, 8, 1, 1, 16, 8, 1)                                                                           \
	WFA_WARP(X, O, E, 8, 2, 2, 16, 8, 1)                                                                           \
	WFA_WARP(X, O, E, 32, 3, 3, 8, 4, 1)                                                                           \
	WFA_WARP(X, O, E, 32, 4, 2, 8, 4, 1)                                                                           \
	WFA_BLOCK(X, O, E, 2, 3, 1, 8, 1)                                                                              \
	WFA_BLOCK(X, O, E, 4, 2, 2, 8, 1)                                                                              \
	WFA_ADAPTIVE_WARP(X, O, E, 1, 1, 16)                                                                                  \
	WFA_ADAPTIVE_WARP(X, O, E, 2, 2, Packed)
WFA_EXTRA(1, 0, 1)
WFA_EXTRA(2, 0, 1)
WFA_EXTRA(3, 0, 2)
WFA_EXTRA(1, 2, 1)
WFA_EXTRA(3, 1, 4)
WFA_EXTRA(5, 3, 2)
