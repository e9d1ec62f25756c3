//go:build !amd64

package pack

import (
	"unsafe"

	"wfagpu/align"
)

const hasAVX2, hasAVX512 = false, false

func packLetters(dst *uint32, letters *byte, n int) bool { panic("no packer for this CPU") }

func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool { panic("no packer for this CPU") }

// Prefetch does nothing on this architecture.
func Prefetch(a, b, c unsafe.Pointer) {}
