package align

var sweep16AVX512 = &sweepKernels{
	lanes: 2 * avx512Lanes,
	free: []sweepRoutine{
		{2, 5.0, func(a *sweepArgs) { sweep16FreeBy2AVX512(a.ptr()) }},
		{5, 9.4, func(a *sweepArgs) { sweep16FreeBy5AVX512(a.ptr()) }},
	},
	affine: []sweepRoutine{
		{2, 5.3, func(a *sweepArgs) { sweep16By2AVX512(a.ptr()) }},
		{5, 10.4, func(a *sweepArgs) { sweep16By5AVX512(a.ptr()) }},
	},
	least: []sweepRoutine{
		{2, 6.2, func(a *sweepArgs) { sweep16LeastBy2AVX512(a.ptr()) }},
		{4, 9.8, func(a *sweepArgs) { sweep16LeastBy4AVX512(a.ptr()) }},
	},
	long: []sweepRoutine{
		{1, 5.0, func(a *sweepArgs) { sweep16LongBy1AVX512(a.ptr()) }},
		{3, 10.0, func(a *sweepArgs) { sweep16LongBy3AVX512(a.ptr()) }},
	},
	longLeast: []sweepRoutine{
		{1, 5.0, func(a *sweepArgs) { sweep16LongLeastBy1AVX512(a.ptr()) }},
		{3, 11.0, func(a *sweepArgs) { sweep16LongLeastBy3AVX512(a.ptr()) }},
	},
}

var sweep32AVX512 = &sweepKernels{
	lanes: avx512Lanes,
	affine: []sweepRoutine{
		{4, 9.0, func(a *sweepArgs) { sweep32By4AVX512(a.ptr()) }},
	},
	least: []sweepRoutine{
		{4, 10.0, func(a *sweepArgs) { sweep32LeastBy4AVX512(a.ptr()) }},
	},
	long: []sweepRoutine{
		{3, 10.0, func(a *sweepArgs) { sweep32LongBy3AVX512(a.ptr()) }},
	},
	longLeast: []sweepRoutine{
		{3, 11.0, func(a *sweepArgs) { sweep32LongLeastBy3AVX512(a.ptr()) }},
	},
}

var sweep16AVX2 = &sweepKernels{
	lanes: 2 * avx2Lanes,
	free: []sweepRoutine{
		{1, 2.9, func(a *sweepArgs) { sweep16FreeBy1AVX2(a.ptr()) }},
		{2, 3.7, func(a *sweepArgs) { sweep16FreeBy2AVX2(a.ptr()) }},
	},
	affine: []sweepRoutine{
		{1, 2.9, func(a *sweepArgs) { sweep16By1AVX2(a.ptr()) }},
		{2, 3.9, func(a *sweepArgs) { sweep16By2AVX2(a.ptr()) }},
	},
	least: []sweepRoutine{
		{1, 3.1, func(a *sweepArgs) { sweep16LeastBy1AVX2(a.ptr()) }},
		{2, 4.3, func(a *sweepArgs) { sweep16LeastBy2AVX2(a.ptr()) }},
	},
	long: []sweepRoutine{
		{1, 4.0, func(a *sweepArgs) { sweep16LongBy1AVX2(a.ptr()) }},
	},
	longLeast: []sweepRoutine{
		{1, 4.0, func(a *sweepArgs) { sweep16LongLeastBy1AVX2(a.ptr()) }},
	},
}

var sweep32AVX2 = &sweepKernels{
	lanes: avx2Lanes,
	affine: []sweepRoutine{
		{2, 4.0, func(a *sweepArgs) { sweep32By2AVX2(a.ptr()) }},
	},
	least: []sweepRoutine{
		{2, 4.3, func(a *sweepArgs) { sweep32LeastBy2AVX2(a.ptr()) }},
	},
	long: []sweepRoutine{
		{1, 4.0, func(a *sweepArgs) { sweep32LongBy1AVX2(a.ptr()) }},
	},
	longLeast: []sweepRoutine{
		{1, 4.0, func(a *sweepArgs) { sweep32LongLeastBy1AVX2(a.ptr()) }},
	},
}
