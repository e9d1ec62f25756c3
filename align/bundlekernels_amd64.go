package align

// The routines of bundles of each code path, with their costs.
var (
	bundleAVX512 = &bundleKernels{
		lanes: 4 * avx512Lanes, size: 1, bits: 1,
		linear: bundleRoutine{1, 2, bundleLinearAVX512, bundleLinearMarksAVX512, 1, 1.8},
		affine: bundleRoutine{2, 4, bundleAffineAVX512, bundleAffineMarksAVX512, 2, 3.2},
		long:   bundleRoutine{3, 8, bundleLongAVX512, bundleLongMarksAVX512, 3.5, 6},
	}
	bundleAVX2 = &bundleKernels{
		lanes: 4 * avx2Lanes, size: 1, bits: 1,
		linear: bundleRoutine{1, 2, bundleLinearAVX2, bundleLinearMarksAVX2, 0.8, 1.1},
		affine: bundleRoutine{2, 4, bundleAffineAVX2, bundleAffineMarksAVX2, 1.2, 1.7},
		long:   bundleRoutine{3, 8, bundleLongAVX2, bundleLongMarksAVX2, 2.4, 3.4},
	}
	wideAVX512 = &bundleKernels{
		lanes: 2 * avx512Lanes, size: 2, bits: 1,
		linear: bundleRoutine{1, 2, wideLinearAVX512, wideLinearMarksAVX512, 1.2, 2},
		affine: bundleRoutine{2, 4, wideAffineAVX512, wideAffineMarksAVX512, 1.8, 4},
		long:   bundleRoutine{3, 8, wideLongAVX512, wideLongMarksAVX512, 3, 6},
	}
	wideAVX2 = &bundleKernels{
		lanes: 2 * avx2Lanes, size: 2, bits: 2,
		linear: bundleRoutine{1, 2, wideLinearAVX2, wideLinearMarksAVX2, 1, 1.5},
		affine: bundleRoutine{2, 4, wideAffineAVX2, wideAffineMarksAVX2, 1.4, 2.2},
		long:   bundleRoutine{3, 8, wideLongAVX2, wideLongMarksAVX2, 2.2, 3.6},
	}
)
