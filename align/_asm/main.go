// Command asm generates the amd64 assembly of package align.
//
// Run it with `go generate ./align`. It emits
//
//   - canonical, words, copies, codes, places, seedPlaces and lanes for AVX2 (256-bit registers), which the
//     AVX-512 path uses, too;
//   - ends for AVX2, which the AVX-512 path uses, too, and repeats, which needs no vectors;
//   - compute, computeLong and adaptive for AVX2 and for AVX-512 (F, CD, BW and VL, 512-bit registers);
//   - front and narrow for both;
//   - edit for both, with AVX-512 in registers of 256 and 512 bits, its letters for AVX2, and its
//     narrow wavefronts for both;
//   - the sweep routines and bundles, also wide ones, for both;
//   - the band routines for both, in as many registers as each has, and groups of bands;
//   - the routines for open and fenced bands for both.
//
// Layouts of arguments and shared constants are read from the Go source (gotypes.go).
// kernels.go says what defines the result of each routine.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

// editNarrowMost is the most diagonals of narrow wavefronts of edit distance, in narrowLanes.
const editNarrowMost = 2

func main() {
	layout := flag.String("layout", "", "Go file for the checks of the arguments' layout")
	ConstraintExpr("amd64")
	canonical()
	words()
	copies()
	repeats()
	codes()
	places()
	wide := compute(computeAVX512())
	half := compute(computeAVX2())
	ends(half)
	front(frontAVX512(wide))
	front(frontAVX2(half))
	lanes := iota32("lanesNarrow", editNarrowMost*goConst("narrowLanes"))
	for _, ends := range []bool{false, true} {
		narrow(narrowAVX512(1, lanes), ends)
		narrow(narrowAVX2(1, lanes), ends)
	}
	for w := 1; w <= editNarrowMost; w++ {
		editNarrow(w, narrowAVX512(w, lanes))
	}
	editNarrow(1, narrowAVX2(1, lanes))
	adaptiveAVX512()
	adaptiveAVX2()
	for _, v := range []*vectors{avx512(), avx2()} {
		if v.registers > 4 {
			for w := range 2 {
				v.fenceRegisters(2+w, false)
				v.fenceRegisters(3+w, true)
			}
		}
		for w := 1; w <= v.registers; w++ {
			v.bandRegisters(w, false)
			v.bandRegisters(w, true)
		}
		v.bandWide(false)
		v.bandWide(true)
		v.fenceWide(false)
		v.fenceWide(true)
	}
	editLetters()
	last := highestBits()
	for _, s := range []strips{
		{lanes: goConst("editHalfLanes"), suffix: "AVX512", avx512: true, vector: YMM, last: last},
		{lanes: goConst("editLanes"), suffix: "AVX512", avx512: true, vector: ZMM, last: last},
		{lanes: goConst("editHalfLanes"), suffix: "AVX2", vector: YMM, last: last},
	} {
		s.edit(false)
		s.edit(true)
	}
	avx512Half().group(goConst("avx512GroupSize"))
	avx512().group(goConst("avx512GroupSize"))
	avx2().group(goConst("avx2GroupSize"))
	byteAVX512(true).group(goConst("avx512GroupSize"), 1)
	byteAVX512(false).group(goConst("avx512GroupSize"), 1)
	byteAVX512(false).group(goConst("avx512GroupSize")/2, 2)
	byteAVX2().group(goConst("avx2GroupSize"), 1)
	byteAVX2().group(goConst("avx2GroupSize")/2, 2)
	sweeps()
	pairLanes()
	seedPlaces()
	bundles()
	wideBundles()
	Generate()
	if *layout != "" {
		writeLayout(*layout, computeArgs, frontArgs, narrowArgs, adaptiveArgs, bandArgs, fenceArgs, fenceOf, fenceEventOf, fenceSideOf, byteArgs, editArgs, editNarrowArgs, sweepArgs, lanesArgs, seedArgs, seedBlock, bundleArgs, bundleWideArgs)
	}
}
