package align

// kernels are the inner loops of one code path. canonical, words, copies, repeats, codes, places,
// compute and adaptive exist on every path; canonicalGo, wordsGo, copiesGo, repeatsGo, codesGo,
// placesGo, computeGo, frontGo and adaptiveGo define what their assembly computes. The loops of bands exist
// in assembly only: bandArgs, byteArgs, lanesArgs, bundleArgs and bundleWideArgs define them, and
// the tests compare the assembly with plain Go versions. narrowArgs defines those of narrow
// wavefronts, editArgs those of edit distance, whose plain versions are in editgo.go.
type kernels struct {
	// canonical writes the canonical form of src to dst, between the sentinels of pad, and
	// reports whether all bytes can be letters.
	canonical func(dst, src []byte, pad *[seqPad]byte) bool
	// words looks for two words.
	words func(s *byte, n int, a, b uint64) int
	// copies looks for words at several shifts.
	copies func(seeds, text *byte, n int) uint32
	// repeats marks words that a text has twice.
	repeats func(text *byte, n int, last *int32, shift, base, far int, marks *uint64)
	// codes and places look for many words.
	codes  func(dst, s *byte, n int)
	places func(codes *byte, n, behind int, first, second uint8, out *int32, most int) int
	// compute fills one wavefront; its vectors are computeLanes wide.
	// computeLong is for gaps of two costs.
	compute, computeLong func(*computeArgs)
	computeLanes         int
	// front computes an antidiagonal, long for gaps of two costs; its vectors are frontLanes wide.
	front      func(a *frontArgs, long bool)
	frontLanes int
	// ends looks for the ends of diagonals.
	ends func(row *int32, n, k0, pattern, text int) int
	// adaptive computes a row of the adaptive band.
	adaptive func(*adaptiveArgs)
	// narrow computes wavefronts over a few diagonals. narrowEnds is for several ends; without a routine if
	// the level has no kernel for it.
	narrow, narrowEnds narrowKernel
	// narrowWide is for more diagonals, where the level has a kernel for it.
	narrowWide narrowKernel
	// edit advances strips of edit distance, fewest lanes first; empty if the level has no kernel
	// for it. editLetters encodes their letters.
	edit        editKernels
	editNarrow  []func(*editNarrowArgs) // for 1, 2, … registers of diagonals
	editLetters *editEncoder
	// groups run several bands of one vector at a time, narrowest first.
	groups []groupKernel
	// band is nil if the level has no kernel for banded dynamic programming.
	band *bandKernels
	// fence are the routines for fenced bands; nil if the level has none.
	fence *fenceKernels
	// planes says that bands of planes are quicker than wavefronts.
	planes bool
	// sweep16 and sweep32 compute whole matrices in cells of 16 and 32 bits: see sweepArgs. They
	// are nil if the level has no kernels for it.
	sweep16, sweep32 *sweepKernels
	// lanes computes bands of several pairs: see lanesArgs. It is nil if the level has no kernel
	// for it.
	lanes *lanesKernel
	// bundle and bundleWide compute whole matrices of several pairs: see bundleArgs and
	// bundleWideArgs. They are nil if the level has no kernels for it.
	bundle, bundleWide *bundleKernels
}

// groupKernel is a routine that runs size bands of one vector each, of costs of 16 bits or, with
// runBytes, of a byte, or in planes.
type groupKernel struct {
	vector   bandKernels // its lanes alone
	size     int
	run      func(*bandArgs)
	runBytes func(*byteArgs)
	planes   bool // bands of planes
}

// editKernel are the routines that advance lanes neighbouring strips at a time: see editArgs.
type editKernel struct {
	lanes        int
	step         float64 // its cost in nanoseconds: see choose.go
	tiles, cells func(*editArgs)
}

// editKernels are those of a level, fewest lanes first; none where plain Go advances one strip at
// a time.
type editKernels []editKernel

// pick returns the kernel for a window of so many strips, the narrowest of those that hold it or
// the widest one; nil for plain Go.
func (l editKernels) pick(strips int) *editKernel {
	for i := range l {
		if k := &l[i]; strips <= k.lanes || i == len(l)-1 {
			return k
		}
	}
	return nil
}

// lanes returns how many of so many strips advance at a time.
func (l editKernels) lanes(strips int) int {
	if k := l.pick(strips); k != nil {
		return k.lanes
	}
	return 1
}

// least is what the number of strips in use is a multiple of.
func (l editKernels) least() int { return l.lanes(0) }

// bandKernels are the routines that advance a band (see bandArgs), by its width in vectors.
type bandKernels struct {
	lanes int // 16-bit lanes in a vector
	// registers[w-1] is for a band of w vectors, whose state stays in registers; wide for any
	// number. The history forms also store every antidiagonal's H.
	registers, registersHistory []func(*bandArgs)
	wide, wideHistory           func(*bandArgs)
}

// pick returns the routine for a band of w vectors.
func (b *bandKernels) pick(w int, history bool) func(*bandArgs) {
	switch {
	case w <= len(b.registers) && history:
		return b.registersHistory[w-1]
	case w <= len(b.registers):
		return b.registers[w-1]
	case history:
		return b.wideHistory
	}
	return b.wide
}

var goKernels = &kernels{
	canonical: canonicalGo, words: wordsGo, copies: copiesGo, repeats: repeatsGo, codes: codesGo, places: placesGo,
	compute: computeGo, computeLong: computeLongGo, computeLanes: 1, ends: endsGo,
	front: func(a *frontArgs, long bool) { frontGo(a) }, frontLanes: 1,
	adaptive:    adaptiveGo,
	narrow:      plainNarrow[[3 * narrowLanes]int32](),
	narrowWide:  plainNarrow[[3 * plainWidth]int32](),
	editLetters: editEncoderGo,
	planes:      true,
	groups: []groupKernel{
		{vector: bandKernels{lanes: planeLanes / 4}, size: 16, planes: true},
		{vector: bandKernels{lanes: planeLanes / 2}, size: 8, planes: true},
		{vector: bandKernels{lanes: planeLanes}, size: 2, planes: true},
	},
}
