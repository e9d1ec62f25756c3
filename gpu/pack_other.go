//go:build !amd64

package gpu

import "wfagpu/align"

const canPack, packsPairs = false, false

func packLetters(dst *uint32, letters *byte, n int) bool { panic("no packer for this CPU") }

func packPairAVX512(dst *uint32, pair, ahead *align.Pair) bool { panic("no packer for this CPU") }
