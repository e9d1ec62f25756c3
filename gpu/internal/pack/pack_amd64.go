package pack

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"wfagpu/align"
)

var (
	hasAVX2   = cpu.X86.HasAVX2
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2
)

// packLetters is packSequence, with AVX2, for at least 16 letters.
//
//go:noescape
func packLetters(dst *uint32, letters *byte, n int) bool

// packPairAVX512 is Pair with AVX-512.
//
//go:noescape
func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool

// Offsets in an align.Pair. The assembly of packPairAVX512 uses them.
const (
	patternData   = unsafe.Offsetof(align.Pair{}.Pattern)
	patternLength = patternData + unsafe.Sizeof(uintptr(0))
	textData      = unsafe.Offsetof(align.Pair{}.Text)
	textLength    = textData + unsafe.Sizeof(uintptr(0))

	_ = patternData + patternLength + textData + textLength // a use, for staticcheck
)

// Prefetch prefetches two cache lines from a on, two from b on, and one at c. Any
// address is valid.
//
//go:noescape
func Prefetch(a, b, c unsafe.Pointer)
