package gpu

import "golang.org/x/sys/cpu"

var canPack = cpu.X86.HasAVX2

// packLetters is pack for at least 16 letters.
//
//go:noescape
func packLetters(dst *uint32, letters *byte, n int) bool
