// Command asm generates the amd64 assembly of package align.
//
// Run it with `go generate ./align`. Every routine exists for AVX2 (256-bit
// registers) and AVX-512 (F, CD, BW and VL, 512-bit registers); the plain Go
// versions beside the stubs define what they compute.
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64")
	canonical()
	computeAVX512()
	computeAVX2()
	narrow()
	approxAVX512()
	approxAVX2()
	for _, v := range []*vectors{avx512(), avx2()} {
		for w := 1; w <= v.maxHeld; w++ {
			v.bandHeld(w, false)
			v.bandHeld(w, true)
		}
		v.bandWide(false)
		v.bandWide(true)
	}
	avx512Half().group(4)
	avx512().group(4)
	avx2().group(2)
	Generate()
}
