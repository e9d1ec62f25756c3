//go:build !amd64

package pack

import (
	"unsafe"

	"wfagpu/align"
)

// Available tells whether this host packs.
const Available = false

const packsPairs = false

func packLetters(dst *uint32, letters *byte, n int) bool { panic("no packer for this CPU") }

func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool { panic("no packer for this CPU") }

// Prefetch does nothing: there is no portable instruction for it.
func Prefetch(a, b, c unsafe.Pointer) {}
