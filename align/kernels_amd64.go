package align

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate sh -c "cd _asm && go run . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -layout ../kernels_layout_amd64.go -pkg align"

// What Go and the assembly share besides the arguments; the generator reads these constants.
const (
	avx512Lanes         = 16 // of 32 bits in a vector
	avx2Lanes           = 8
	avx512BandRegisters = 5 // widest band, in vectors, that stays in registers
	avx2BandRegisters   = 2
	avx512GroupSize     = 4 // bands that run side by side
	avx2GroupSize       = 2
	canonicalVector     = 32 // letters
	editHalfLanes       = editLanes / 2
)

func simdLevels() []Level {
	var l []Level
	if !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2 {
		return nil
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		l = append(l, LevelAVX512)
	}
	return append(l, LevelAVX2)
}

func kernelsFor(l Level) *kernels {
	switch l {
	case LevelAVX512:
		return avx512Kernels
	case LevelAVX2:
		return avx2Kernels
	}
	return goKernels
}

var avx512Kernels = &kernels{
	canonical:    canonicalSIMD,
	words:        wordsAVX2,
	copies:       copiesAVX2,
	repeats:      repeatsAMD64,
	codes:        codesAVX2,
	places:       placesAVX2,
	compute:      func(a *computeArgs) { computeAVX512((*byte)(unsafe.Pointer(a))) },
	computeLong:  func(a *computeArgs) { computeLongAVX512((*byte)(unsafe.Pointer(a))) },
	front:        frontAVX512Of,
	frontLanes:   avx512Lanes,
	ends:         endsAVX2,
	computeLanes: avx512Lanes,
	adaptive:     func(a *adaptiveArgs) { adaptiveAVX512((*byte)(unsafe.Pointer(a))) },
	narrow:       narrowKernel{func(a *narrowArgs) { narrowAVX512((*byte)(unsafe.Pointer(a))) }, narrowLanes, narrowLanes},
	narrowEnds:   narrowKernel{func(a *narrowArgs) { narrowEndsAVX512((*byte)(unsafe.Pointer(a))) }, narrowLanes, narrowLanes},
	editLetters:  editLettersAVX2,
	editNarrow: []func(*editNarrowArgs){
		func(a *editNarrowArgs) { editNarrow1AVX512((*byte)(unsafe.Pointer(a))) },
		func(a *editNarrowArgs) { editNarrow2AVX512((*byte)(unsafe.Pointer(a))) },
	},
	edit: editKernels{
		{editHalfLanes, 3.6, func(a *editArgs) { edit4AVX512(a.ptr()) }, func(a *editArgs) { editCells4AVX512(a.ptr()) }},
		{editLanes, 5.5, func(a *editArgs) { edit8AVX512(a.ptr()) }, func(a *editArgs) { editCells8AVX512(a.ptr()) }},
	},
	groups: []groupKernel{
		{vector: bandKernels{lanes: 2 * avx2Lanes}, size: avx512GroupSize, run: func(a *bandArgs) { bandGroup4AVX512Half(a.ptr()) }},
		{vector: bandKernels{lanes: 4 * avx2Lanes}, size: avx512GroupSize, runBytes: func(a *byteArgs) { byteGroup4x1AVX512Half(a.ptr()) }},
		{vector: bandKernels{lanes: 2 * avx512Lanes}, size: avx512GroupSize, run: func(a *bandArgs) { bandGroup4AVX512(a.ptr()) }},
		{vector: bandKernels{lanes: 4 * avx512Lanes}, size: avx512GroupSize, runBytes: func(a *byteArgs) { byteGroup4x1AVX512(a.ptr()) }},
		{vector: bandKernels{lanes: 8 * avx512Lanes}, size: avx512GroupSize / 2, runBytes: func(a *byteArgs) { byteGroup2x2AVX512(a.ptr()) }},
	},
	band: &bandKernels{
		lanes: 2 * avx512Lanes,
		registers: []func(*bandArgs){
			func(a *bandArgs) { band1AVX512(a.ptr()) },
			func(a *bandArgs) { band2AVX512(a.ptr()) },
			func(a *bandArgs) { band3AVX512(a.ptr()) },
			func(a *bandArgs) { band4AVX512(a.ptr()) },
			func(a *bandArgs) { band5AVX512(a.ptr()) },
		},
		registersHistory: []func(*bandArgs){
			func(a *bandArgs) { bandHistory1AVX512(a.ptr()) },
			func(a *bandArgs) { bandHistory2AVX512(a.ptr()) },
			func(a *bandArgs) { bandHistory3AVX512(a.ptr()) },
			func(a *bandArgs) { bandHistory4AVX512(a.ptr()) },
			func(a *bandArgs) { bandHistory5AVX512(a.ptr()) },
		},
		wide:        func(a *bandArgs) { bandWideAVX512(a.ptr()) },
		wideHistory: func(a *bandArgs) { bandHistoryWideAVX512(a.ptr()) },
	},
	fence: &fenceKernels{
		open: fenceRoutines{
			least: 2,
			registers: []func(*fenceArgs){
				func(a *fenceArgs) { open2AVX512(a.ptr()) },
				func(a *fenceArgs) { open3AVX512(a.ptr()) },
			},
			wide: func(a *fenceArgs) { openWideAVX512(a.ptr()) },
		},
		fenced: fenceRoutines{
			least: 3,
			registers: []func(*fenceArgs){
				func(a *fenceArgs) { fence3AVX512(a.ptr()) },
				func(a *fenceArgs) { fence4AVX512(a.ptr()) },
			},
			wide: func(a *fenceArgs) { fenceWideAVX512(a.ptr()) },
		},
	},
	sweep16: sweep16AVX512, sweep32: sweep32AVX512,
	lanes:  lanesKernelAVX512,
	bundle: bundleAVX512, bundleWide: wideAVX512,
}

