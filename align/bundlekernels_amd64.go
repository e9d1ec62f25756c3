package align

// The routines of bundles of each code path, with their costs.
var (
	bundleAVX512 = &bundleKernels{
		lanes: 4 * avx512Lanes,
		linear: bundleRoutine{
			1, 2, func(a *bundleArgs) { bundleLinearAVX512(a.ptr()) }, func(a *bundleArgs) { bundleLinearMarksAVX512(a.ptr()) }, 1, 1.5,
		},
		affine: bundleRoutine{
			2, 4, func(a *bundleArgs) { bundleAffineAVX512(a.ptr()) }, func(a *bundleArgs) { bundleAffineMarksAVX512(a.ptr()) }, 1.7, 3,
		},
		long: bundleRoutine{
			3, 8, func(a *bundleArgs) { bundleLongAVX512(a.ptr()) }, func(a *bundleArgs) { bundleLongMarksAVX512(a.ptr()) }, 3, 5,
		},
	}
	bundleAVX2 = &bundleKernels{
		lanes: 4 * avx2Lanes,
		linear: bundleRoutine{
			1, 2, func(a *bundleArgs) { bundleLinearAVX2(a.ptr()) }, func(a *bundleArgs) { bundleLinearMarksAVX2(a.ptr()) }, 1, 1.5,
		},
		affine: bundleRoutine{
			2, 4, func(a *bundleArgs) { bundleAffineAVX2(a.ptr()) }, func(a *bundleArgs) { bundleAffineMarksAVX2(a.ptr()) }, 1.7, 3,
		},
		long: bundleRoutine{
			3, 8, func(a *bundleArgs) { bundleLongAVX2(a.ptr()) }, func(a *bundleArgs) { bundleLongMarksAVX2(a.ptr()) }, 3, 5,
		},
	}
)
