package gpu

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"wfagpu/align"
)

var (
	canPack    = cpu.X86.HasAVX2
	packsPairs = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2
)

// packLetters is pack for at least 16 letters.
//
//go:noescape
func packLetters(dst *uint32, letters *byte, n int) bool

// packPairAVX512 is packPair where packsPairs says so.
//
//go:noescape
func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool

// The offsets that packPairAVX512 knows: other ones do not compile.
var (
	_ [unsafe.Offsetof(align.Pair{}.Pattern)]byte = [0]byte{}
	_ [unsafe.Offsetof(align.Pair{}.Text)]byte    = [24]byte{}
)