var avx2Kernels = &kernels{
	canonical:    canonicalSIMD,
	words:        wordsAVX2,
	copies:       copiesAVX2,
	repeats:      repeatsAMD64,
	codes:        codesAVX2,
	places:       placesAVX2,
	compute:      func(a *computeArgs) { computeAVX2((*byte)(unsafe.Pointer(a))) },
	computeLong:  func(a *computeArgs) { computeLongAVX2((*byte)(unsafe.Pointer(a))) },
	front:        frontAVX2Of,
	frontLanes:   avx2Lanes,
	ends:         endsAVX2,
	computeLanes: avx2Lanes,
	adaptive:     func(a *adaptiveArgs) { adaptiveAVX2((*byte)(unsafe.Pointer(a))) },
	narrow:       narrowKernel{func(a *narrowArgs) { narrowAVX2((*byte)(unsafe.Pointer(a))) }, narrowLanes, narrowLanes},
	narrowEnds:   narrowKernel{func(a *narrowArgs) { narrowEndsAVX2((*byte)(unsafe.Pointer(a))) }, narrowLanes, narrowLanes},
	editNarrow:   []func(*editNarrowArgs){func(a *editNarrowArgs) { editNarrow1AVX2((*byte)(unsafe.Pointer(a))) }},
	editLetters:  editLettersAVX2,
	edit: editKernels{
		{editHalfLanes, 4.5, func(a *editArgs) { edit4AVX2(a.ptr()) }, func(a *editArgs) { editCells4AVX2(a.ptr()) }},
	},
	groups: []groupKernel{
		{vector: bandKernels{lanes: 2 * avx2Lanes}, size: avx2GroupSize, run: func(a *bandArgs) { bandGroup2AVX2(a.ptr()) }},
		{vector: bandKernels{lanes: 4 * avx2Lanes}, size: avx2GroupSize, runBytes: func(a *byteArgs) { byteGroup2x1AVX2(a.ptr()) }},
		{vector: bandKernels{lanes: 8 * avx2Lanes}, size: avx2GroupSize / 2, runBytes: func(a *byteArgs) { byteGroup1x2AVX2(a.ptr()) }},
	},
	band: &bandKernels{
		lanes: 2 * avx2Lanes,
		registers: []func(*bandArgs){
			func(a *bandArgs) { band1AVX2(a.ptr()) },
			func(a *bandArgs) { band2AVX2(a.ptr()) },
		},
		registersHistory: []func(*bandArgs){
			func(a *bandArgs) { bandHistory1AVX2(a.ptr()) },
			func(a *bandArgs) { bandHistory2AVX2(a.ptr()) },
		},
		wide:        func(a *bandArgs) { bandWideAVX2(a.ptr()) },
		wideHistory: func(a *bandArgs) { bandHistoryWideAVX2(a.ptr()) },
	},
	fence: &fenceKernels{
		open:   fenceRoutines{wide: func(a *fenceArgs) { openWideAVX2(a.ptr()) }},
		fenced: fenceRoutines{wide: func(a *fenceArgs) { fenceWideAVX2(a.ptr()) }},
	},
	sweep16: sweep16AVX2, sweep32: sweep32AVX2,
	lanes:  lanesKernelAVX2,
	bundle: bundleAVX2, bundleWide: wideAVX2,
}

var editLettersAVX2 = &editEncoder{
	pattern: func(planes *[3][]uint64, at int, src []byte) bool {
		return editPatternAVX2(&planes[0][at], &planes[1][at], &planes[2][at], &src[0], len(src)) == 0
	},
	text: func(codes, masks []byte, stride int, src []byte) bool {
		var last *byte
		if len(masks) > 0 {
			last = &masks[len(masks)-1]
		}
		return editTextAVX2(&codes[0], last, stride, &src[0], len(src)) == 0
	},
}

func (a *bandArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }
func (a *byteArgs) ptr() *byte { return (*byte)(unsafe.Pointer(a)) }

// canonicalSIMD leaves sequences shorter than a vector to plain Go.
func canonicalSIMD(dst, src []byte, pad *[seqPad]byte) bool {
	n := len(src)
	if n < canonicalVector {
		return canonicalGo(dst, src, pad)
	}
	dst = dst[:n+2*seqPad]
	return canonicalAVX2(&dst[0], &src[0], n, &pad[0]) == 0
}

var lanesKernelAVX2 = &lanesKernel{
	bytes:  laneRoutine{4 * avx2Lanes, func(a *lanesArgs) { lanesAVX2(a.ptr()) }},
	words:  laneRoutine{2 * avx2Lanes, func(a *lanesArgs) { lanesWordsAVX2(a.ptr()) }},
	places: func(a *seedArgs) int { return seedPlacesAVX2(a.ptr()) },
}

var lanesKernelAVX512 = &lanesKernel{
	bytes:  lanesKernelAVX2.bytes,
	words:  laneRoutine{2 * avx512Lanes, func(a *lanesArgs) { lanesWordsAVX512(a.ptr()) }},
	places: lanesKernelAVX2.places,
}

func frontAVX512Of(a *frontArgs, long bool) {
	if long {
		frontLongAVX512(a.ptr())
	} else {
		frontAVX512(a.ptr())
	}
}

func frontAVX2Of(a *frontArgs, long bool) {
	if long {
		frontLongAVX2(a.ptr())
	} else {
		frontAVX2(a.ptr())
	}
}
